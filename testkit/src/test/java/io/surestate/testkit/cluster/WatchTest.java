package io.surestate.testkit.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.WatchEvent;
import io.surestate.api.v1.WatchFilter;
import io.surestate.api.v1.WatchGrpc;
import io.surestate.api.v1.WatchRequest;
import io.surestate.api.v1.WatchResponse;
import io.surestate.client.AnswerStream;
import io.surestate.client.SurestateException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchTest {
    private static final Duration OPEN_MAX = Duration.ofSeconds(30);

    @TempDir
    private Path folder;

    private static AnswerStream<WatchResponse> watch(Api api, long fromRevision, WatchFilter filter) {
        return api.client().stream(
                WatchGrpc.getWatchChangesMethod(),
                WatchRequest.newBuilder()
                        .setFromRevision(fromRevision)
                        .setFilter(filter)
                        .build(),
                OPEN_MAX);
    }

    @Test
    void everyChangeAfterARevisionComesOnceAndInOrder() {
        ClusterLayout layout = ClusterLayout.of(folder, 1);
        try (JvmCluster cluster = JvmCluster.start(layout);
                Api api = Api.of(layout)) {
            long before = api.submit(Api.shellJob("before", 1, "true")).getRevision();
            for (int i = 0; i < 5; i++) {
                api.submit(Api.shellJob("job-" + i, 2, "true"));
            }
            List<String> names = new ArrayList<>();
            long place = before;
            try (AnswerStream<WatchResponse> watch =
                    watch(api, before, WatchFilter.newBuilder().setJobs(true).build())) {
                while (names.size() < 5) {
                    WatchResponse change = watch.next();
                    assertThat(change.getRevision()).isGreaterThanOrEqualTo(place);
                    place = change.getRevision();
                    change.getEventsList().stream()
                            .filter(WatchEvent::hasJob)
                            .forEach(event -> names.add(event.getJob().getName()));
                }
            }
            assertThat(names).containsExactly("job-0", "job-1", "job-2", "job-3", "job-4");
            assertThat(cluster.leader()).contains(0);
        }
    }

    @Test
    void aRevisionThatNeverWasIsRefused() {
        ClusterLayout layout = ClusterLayout.of(folder, 1);
        try (JvmCluster cluster = JvmCluster.start(layout);
                Api api = Api.of(layout)) {
            api.submit(Api.shellJob("present", 1, "true"));
            assertThatThrownBy(() -> {
                        try (AnswerStream<WatchResponse> watch = watch(api, -1, WatchFilter.getDefaultInstance())) {
                            watch.next();
                        }
                    })
                    .isInstanceOfSatisfying(
                            SurestateException.class,
                            refused -> assertThat(refused.detail().getCode())
                                    .isEqualTo(ErrorCode.ERROR_CODE_INVALID_ARGUMENT));
            assertThat(cluster.leader()).contains(0);
        }
    }
}
