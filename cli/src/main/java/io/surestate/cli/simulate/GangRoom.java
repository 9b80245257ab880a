package io.surestate.cli.simulate;

import io.surestate.api.v1.DeviceKind;
import io.surestate.sim.nodes.GangCluster;
import io.surestate.sim.nodes.GangForm;
import java.util.ArrayList;
import java.util.List;

/** The nodes on which gangs are placed, and what gangs ask of them. Immutable. */
record GangRoom(GangCluster cluster, GangForm form) {
    int total() {
        return cluster.total();
    }

    int widest() {
        return GangForm.widest(cluster);
    }

    /** What is supposed where the trace says nothing, for people. */
    List<String> assumptions() {
        List<String> notes = new ArrayList<>();
        if (cluster.kind() != DeviceKind.DEVICE_KIND_GPU) {
            notes.add("the GPUs of the trace are the " + cluster.kind().name().replace("DEVICE_KIND_", "")
                    + "s of the nodes");
        }
        notes.add("each GPU of a job is a task of its gang, which asks for nothing else");
        if (cluster.held() > 0) {
            notes.add(cluster.held()
                    + " allocations of now are kept for the whole replay; jobs that wait now are left out");
        }
        notes.add("when the first of the queue can start is reckoned by counting GPUs");
        return notes;
    }
}
