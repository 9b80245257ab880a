package io.surestate.agent.device;

import io.surestate.api.v1.Device;
import java.util.List;

/** What the kernel knows of a device and its maker's tool does not tell. Safe between threads. */
public interface KernelView {
    /** The NUMA place of a PCI address, -1 = unknown. */
    int numaOfPci(String address);

    /** What is opened to use the device; none = unknown. */
    List<String> files(Device device);
}
