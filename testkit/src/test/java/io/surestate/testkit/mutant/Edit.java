package io.surestate.testkit.mutant;

/**
 * One change of one source file.
 *
 * @param type the top-level class that the file holds, by its full name
 * @param find what stands there once, exactly
 * @param replacement what stands there instead
 */
record Edit(String module, String type, String find, String replacement) {
    String path() {
        return module + "/src/main/java/" + type.replace('.', '/') + ".java";
    }

    String applied(String source) {
        int at = source.indexOf(find);
        if (at < 0 || source.indexOf(find, at + 1) >= 0) {
            throw new AssertionError("mutant: " + path() + " has other text (expected: once \"" + find + "\")");
        }
        return source.substring(0, at) + replacement + source.substring(at + find.length());
    }
}
