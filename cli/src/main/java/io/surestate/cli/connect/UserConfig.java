package io.surestate.cli.connect;

import org.jspecify.annotations.Nullable;

/**
 * The user's own settings, {@code ~/.config/surestate/config.yaml}.
 *
 * @param server {@code host:port[,host:port...]}
 */
record UserConfig(@Nullable String server) {
    String serverOrEmpty() {
        return server == null ? "" : server;
    }
}
