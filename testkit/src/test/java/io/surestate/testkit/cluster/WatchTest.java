package io.surestate.testkit.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.Job;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchTest {
    private static final Duration OPEN_MAX = Duration.ofSeconds(30);

    @TempDir
    private Path folder;

    private static AnswerStream<WatchResponse> open(Api api, WatchRequest request) {
        return api.client().stream(WatchGrpc.getWatchChangesMethod(), request, OPEN_MAX);
    }

    private static AnswerStream<WatchResponse> watch(Api api, long fromRevision, WatchFilter filter) {
        return open(
                api,
                WatchRequest.newBuilder()
                        .setFromRevision(fromRevision)
                        .setFilter(filter)
                        .build());
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

    private static SurestateException refusal(Api api, WatchRequest request) {
        return catchThrowableOfType(SurestateException.class, () -> {
            try (AnswerStream<WatchResponse> watch = open(api, request)) {
                watch.next();
            }
        });
    }

    @Test
    void whatIsNoWatchIsRefusedByName() {
        ClusterLayout layout = ClusterLayout.of(folder, 1);
        try (JvmCluster cluster = JvmCluster.start(layout);
                Api api = Api.of(layout)) {
            long revision = api.submit(Api.shellJob("present", 1, "true")).getRevision();
            List<WatchRequest.Builder> wrong = List.of(
                    WatchRequest.newBuilder().setFromRevision(-1),
                    WatchRequest.newBuilder().setFromRevision(revision + 1_000_000),
                    WatchRequest.newBuilder().setFromRevision(1).setInitialList(true),
                    WatchRequest.newBuilder().setResumeToken("no token"),
                    WatchRequest.newBuilder().setFilter(WatchFilter.newBuilder().setTenant("UPPER")));
            for (WatchRequest.Builder request : wrong) {
                SurestateException refused = refusal(api, request.build());
                assertThat(refused.code()).isEqualTo(ErrorCode.ERROR_CODE_INVALID_ARGUMENT);
                assertThat(refused.getMessage()).containsPattern("fromRevision|initialList|resumeToken|filter.tenant");
            }
            assertThat(cluster.leader()).contains(0);
        }
    }

    @Test
    void theListAndTheChangesAfterItMakeTheFinalList() throws Exception {
        ClusterLayout layout = ClusterLayout.of(folder, 1);
        try (JvmCluster cluster = JvmCluster.start(layout);
                Api api = Api.of(layout);
                Api writer = Api.of(layout)) {
            for (int i = 0; i < 20; i++) {
                api.submit(Api.shellJob("old-" + i, 2, "true"));
            }
            CompletableFuture<Long> written = CompletableFuture.supplyAsync(() -> {
                for (int i = 0; i < 20; i++) {
                    writer.submit(Api.shellJob("new-" + i, 2, "true"));
                    writer.cancel("old-" + i);
                }
                return writer.submit(Api.shellJob("last", 1, "true")).getRevision();
            });
            Map<String, Job> seen = new HashMap<>();
            long place = 0;
            boolean listed = false;
            try (AnswerStream<WatchResponse> watch =
                    open(api, WatchRequest.newBuilder().setInitialList(true).build())) {
                while (!written.isDone() || place < written.get(30, TimeUnit.SECONDS)) {
                    WatchResponse message = watch.next();
                    assertThat(message.getInitial()).isEqualTo(!listed);
                    assertThat(message.getRevision()).isGreaterThanOrEqualTo(place);
                    listed |= message.getLastInRevision();
                    place = message.getRevision();
                    message.getEventsList().forEach(event -> {
                        if (event.hasJob()) {
                            seen.put(event.getJob().getUid(), event.getJob());
                        } else if (event.hasJobRemoved()) {
                            seen.remove(event.getJobRemoved());
                        }
                    });
                }
            }
            assertThat(seen.values()).containsExactlyInAnyOrderElementsOf(api.jobs());
            assertThat(seen.values()).hasSize(21);
            assertThat(cluster.leader()).contains(0);
        }
    }

    @Test
    void whatIsNoLongerKeptIsRefusedOnceWithTheOldestRevision() {
        ClusterLayout layout = ClusterLayout.of(folder, 1).withShortLog(100);
        try (JvmCluster cluster = JvmCluster.start(layout);
                Api api = Api.of(layout)) {
            for (int i = 0; i < 150; i++) {
                api.submit(Api.shellJob("job-" + i, 1, "true"));
            }
            cluster.restart(0);
            long newest = api.submit(Api.shellJob("later", 1, "true")).getRevision();
            SurestateException refused =
                    refusal(api, WatchRequest.newBuilder().setFromRevision(3).build());
            assertThat(refused.code()).isEqualTo(ErrorCode.ERROR_CODE_COMPACTED);
            long oldest = refused.detail().getOldestRevision();
            assertThat(oldest).isBetween(4L, newest);
            try (AnswerStream<WatchResponse> watch = watch(api, oldest, WatchFilter.getDefaultInstance())) {
                assertThat(watch.next().getRevision()).isEqualTo(oldest);
            }
        }
    }

    @Test
    void aWatchGoesOnAtAnotherServerWithoutGapOrRepetition() throws Exception {
        ClusterLayout layout = ClusterLayout.of(folder, 3);
        try (JvmCluster cluster = JvmCluster.start(layout);
                Api api = Api.of(layout);
                Api writer = Api.of(layout)) {
            long before = writer.submit(Api.shellJob("before", 1, "true")).getRevision();
            int leader = cluster.leader().orElseThrow();
            CompletableFuture<Void> written = CompletableFuture.runAsync(() -> {
                for (int i = 0; i < 60; i++) {
                    writer.submit(Api.shellJob("job-" + i, 1, "true"));
                }
            });
            List<String> names = new ArrayList<>();
            WatchRequest request = WatchRequest.newBuilder()
                    .setFromRevision(before)
                    .setFilter(WatchFilter.newBuilder().setJobs(true))
                    .build();
            while (names.size() < 60) {
                try (AnswerStream<WatchResponse> watch = open(api, request)) {
                    while (names.size() < 60) {
                        WatchResponse message = watch.next();
                        message.getEventsList().stream()
                                .filter(event -> event.hasJob())
                                .forEach(event -> names.add(event.getJob().getName()));
                        request = WatchRequest.newBuilder()
                                .setResumeToken(message.getResumeToken())
                                .setFilter(request.getFilter())
                                .build();
                        if (names.size() == 20) {
                            cluster.stop(leader);
                        }
                    }
                } catch (SurestateException broken) {
                    assertThat(broken.detail().getRetryable()).isTrue();
                }
            }
            written.get(30, TimeUnit.SECONDS);
            assertThat(names)
                    .containsExactlyElementsOf(
                            IntStream.range(0, 60).mapToObj(i -> "job-" + i).toList());
            assertThat(cluster.leader()).isNotEqualTo(Optional.of(leader));
        }
    }
}
