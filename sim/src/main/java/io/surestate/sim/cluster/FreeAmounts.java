package io.surestate.sim.cluster;

import io.surestate.scheduler.NodeRows;
import io.surestate.statemachine.state.Amounts;
import io.surestate.statemachine.state.NamedAmounts;

/** Amounts of the state as a scheduler asks for them. */
record FreeAmounts(Amounts amounts) implements NodeRows.Free {
    @Override
    public int coreMilli(int id) {
        return amounts.cores().milli(id);
    }

    @Override
    public int deviceMilli(int ordinal) {
        return amounts.devices().milli(ordinal);
    }

    @Override
    public long memoryBytes() {
        return amounts.memoryBytes();
    }

    @Override
    public long nic(String name) {
        return amounts.named().of(NamedAmounts.nicName(name));
    }

    @Override
    public long storage(String name) {
        return amounts.named().of(NamedAmounts.storageName(name));
    }

    @Override
    public long countable(String name) {
        return amounts.named().of(name);
    }
}
