package io.surestate.testkit.log;

import io.surestate.log.v1.LogEntry;
import io.surestate.server.log.Leadership;
import io.surestate.server.log.LogConsumer;
import io.surestate.server.log.ProposalFailedException;
import io.surestate.server.log.ReplicatedLog;
import io.surestate.statemachine.AppliedEntry;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** One life of one member of a {@link LogOracle}. Thread-safe. */
public final class OracleLog implements ReplicatedLog {
    private final LogOracle oracle;
    private final Member member;
    private final LogConsumer consumer;
    private int life = -1;

    OracleLog(LogOracle oracle, Member member, LogConsumer consumer) {
        this.oracle = oracle;
        this.member = member;
        this.consumer = consumer;
    }

    /** Opens the state from the newest snapshot and takes part. */
    public void start() {
        oracle.locked(() -> {
            member.start(consumer);
            life = member.life();
        });
    }

    @Override
    public CompletableFuture<AppliedEntry> propose(LogEntry entry) {
        return whileAlive(() -> member.propose(entry));
    }

    @Override
    public CompletableFuture<Long> readIndex() {
        return whileAlive(member::readIndex);
    }

    private <T> CompletableFuture<T> whileAlive(Supplier<CompletableFuture<T>> call) {
        return oracle.locked(() -> alive()
                ? call.get()
                : CompletableFuture.failedFuture(ProposalFailedException.rejected("the log is not open")));
    }

    private boolean alive() {
        return member.life() == life && member.running();
    }

    @Override
    public Leadership leadership() {
        return oracle.locked(() -> alive() ? member.leadership() : Leadership.UNKNOWN);
    }

    @Override
    public long currentTerm() {
        return oracle.locked(member::term);
    }

    @Override
    public List<PeerState> peers() {
        return oracle.locked(() -> Stream.concat(oracle.others(member.id()).stream(), Stream.of(member.id()))
                .sorted()
                .map(id -> new PeerState(id, oracle.member(id).running()))
                .toList());
    }

    /** A member that stops in good order fails what it has pending, as a crash does not. */
    @Override
    public void close() {
        oracle.locked(() -> {
            if (alive()) {
                oracle.stepDown(member.id());
                member.crash();
            }
        });
    }
}
