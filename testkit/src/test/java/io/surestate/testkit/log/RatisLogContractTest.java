package io.surestate.testkit.log;

import io.surestate.server.log.Peers;
import io.surestate.server.log.ProposalFailedException;
import io.surestate.server.log.ReplicatedLog;
import io.surestate.server.raft.RaftSettings;
import io.surestate.server.raft.RatisLog;
import io.surestate.testkit.cluster.FreePorts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.IntStream;

class RatisLogContractTest extends ReplicatedLogContract {
    private static final int SNAPSHOT_EVERY_ENTRIES = 20;

    @Override
    LogGroup open(Path folder) {
        return new RatisGroup(folder);
    }

    private static final class RatisGroup implements LogGroup {
        private final Path folder;
        private final List<RaftSettings.Peer> peers;
        private final Map<String, RecordingConsumer> states = new ConcurrentHashMap<>();
        private final Map<String, RatisLog> logs = new ConcurrentHashMap<>();
        private final Map<String, Boolean> running = new ConcurrentHashMap<>();

        RatisGroup(Path folder) {
            this.folder = folder;
            List<Integer> ports = FreePorts.take(IDS.size());
            peers = IntStream.range(0, IDS.size())
                    .mapToObj(i -> new RaftSettings.Peer(IDS.get(i), "127.0.0.1:" + ports.get(i)))
                    .toList();
            IDS.forEach(this::start);
        }

        @Override
        public void start(String id) {
            RecordingConsumer state = new RecordingConsumer();
            RatisLog log = new RatisLog(
                    new RaftSettings(
                            id,
                            "contract",
                            peers,
                            folder.resolve(id),
                            Duration.ofMillis(400),
                            SNAPSHOT_EVERY_ENTRIES,
                            1 << 20),
                    state,
                    new DirectPeers());
            states.put(id, state);
            logs.put(id, log);
            running.put(id, true);
            log.start();
        }

        @Override
        public ReplicatedLog log(String id) {
            RatisLog log = Optional.ofNullable(logs.get(id)).orElseThrow();
            if (Boolean.TRUE.equals(running.get(id))) {
                log.poll();
            }
            return log;
        }

        @Override
        public RecordingConsumer state(String id) {
            return Optional.ofNullable(states.get(id)).orElseThrow();
        }

        @Override
        public void stop(String id) {
            running.put(id, false);
            Optional.ofNullable(logs.get(id)).orElseThrow().close();
        }

        @Override
        public int snapshotEveryEntries() {
            return SNAPSHOT_EVERY_ENTRIES;
        }

        @Override
        public void close() {
            IDS.stream().filter(id -> Boolean.TRUE.equals(running.get(id))).forEach(this::stop);
        }

        /** Asks the other logs of this process. */
        private final class DirectPeers implements Peers {
            @Override
            public CompletableFuture<Long> term(String serverId) {
                return ask(serverId, log -> CompletableFuture.completedFuture(log.currentTerm()));
            }

            @Override
            public CompletableFuture<Long> readIndex(String serverId) {
                return ask(serverId, ReplicatedLog::readIndex);
            }

            private CompletableFuture<Long> ask(String id, Function<ReplicatedLog, CompletableFuture<Long>> question) {
                return Boolean.TRUE.equals(running.get(id))
                        ? question.apply(Optional.ofNullable(logs.get(id)).orElseThrow())
                        : CompletableFuture.failedFuture(ProposalFailedException.rejected("stopped"));
            }
        }
    }
}
