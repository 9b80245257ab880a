package io.surestate.manifest.config;

/** A configuration file that cannot be used; the message says where and what is expected. */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ConfigException(String message) {
        super(message);
    }
}
