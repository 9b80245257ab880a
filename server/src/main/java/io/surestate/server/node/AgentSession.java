package io.surestate.server.node;

import io.surestate.api.v1.DesiredState;
import io.surestate.api.v1.HeartbeatAck;
import io.surestate.api.v1.Hello;
import io.surestate.api.v1.ReportAck;
import io.surestate.api.v1.ServerMessage;
import io.surestate.api.v1.Welcome;
import java.util.List;

/** A registered agent's present stream. Leader loop only. */
final class AgentSession {
    private final AgentLink link;
    private final Hello hello;
    private final long epoch;
    private long desiredSent;
    /** Set from the proposal of a suspicion until a committed clearance: the lease must not be renewed meanwhile. */
    private boolean leaseWithheld;

    private boolean clearing;

    AgentSession(AgentLink link, Hello hello, long epoch) {
        this.link = link;
        this.hello = hello;
        this.epoch = epoch;
    }

    String node() {
        return hello.getNodeName();
    }

    String incarnation() {
        return hello.getIncarnation();
    }

    AgentLink link() {
        return link;
    }

    long epoch() {
        return epoch;
    }

    boolean leaseWithheld() {
        return leaseWithheld;
    }

    void withholdLease() {
        leaseWithheld = true;
    }

    void allowLease() {
        leaseWithheld = false;
        clearing = false;
    }

    /** Whether a clearance may be proposed now; only one is on its way at a time. */
    boolean beginClearing() {
        boolean first = !clearing;
        clearing = true;
        return first;
    }

    void clearingFailed() {
        clearing = false;
    }

    void welcome(long heartbeatMillis, String leaderId) {
        link.send(ServerMessage.newBuilder()
                .setWelcome(Welcome.newBuilder()
                        .setEpoch(epoch)
                        .setHeartbeatMillis(heartbeatMillis)
                        .setLeaderId(leaderId))
                .build());
    }

    /** Tells the agent everything that the ledger has on its node. */
    void desire(DesiredState desired) {
        desiredSent++;
        link.send(ServerMessage.newBuilder()
                .setDesired(desired.toBuilder().setRevision(desiredSent))
                .build());
    }

    void acknowledgeHeartbeat(long sequence, long leaseMillis) {
        link.send(ServerMessage.newBuilder()
                .setHeartbeatAck(HeartbeatAck.newBuilder().setSequence(sequence).setLeaseMillis(leaseMillis))
                .build());
    }

    /** @param stale allocations of the report that the ledger does not have, or has in another epoch */
    void acknowledgeReport(long sequence, List<String> stale) {
        link.send(ServerMessage.newBuilder()
                .setReportAck(ReportAck.newBuilder().setSequence(sequence).addAllStaleAllocations(stale))
                .build());
    }
}
