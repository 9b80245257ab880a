package io.surestate.server.raft;

import io.surestate.api.Limits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/**
 * What one server needs to know to join its group.
 *
 * @param self id of this server, one of {@code peers}
 * @param clusterId names the group; servers of another id never talk to it
 * @param peers every voter, the same list on all of them
 * @param folder for the log and snapshots
 * @param electionTimeoutMin a follower that hears nothing this long may stand for election; the most is twice it
 * @param snapshotEveryEntries entries applied between snapshots, and kept behind one for followers that lag
 * @param segmentBytes size of one log file; the log is dropped by whole files
 */
public record RaftSettings(
        String self,
        String clusterId,
        List<Peer> peers,
        Path folder,
        Duration electionTimeoutMin,
        long snapshotEveryEntries,
        long segmentBytes) {
    private static final String APPENDER_RETRY = "1ms,10,100ms,20,500ms,1000000";
    /** Room for the frame that Ratis puts around an entry. */
    private static final int FRAME_BYTES = 64 << 10;

    private static final long PREALLOCATED_BYTES = 4 << 20;
    private static final long ENTRIES_KEPT_FOR_FOLLOWERS = 20_000;

    /** A voter: {@code address} is host:port of its peer port. */
    public record Peer(String id, String address) {}

    public RaftSettings {
        peers = List.copyOf(peers);
    }

    Peer selfPeer() {
        return peers.stream().filter(peer -> peer.id().equals(self)).findFirst().orElseThrow();
    }

    RaftProperties toProperties() {
        RaftProperties p = new RaftProperties();
        RaftServerConfigKeys.setStorageDir(p, List.of(folder.resolve("log").toFile()));
        RaftServerConfigKeys.setRemovedGroupsDir(p, folder.resolve("removed").toFile());
        timeouts(p);
        logAndSnapshots(p);
        String address = selfPeer().address();
        int colon = address.lastIndexOf(':');
        GrpcConfigKeys.Server.setHost(p, address.substring(0, colon));
        GrpcConfigKeys.Server.setPort(p, Integer.parseInt(address.substring(colon + 1)));
        return p;
    }

    private void timeouts(RaftProperties p) {
        RaftServerConfigKeys.Rpc.setTimeoutMin(p, millis(electionTimeoutMin.toMillis()));
        RaftServerConfigKeys.Rpc.setTimeoutMax(p, millis(2 * electionTimeoutMin.toMillis()));
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(p, millis(150));
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(p, millis(300));
        RaftServerConfigKeys.LeaderElection.setLeaderStepDownWaitTime(p, millis(4 * electionTimeoutMin.toMillis()));
    }

    private void logAndSnapshots(RaftProperties p) {
        SizeInBytes message = SizeInBytes.valueOf(Limits.MESSAGE_BYTES_MAX);
        RaftServerConfigKeys.Log.setLogMetadataEnabled(p, false);
        RaftServerConfigKeys.Log.setSegmentSizeMax(p, SizeInBytes.valueOf(segmentBytes));
        RaftServerConfigKeys.Log.setPreallocatedSize(
                p, SizeInBytes.valueOf(Math.min(segmentBytes, PREALLOCATED_BYTES)));
        RaftServerConfigKeys.Log.setPurgeGap(p, (int) Math.min(1024, snapshotEveryEntries));
        RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(p, true);
        RaftServerConfigKeys.Log.setPurgePreservationLogNum(
                p, Math.min(ENTRIES_KEPT_FOR_FOLLOWERS, snapshotEveryEntries));
        RaftServerConfigKeys.Log.setWriteBufferSize(p, SizeInBytes.valueOf(Limits.MESSAGE_BYTES_MAX + FRAME_BYTES));
        RaftServerConfigKeys.Log.Appender.setBufferByteLimit(p, message);
        p.set(RaftServerConfigKeys.Log.Appender.RETRY_POLICY_KEY, APPENDER_RETRY);
        RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(p, true);
        RaftServerConfigKeys.Snapshot.setAutoTriggerThreshold(p, snapshotEveryEntries);
        RaftServerConfigKeys.Snapshot.setCreationGap(p, Math.min(1024, snapshotEveryEntries));
        RaftServerConfigKeys.Snapshot.setRetentionFileNum(p, 2);
        GrpcConfigKeys.setMessageSizeMax(p, SizeInBytes.valueOf(2L * Limits.MESSAGE_BYTES_MAX));
        GrpcConfigKeys.Server.setInstallSnapshotRequestElementLimit(p, 1024);
    }

    private static TimeDuration millis(long millis) {
        return TimeDuration.valueOf(millis, java.util.concurrent.TimeUnit.MILLISECONDS);
    }
}
