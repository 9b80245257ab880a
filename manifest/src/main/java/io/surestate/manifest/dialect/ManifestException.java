package io.surestate.manifest.dialect;

/** A manifest that cannot be read; the message says where, what was given and what is expected. */
public final class ManifestException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ManifestException(String message) {
        super(message);
    }
}
