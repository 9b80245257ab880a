package io.surestate.cli.output;

import com.google.protobuf.Message;

/**
 * Something to be shown.
 *
 * @param name what it is called in other commands
 */
public record Resource(String name, Body body) {
    public static Resource of(String name, Message message) {
        return new Resource(name, Body.of(message));
    }
}
