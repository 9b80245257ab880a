package io.surestate.manifest.hardware;

/** A hardware file that cannot be read; the message says where, what was read and what is expected. */
public final class HardwareException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public HardwareException(String message) {
        super(message);
    }
}
