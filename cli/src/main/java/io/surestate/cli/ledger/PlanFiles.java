package io.surestate.cli.ledger;

import io.surestate.api.v1.Plan;
import io.surestate.cli.input.ManifestFiles;
import io.surestate.manifest.dialect.ManifestReader;
import java.io.InputStream;

/** Reads plan files. */
final class PlanFiles {
    private PlanFiles() {}

    /** @param file {@code -} = {@code in} */
    static Plan read(String file, InputStream in) {
        return ManifestFiles.read(file, in, "a plan", (source, text) -> {
            Plan.Builder plan = Plan.newBuilder();
            new ManifestReader().read(source, text, plan);
            return plan.build();
        });
    }
}
