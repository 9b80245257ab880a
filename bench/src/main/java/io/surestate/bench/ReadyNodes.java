package io.surestate.bench;

import io.surestate.testkit.cluster.Api;

/** Waits until so many nodes are READY. */
final class ReadyNodes {
    private static final long LOOK_EVERY_MILLIS = 200;

    private ReadyNodes() {}

    static void await(Api api, long nodes) throws InterruptedException {
        while (api.readyNodes() < nodes) {
            Thread.sleep(LOOK_EVERY_MILLIS);
        }
    }
}
