package io.surestate.cli.job;

import java.util.Locale;
import java.util.random.RandomGenerator;

/** Names for jobs that were given none. */
final class GeneratedName {
    private static final int STEM_CHARS_MAX = 40;
    private static final int LETTERS = 5;
    private static final String ALPHABET = "bcdfghjklmnpqrstvwxz0123456789";

    private GeneratedName() {}

    /** From the program's file name, such as {@code echo-x7k2p}. */
    static String of(String program, RandomGenerator random) {
        String file = program.substring(program.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
        String stem = file.replaceAll("[^a-z0-9]+", "-").replaceAll("^-+|-+$", "");
        if (stem.length() > STEM_CHARS_MAX) {
            stem = stem.substring(0, STEM_CHARS_MAX).replaceAll("-+$", "");
        }
        StringBuilder name = new StringBuilder(stem.isEmpty() ? "job" : stem).append('-');
        for (int i = 0; i < LETTERS; i++) {
            name.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return name.toString();
    }
}
