package io.surestate.cli.watch;

import io.surestate.api.v1.WatchEvent;
import io.surestate.api.v1.WatchFilter;
import io.surestate.api.v1.WatchRequest;
import io.surestate.cli.connect.Session;
import io.surestate.client.ResumingWatch;
import io.surestate.client.WatchBatch;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Goes on where a list ended. */
public final class Following {
    private Following() {}

    /** Hands over every change after a revision, until the program is interrupted. */
    public static void after(
            Session session, long revision, WatchFilter filter, BiConsumer<WatchBatch, WatchEvent> changed) {
        WatchRequest request = WatchRequest.newBuilder()
                .setFromRevision(revision)
                .setFilter(filter)
                .build();
        try (ResumingWatch watch = session.watch(request)) {
            for (Optional<WatchBatch> batch = watch.next(); batch.isPresent(); batch = watch.next()) {
                WatchBatch told = batch.get();
                told.events().forEach(event -> changed.accept(told, event));
            }
        }
    }
}
