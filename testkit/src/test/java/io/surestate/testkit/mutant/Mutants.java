package io.surestate.testkit.mutant;

import java.util.List;

/** The defects. A text that production code no longer has fails its test: say the same defect in the new words. */
final class Mutants {
    private static final String CORE = "io.surestate.statemachine.";
    private static final String SERVER = "io.surestate.server.";
    private static final String AGENT = "io.surestate.agent.core.";

    /** A scheduler that does not see what its own plan took already. */
    private static final Edit TAKES_NOTHING = new Edit(
            "scheduler",
            "io.surestate.scheduler.pool.ExactCores",
            "free[position(fit.coreId(i))] = next(fit, i, sign);",
            "");

    private static final Edit ENTRY_TAKES_ALL = core(
            "state.NodeEntry",
            "(nominated ? nominable() : free).covers(Amounts.of(allocation.getClaim())),",
            "nominated || true,");

    private Mutants() {}

    static List<Mutant> all() {
        return List.of(
                new Mutant(
                        "an allocation has the epoch of an earlier one",
                        1,
                        List.of(core("ledger.Placer", ".setEpoch(draft.index())", ".setEpoch(1)"))),
                new Mutant(
                        "a node keeps its epoch when it registers again",
                        1,
                        List.of(core(
                                "node.RegisterNodeHandler",
                                ".setEpoch(draft.index())",
                                ".setEpoch(before.map(NodeStatus::getEpoch).orElse(draft.index()))"))),
                new Mutant(
                        "a batch of the watch is dropped",
                        1,
                        List.of(server(
                                "watch.WatchFeed",
                                "kept.put(entry.revision(), entry);",
                                "if (entry.revision() % 97 != 0) { kept.put(entry.revision(), entry); }"))),
                new Mutant(
                        "a command of a leader that was replaced takes effect",
                        14,
                        List.of(core("Core", "if (term != 0 && term != context.term()) {", "if (term < 0) {"))),
                new Mutant(
                        "the outcome of a request is forgotten",
                        1,
                        List.of(core("Core", "outcome = requests.keep(draft, envelope, outcome);", ""))),
                new Mutant("a lease counts from when its answer came", 1, leaseFromReceiveTime()),
                new Mutant("conservation is not checked and a scheduler gives twice", 1, conservationSkipped()),
                new Mutant("the places of one plan together exceed a core", 1, planExceedsCore()),
                new Mutant(
                        "what is evicted is free at once",
                        2,
                        List.of(core("ledger.Evictor", "gang.preempt(draft, allocation.getTask(), reason);", """
                                gang.preempt(draft, allocation.getTask(), reason);
                                draft.state()
                                        .node(allocation.getNode())
                                        .flatMap(node -> node.allocation(allocation.getId()))
                                        .ifPresent(place -> draft.release(place, reason));"""))),
                new Mutant(
                        "a named place that is evicted is free at once",
                        2,
                        List.of(core(
                                "ledger.Evictor",
                                "draft.move(allocation, AllocationState.ALLOCATION_STATE_RELEASING, \"evicted: \" + reason);",
                                "draft.release(allocation, \"evicted: \" + reason);"))),
                new Mutant(
                        "nominations wait for one more change",
                        3,
                        List.of(core(
                                "ledger.Settlement",
                                "Nominations.settle(draft, freed);",
                                "Nominations.settle(draft, changed);"))),
                new Mutant(
                        "commands about an earlier epoch of a node are taken",
                        2,
                        List.of(core("node.NodeCheck", "return epoch == present", "return epoch >= 0"))),
                new Mutant(
                        "the lease of a suspected node is renewed",
                        3,
                        List.of(server(
                                "node.AgentHub",
                                "boolean withheld = session.leaseWithheld() || state == NodeState.NODE_STATE_SUSPECTED;",
                                "boolean withheld = false;"))),
                new Mutant(
                        "a node is given up before its lease ends",
                        1,
                        List.of(core("node.Leases", "                + meta.getSettings().getLeaseMillis()\n", ""))),
                new Mutant(
                        "an agent starts tasks without a lease",
                        1,
                        List.of(agent(
                                "AgentCore",
                                "if (!lease.valid(nowMillis)) {\n            return false;",
                                "if (nowMillis < 0) {\n            return false;"))),
                new Mutant(
                        "a leader begins before it has applied what was committed",
                        29,
                        List.of(server(
                                "leader.LeaderDuties",
                                "if (next.ready()) {\n            awaitBarrier(next);",
                                "if (next.leading()) {\n            begin(next.term());"))),
                new Mutant(
                        "a watch gives tokens before the cluster has an identity",
                        34,
                        List.of(server(
                                "watch.WatchOpening",
                                "if (!view.state().initialised()) {",
                                "if (view.revision() < 0) {"))),
                new Mutant(
                        "new work is placed on cordoned nodes",
                        2,
                        List.of(
                                core("state.NodeEntry", "return ready() && !cordoned();", "return ready();"),
                                core(
                                        "ledger.NodeUse",
                                        "if (node.ready() && node.cordoned()) {",
                                        "if (node.ready() && node.schedulable() && !node.ready()) {"))),
                new Mutant(
                        "a gang that moves is promised places that are taken",
                        20,
                        List.of(
                                ENTRY_TAKES_ALL,
                                core(
                                        "ledger.Placer",
                                        "nominated ? node.nominable() : node.free()",
                                        "nominated ? node.capacity() : node.free()"))),
                new Mutant(
                        "a hold never ends by itself",
                        2,
                        List.of(core(
                                "ledger.Holds",
                                "expire(draft, hold);\n            } else {",
                                ";\n            } else {"))),
                new Mutant(
                        "a sealed request takes effect",
                        5,
                        List.of(core(
                                "request.RequestGate", "if (known.getSealed()) {", "if (known.getRevision() < 0) {"))));
    }

