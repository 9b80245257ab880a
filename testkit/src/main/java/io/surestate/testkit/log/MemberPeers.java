package io.surestate.testkit.log;

import io.surestate.server.log.Peers;
import io.surestate.server.log.ProposalFailedException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * One member's questions to the others, over the network. Each is answered, or fails, as calls with a deadline do: also where the asking
 * member's life ended meanwhile, because somebody else may wait for what it found out.
 */
final class MemberPeers implements Peers {
    private final Member asking;
    private final LogOracle oracle;

    MemberPeers(Member asking, LogOracle oracle) {
        this.asking = asking;
        this.oracle = oracle;
    }

    @Override
    public CompletableFuture<Long> term(String serverId) {
        return ask(serverId, member -> CompletableFuture.completedFuture(member.term()));
    }

    @Override
    public CompletableFuture<Long> readIndex(String serverId) {
        return ask(serverId, Member::readIndexAsLeader);
    }

    private CompletableFuture<Long> ask(String to, Function<Member, CompletableFuture<Long>> question) {
        CompletableFuture<Long> answer = new CompletableFuture<>();
        int life = asking.life();
        Member asked = oracle.member(to);
        Runnable lost = () -> fail(answer, "no answer from " + to);
        oracle.send(
                asking.id(),
                to,
                () -> {
                    if (!asked.running()) {
                        lost.run();
                        return;
                    }
                    question.apply(asked)
                            .whenComplete((value, failure) -> oracle.locked(() ->
                                    oracle.send(to, asking.id(), () -> inLife(life, answer, value, failure), lost)));
                },
                lost);
        return answer;
    }

    private void inLife(int life, CompletableFuture<Long> answer, Long value, Throwable failure) {
        if (asking.life() == life) {
            answer(answer, value, failure);
        } else {
            fail(answer, "asked in a life that is over");
        }
    }

    private static void answer(CompletableFuture<Long> answer, Long value, Throwable failure) {
        if (failure == null) {
            answer.complete(value);
        } else {
            fail(answer, String.valueOf(failure.getMessage()));
        }
    }

    private static void fail(CompletableFuture<Long> answer, String reason) {
        answer.completeExceptionally(ProposalFailedException.rejected(reason));
    }
}
