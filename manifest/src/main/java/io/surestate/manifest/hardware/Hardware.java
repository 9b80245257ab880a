package io.surestate.manifest.hardware;

import io.surestate.api.v1.Node;
import java.util.List;

/**
 * What a file says. Immutable.
 *
 * @param nodes with name and spec; the name is empty where the file describes one machine and does not name it
 * @param notes what was derived, passed over or is missing, one sentence each
 * @param signs of the devices of the one machine, where the file says how they are doing
 */
public record Hardware(List<Node> nodes, List<String> notes, List<DeviceSigns> signs) {
    public Hardware {
        nodes = List.copyOf(nodes);
        notes = List.copyOf(notes);
        signs = List.copyOf(signs);
    }

    public Hardware(List<Node> nodes, List<String> notes) {
        this(nodes, notes, List.of());
    }
}
