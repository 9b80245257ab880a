package io.surestate.testkit.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.v1.Job;
import io.surestate.api.v1.WatchEvent;
import io.surestate.api.v1.WatchFilter;
import io.surestate.client.ClusterPicture;
import io.surestate.client.ClusterView;
import io.surestate.client.ViewListener;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the client's view promises, against real servers. */
class ClusterViewContractTest {
    private static final Duration LONG = Duration.ofMinutes(2);

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @TempDir
    private Path folder;

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    /** Sees every revision once and in order. */
    private static final class InOrder implements ViewListener {
        private final List<Long> revisions = Collections.synchronizedList(new ArrayList<>());

        @Override
        public void changed(ClusterPicture now, List<WatchEvent> events) {
            revisions.add(now.revision());
        }
    }

    @Test
    void showsWhatTheServersListThroughALeaderChangeAndTellsEachRevisionOnce() throws Exception {
        ClusterLayout layout = ClusterLayout.of(folder, 3);
        InOrder listener = new InOrder();
        try (JvmCluster cluster = JvmCluster.start(layout);
                Api api = Api.of(layout);
                Api watcher = Api.of(layout)) {
            api.submit(Api.shellJob("first", 2, "true"));
            try (ClusterView view =
                    ClusterView.open(watcher.client(), WatchFilter.getDefaultInstance(), threads, List.of(listener))) {
                assertThat(view.awaitRevision(1, LONG)).isPresent();
                for (int i = 0; i < 10; i++) {
                    api.submit(Api.shellJob("before-" + i, 2, "true"));
                }
                cluster.stop(cluster.leader().orElseThrow());
                for (int i = 0; i < 10; i++) {
                    api.submit(Api.shellJob("after-" + i, 2, "true"));
                    api.cancel("before-" + i);
                }
                long last = api.submit(Api.shellJob("last", 2, "true")).getRevision();
                ClusterPicture picture = view.awaitRevision(last, LONG).orElseThrow();
                assertThat(picture.jobs()).containsExactlyElementsOf(api.jobs());
                for (Job job : picture.jobs()) {
                    assertThat(picture.tasks(job.getUid())).hasSize(2);
                }
                assertThat(listener.revisions).doesNotHaveDuplicates().isSorted();
                assertThat(view.staleness().connected()).isTrue();
            }
        }
    }

    @Test
    void listsAgainWhenTheServerCameBackWithoutWhatItMissed() throws Exception {
        ClusterLayout layout = ClusterLayout.of(folder, 1).withShortLog(100);
        try (JvmCluster cluster = JvmCluster.start(layout);
                Api api = Api.of(layout);
                Api watcher = Api.of(layout);
                ClusterView view = ClusterView.open(watcher.client(), WatchFilter.getDefaultInstance(), threads)) {
            long first = api.submit(Api.shellJob("first", 1, "true")).getRevision();
            assertThat(view.awaitRevision(first, LONG)).isPresent();
            cluster.restart(0);
            long last = api.submit(Api.shellJob("last", 1, "true")).getRevision();
            ClusterPicture picture = view.awaitRevision(last, LONG).orElseThrow();
            assertThat(picture.jobs()).containsExactlyElementsOf(api.jobs());
            assertThat(cluster.leader()).contains(0);
        }
    }
}
