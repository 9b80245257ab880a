package io.surestate.cli.ledger;

import io.surestate.api.v1.PlacedGang;
import io.surestate.api.v1.PlanConflict;
import io.surestate.cli.output.Table;
import io.surestate.manifest.dialect.EnumNames;
import java.util.List;

/** What plans came to, in words. */
final class PlanText {
    private PlanText() {}

    static String gangs(List<PlacedGang> gangs) {
        if (gangs.isEmpty()) {
            return "";
        }
        Table table = new Table("GANG", "OWNER", "STATE", "ALLOCATIONS");
        for (PlacedGang gang : gangs) {
            table.row(
                    gang.getGang(),
                    gang.getJobUid().isEmpty() ? "name " + gang.getName() : "job " + gang.getJobUid(),
                    EnumNames.shortName(gang.getState().getValueDescriptor()),
                    gang.getAllocationsCount());
        }
        return table.toString();
    }

    static String conflicts(List<PlanConflict> conflicts) {
        if (conflicts.isEmpty()) {
            return "";
        }
        Table table = new Table("GANG", "PLACE", "KIND", "NODE", "WHAT", "HOLDER", "SINCE", "MESSAGE");
        for (PlanConflict conflict : conflicts) {
            table.row(
                    conflict.getGang(),
                    conflict.getPlacement() < 0 ? "" : conflict.getPlacement(),
                    EnumNames.shortName(conflict.getKind().getValueDescriptor()),
                    conflict.getNode(),
                    conflict.getWhat(),
                    conflict.getHolder(),
                    conflict.getSinceRevision() == 0 ? "" : conflict.getSinceRevision(),
                    conflict.getMessage());
        }
        return table.toString();
    }
}
