package io.surestate.statemachine.store;

/** The store cannot do its work: the server must stop. */
public final class StoreException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StoreException(String doing, Exception cause) {
        super("store: " + doing + " failed (expected: a healthy disk): " + cause.getMessage(), cause);
    }
}
