package io.surestate.testkit.log;

import io.surestate.server.log.ReplicatedLog;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

class LogOracleContractTest extends ReplicatedLogContract {
    private static final int SNAPSHOT_EVERY_ENTRIES = 20;

    @Override
    LogGroup open(Path folder) {
        return new OracleGroup(folder);
    }

    /** Elects whoever can be elected as soon as nobody leads, and snapshots before a member stops. */
    private static final class OracleGroup implements LogGroup {
        private final Path folder;
        private final LogOracle oracle = LogOracle.immediate(IDS);
        private final Map<String, RecordingConsumer> states = new HashMap<>();
        private final Map<String, OracleLog> logs = new HashMap<>();
        private int snapshots;

        OracleGroup(Path folder) {
            this.folder = folder;
            IDS.forEach(this::open);
            elect();
        }

        private void open(String id) {
            RecordingConsumer state = new RecordingConsumer();
            states.put(id, state);
            OracleLog log = oracle.open(id, state);
            logs.put(id, log);
            log.start();
        }

        private void elect() {
            if (oracle.leader().isEmpty()) {
                IDS.stream().filter(oracle::electable).findFirst().ifPresent(oracle::elect);
            }
            oracle.heartbeat();
        }

        @Override
        public ReplicatedLog log(String id) {
            return Optional.ofNullable(logs.get(id)).orElseThrow();
        }

        @Override
        public RecordingConsumer state(String id) {
            return Optional.ofNullable(states.get(id)).orElseThrow();
        }

        @Override
        public void stop(String id) {
            oracle.snapshot(id, folder.resolve("snapshot-" + ++snapshots));
            log(id).close();
            elect();
        }

        @Override
        public void start(String id) {
            open(id);
            elect();
        }

        @Override
        public int snapshotEveryEntries() {
            return SNAPSHOT_EVERY_ENTRIES;
        }

        @Override
        public void close() {
            IDS.forEach(id -> log(id).close());
        }
    }
}
