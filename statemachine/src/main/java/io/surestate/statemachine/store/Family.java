package io.surestate.statemachine.store;

import java.util.Arrays;

/** A key space of its own within one store. */
public enum Family {
    /** How far the log is applied. */
    META("meta"),
    /** One row per live entity. */
    LIVE("live"),
    /** Rows that are written once and never changed. */
    HISTORY("history"),
    /** Digests by revision and the history's sums. */
    DIGEST("digest");

    private final String label;

    Family(String label) {
        this.label = label;
    }

    /** Its name on disk. */
    public String label() {
        return label;
    }

    static Family labelled(String label) {
        return Arrays.stream(values())
                .filter(family -> family.label.equals(label))
                .findFirst()
                .orElseThrow();
    }
}
