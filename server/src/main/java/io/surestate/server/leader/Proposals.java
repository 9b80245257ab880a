package io.surestate.server.leader;

import io.surestate.log.v1.Envelope;
import io.surestate.server.commit.CommandOutcome;
import io.surestate.server.commit.GroupCommit;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * How duties propose: every command carries the term that the duty began in, and the outcome comes back on the leader loop, and only
 * while that term lasts. Leader loop only.
 */
public final class Proposals {
    private static final String PRINCIPAL = "leader";

    private final GroupCommit commit;
    private final Executor loop;
    private long term = -1;

    public Proposals(GroupCommit commit, Executor loop) {
        this.commit = commit;
        this.loop = loop;
    }

    void begin(long newTerm) {
        term = newTerm;
    }

    void end() {
        term = -1;
    }

    /** The term in which duties run; -1 = none. */
    public long term() {
        return term;
    }

    /** Proposes a command; exactly one argument of the answer is null. An answer of an earlier term is dropped. */
    public void propose(Envelope.Builder command, BiConsumer<@Nullable CommandOutcome, @Nullable Throwable> answer) {
        long proposedIn = term;
        commit.submit(command.setRequiredTerm(proposedIn)
                        .setPrincipal(PRINCIPAL)
                        .build())
                .whenCompleteAsync(
                        (outcome, failure) -> {
                            if (proposedIn == term) {
                                answer.accept(outcome, failure);
                            }
                        },
                        loop);
    }

    /** Runs on the leader loop. */
    void onLoop(Runnable work) {
        loop.execute(work);
    }

    /** Remembers the term; the first duty of the list. */
    public LeaderDuty duty() {
        return new LeaderDuty() {
            @Override
            public void begin(long newTerm) {
                Proposals.this.begin(newTerm);
            }

            @Override
            public void poll() {
                // Nothing to do as time passes.
            }

            @Override
            public void end() {
                Proposals.this.end();
            }
        };
    }
}
