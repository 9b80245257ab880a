package io.surestate.agent.oci;

import java.io.IOException;

/** An image that cannot be used as it is, with the reason for people. */
public final class ImageException extends IOException {
    private static final long serialVersionUID = 1L;

    public ImageException(String message) {
        super(message);
    }
}