    private static List<Edit> leaseFromReceiveTime() {
        return List.of(
                agent("AgentCore", "case HEARTBEAT_ACK -> renew(message.getHeartbeatAck());", """
                        case HEARTBEAT_ACK -> lease.acknowledged(
                                message.getHeartbeatAck().getSequence(),
                                message.getHeartbeatAck().getLeaseMillis(),
                                nowMillis);"""),
                agent("Lease", "    void acknowledged(long sequence, long leaseMillis) {", """
                        void acknowledged(long sequence, long leaseMillis, long nowMillis) {
                            sentMillis.computeIfPresent(sequence, (any, sent) -> nowMillis);
                            acknowledged(sequence, leaseMillis);
                        }

                        void acknowledged(long sequence, long leaseMillis) {"""));
    }

    private static List<Edit> conservationSkipped() {
        return List.of(
                TAKES_NOTHING,
                ENTRY_TAKES_ALL,
                core("ledger.FitCheck", "if (there.cores().milli(id) < core.getMilli()) {", "if (id < 0) {"),
                core(
                        "state.Conservation",
                        "Invariants.check(problems.isEmpty(), \"conservation on node",
                        "Invariants.check(true, \"conservation on node"));
    }

    private static List<Edit> planExceedsCore() {
        return List.of(
                TAKES_NOTHING,
                ENTRY_TAKES_ALL,
                core(
                        "ledger.FitCheck",
                        "if (there.cores().milli(id) < core.getMilli()) {",
                        "if (there.cores().milli(id) + ofThisPlan(node, id) < core.getMilli()) {"),
                core(
                        "ledger.FitCheck",
                        "    private boolean devices(Claim claim, NodeEntry node, Amounts there) {",
                        """
                        private int ofThisPlan(NodeEntry node, int id) {
                            return node.allocations().stream()
                                    .filter(allocation -> allocation.getId().compareTo(firstOwnId) >= 0)
                                    .flatMap(allocation -> allocation.getClaim().getCoresList().stream())
                                    .filter(share -> share.getCoreId() == id)
                                    .mapToInt(CoreShare::getMilli)
                                    .sum();
                        }

                        private boolean devices(Claim claim, NodeEntry node, Amounts there) {"""));
    }

    private static Edit core(String type, String find, String replacement) {
        return new Edit("statemachine", CORE + type, find, replacement);
    }

    private static Edit server(String type, String find, String replacement) {
        return new Edit("server", SERVER + type, find, replacement);
    }

    private static Edit agent(String type, String find, String replacement) {
        return new Edit("node-agent", AGENT + type, find, replacement);
    }
}
