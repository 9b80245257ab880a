package io.surestate.testkit.log;

import io.surestate.server.log.ReplicatedLog;
import java.util.List;

/** Three members of a log under test, each with a recording state. */
interface LogGroup extends AutoCloseable {
    List<String> IDS = List.of("s1", "s2", "s3");

    ReplicatedLog log(String id);

    RecordingConsumer state(String id);

    /** Ends a member; its disk stays. */
    void stop(String id);

    void start(String id);

    /** A snapshot is taken after about that many entries. */
    int snapshotEveryEntries();

    @Override
    void close();
}
