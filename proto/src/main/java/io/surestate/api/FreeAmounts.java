package io.surestate.api;

/** What is free of each thing that a node has; asked only for what its spec names. */
public interface FreeAmounts {
    /** Thousandths of a core. */
    int coreMilli(int id);

    /** Thousandths of a device. */
    int deviceMilli(int ordinal);

    long memoryBytes();

    /** In bit/s. */
    long nic(String name);

    /** In bytes. */
    long storage(String name);

    long countable(String name);
}
