package io.surestate.agent.discovery;

import io.surestate.api.v1.Label;
import io.surestate.api.v1.Nic;
import io.surestate.api.v1.Storage;
import java.util.List;

/**
 * What a machine has, as far as no file of the kernel's says it plainly.
 *
 * @param memoryBytes all of it
 */
public record Machine(
        String cpuModel,
        int sockets,
        long memoryBytes,
        String os,
        String hostname,
        List<Nic> nics,
        List<Storage> storage,
        List<Label> traits) {
    public Machine {
        nics = List.copyOf(nics);
        storage = List.copyOf(storage);
        traits = List.copyOf(traits);
    }
}
