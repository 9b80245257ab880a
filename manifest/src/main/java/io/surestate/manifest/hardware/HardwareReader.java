package io.surestate.manifest.hardware;

/** Reads one format. Without state. */
interface HardwareReader {
    /**
     * Reads the whole of it.
     *
     * @throws HardwareException it is not of the format, broken or too large; nothing half read is returned
     */
    Hardware read(HardwareSource source);
}
