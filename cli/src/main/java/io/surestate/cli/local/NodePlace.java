package io.surestate.cli.local;

import java.nio.file.Path;

/**
 * One agent of a local cluster.
 *
 * @param folder of this agent alone
 * @param cores such as {@code 0-3}; empty = all
 * @param memory such as {@code 6Gi}; empty = all but a reserve
 * @param fakeNodes such as {@code 1000x8}; empty = a real node
 */
public record NodePlace(String name, Path folder, String cores, String memory, String fakeNodes) {
    Path data() {
        return folder.resolve("data");
    }
}
