package io.surestate.manifest.hardware;

import io.surestate.api.v1.Node;
import java.util.List;

/**
 * What a file says. Immutable.
 *
 * @param nodes with name and spec; the name is empty where the file describes one machine and does not name it
 * @param notes what was derived, passed over or is missing, one sentence each
 */
public record Hardware(List<Node> nodes, List<String> notes) {
    public Hardware {
        nodes = List.copyOf(nodes);
        notes = List.copyOf(notes);
    }
}
