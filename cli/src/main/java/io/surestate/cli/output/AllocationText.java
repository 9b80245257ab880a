package io.surestate.cli.output;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.TaskRef;
import io.surestate.manifest.dialect.EnumNames;

/** Parts of allocations in words. */
public final class AllocationText {
    private static final int WHOLE = 1_000;

    private AllocationText() {}

    /** {@code job UID/group/index} or {@code name NAME}. */
    public static String owner(Allocation allocation) {
        if (!allocation.hasTask()) {
            return "name " + allocation.getName();
        }
        TaskRef task = allocation.getTask();
        return "job " + task.getJobUid() + "/" + task.getGroup() + "/" + task.getIndex();
    }

    /** Ordinals: {@code 0,1,4:500m}; empty if it has none. */
    public static String devices(Allocation allocation) {
        return String.join(
                ",",
                allocation.getClaim().getDevicesList().stream()
                        .map(share -> share.getMilli() == WHOLE
                                ? Integer.toString(share.getOrdinal())
                                : share.getOrdinal() + ":" + share.getMilli() + "m")
                        .toList());
    }

    public static String state(Allocation allocation) {
        return EnumNames.shortName(allocation.getState().getValueDescriptor());
    }
}
