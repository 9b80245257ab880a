package io.surestate.manifest;

import java.util.Collection;
import java.util.Optional;

/** Finds the known key that somebody probably meant: the one with the least edit distance, if it is near enough. */
public final class NearestKey {
    private NearestKey() {}

    public static Optional<String> of(String given, Collection<String> known) {
        String best = "";
        int least = Math.max(3, given.length() / 2 + 1);
        for (String candidate : known) {
            int distance = distance(given, candidate);
            if (distance < least) {
                least = distance;
                best = candidate;
            }
        }
        return best.isEmpty() ? Optional.empty() : Optional.of(best);
    }

    /** Levenshtein distance by one row; letter case does not count. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                boolean same = Character.toLowerCase(a.charAt(i - 1)) == Character.toLowerCase(b.charAt(j - 1));
                int replaced = diagonal + (same ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
