package io.surestate.cli.simulate;

import io.surestate.cli.CliException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The options that were used, and the forms of workload that each is for. Used by one thread. */
final class OptionUses {
    private final Map<String, List<String>> forms = new LinkedHashMap<>();

    /** Notes an option if it was used. */
    OptionUses note(String option, boolean used, List<String> belongsTo) {
        if (used) {
            forms.put(option, belongsTo);
        }
        return this;
    }

    /** Refuses the first option that is for other forms. */
    void check(String form) {
        forms.forEach((option, belongsTo) -> {
            if (!belongsTo.contains(form)) {
                throw CliException.usage(option + ": not for workloads of form " + form + " (expected: "
                        + String.join(", ", belongsTo) + ")");
            }
        });
    }

    /** Refuses the first option, where there is no workload. */
    void checkNone() {
        forms.forEach((option, belongsTo) -> {
            throw CliException.usage(option + ": given without a workload (expected: with --workload of form "
                    + String.join(", ", belongsTo) + ")");
        });
    }
}
