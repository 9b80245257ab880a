package io.surestate.agent.device;

import io.surestate.api.v1.NodeSpec;
import io.surestate.manifest.hardware.DeviceSigns;
import java.util.List;

/** Something that knows devices of this machine. Asked by one thread at a time; may block for as long as its programs may. */
public interface DeviceSource {
    /** Such as {@code nvidia-smi}; each source has another. */
    String name();

    Finding look();

    /** What a look came to. */
    sealed interface Finding {}

    /** There is nothing of this kind here. */
    record Absent() implements Finding {}

    /** It could not be told what there is. */
    record Failed(String reason) implements Finding {}

    /**
     * Everything that is there now.
     *
     * @param part devices, links, domains, labels and countables; ordinals count within this finding only
     * @param signs of devices, by their ordinals in the part
     * @param trouble what could not be told beside; empty = nothing
     */
    record Found(NodeSpec part, List<DeviceSigns> signs, String trouble) implements Finding {
        public Found {
            signs = List.copyOf(signs);
        }
    }
}
