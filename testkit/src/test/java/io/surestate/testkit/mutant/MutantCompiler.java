package io.surestate.testkit.mutant;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles changed sources against the test's class path, in memory. */
final class MutantCompiler {
    private final Path root = root();

    /** The folder of the whole project, from wherever the tests run. */
    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(folder.resolve("statemachine").resolve("src"))) {
            folder = folder.getParent();
            if (folder == null) {
                throw new AssertionError("folder: " + Path.of("").toAbsolutePath() + " (expected: inside the project)");
            }
        }
        return folder;
    }

    /** Class files by full class name. */
    Map<String, byte[]> compile(Mutant mutant) {
        Map<String, String> sources = new LinkedHashMap<>();
        Map<String, String> types = new LinkedHashMap<>();
        for (Edit edit : mutant.edits()) {
            sources.compute(
                    edit.path(), (path, present) -> edit.applied(present == null ? read(root.resolve(path)) : present));
            types.put(edit.path(), edit.type());
        }
        List<JavaFileObject> units = new ArrayList<>();
        sources.forEach((path, text) -> units.add(new Source(types.get(path), text)));
        return compile(units);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static Map<String, byte[]> compile(List<JavaFileObject> units) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        List<String> options =
                List.of("-proc:none", "-nowarn", "-parameters", "-classpath", System.getProperty("java.class.path"));
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
                Outputs outputs = new Outputs(files)) {
            if (!compiler.getTask(messages, outputs, null, options, null, units).call()) {
                throw new AssertionError("mutant: does not compile: " + messages);
            }
            return outputs.classes();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String type, String text) {
            super(URI.create("mutant:///" + type.replace('.', '/') + Kind.SOURCE.extension), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private static final class Outputs extends ForwardingJavaFileManager<JavaFileManager> {
        private final Map<String, ByteArrayOutputStream> written = new TreeMap<>();

        Outputs(JavaFileManager files) {
            super(files);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String type, JavaFileObject.Kind kind, FileObject sibling) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            written.put(type, bytes);
            return new SimpleJavaFileObject(URI.create("mutant:///" + type.replace('.', '/') + kind.extension), kind) {
                @Override
                public OutputStream openOutputStream() {
                    return bytes;
                }
            };
        }

        Map<String, byte[]> classes() {
            Map<String, byte[]> all = new TreeMap<>();
            written.forEach((type, bytes) -> all.put(type, bytes.toByteArray()));
            return all;
        }
    }
}
