package io.surestate.server.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.surestate.api.Limits;
import io.surestate.api.v1.ErrorCode;
import io.surestate.log.v1.Envelope;
import io.surestate.log.v1.LoseNode;
import io.surestate.log.v1.Outcome;
import io.surestate.log.v1.ReportTasks;
import io.surestate.log.v1.SubmitJob;
import io.surestate.server.api.Refused;
import io.surestate.server.log.ProposalFailedException;
import io.surestate.server.log.ReplicatedLog;
import io.surestate.statemachine.AppliedEntry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GroupCommitTest {
    private final HeldLog log = new HeldLog();
    private boolean initialised = true;
    private final GroupCommit commit = new GroupCommit(log, new ClusterClock(() -> 0), 1, () -> initialised);

    private static Envelope submit() {
        return Envelope.newBuilder()
                .setSubmitJob(SubmitJob.getDefaultInstance())
                .build();
    }

    private static Envelope report() {
        return Envelope.newBuilder()
                .setReportTasks(ReportTasks.getDefaultInstance())
                .build();
    }

    private static ErrorCode code(CompletableFuture<CommandOutcome> answer) {
        return refusal(answer).detail().getCode();
    }

    private static Refused refusal(CompletableFuture<CommandOutcome> answer) {
        assertThat(answer).isCompletedExceptionally();
        try {
            answer.join();
            throw new AssertionError("not refused");
        } catch (CompletionException failed) {
            return (Refused) Optional.ofNullable(failed.getCause()).orElseThrow();
        }
    }

    @Test
    void commandsThatArriveWhileEntriesAreOnTheirWayShareTheNextEntry() {
        List<CompletableFuture<CommandOutcome>> answers =
                IntStream.range(0, 100).mapToObj(i -> commit.submit(submit())).toList();
        int alone = log.proposed.size();
        assertThat(log.proposed)
                .allSatisfy(p -> assertThat(p.entry.getCommandsCount()).isEqualTo(1));
        log.proposed.get(0).succeed();
        assertThat(log.proposed.get(alone).entry.getCommandsCount()).isEqualTo(100 - alone);
        log.succeedAll();
        assertThat(answers).allSatisfy(answer -> assertThat(answer).isCompleted());
        assertThat(commit.pending()).isZero();
    }

    @Test
    void eachCommandGetsItsOwnOutcomeInOrder() {
        IntStream.range(0, 10).forEach(i -> commit.submit(submit()));
        CompletableFuture<CommandOutcome> last = commit.submit(submit());
        log.succeedAll();
        assertThat(last.join().outcome().getRejected().getMessage())
                .isEqualTo("outcome " + last.join().revision());
    }

    @Test
    void anEntryTakesNoMoreThanItsBounds() {
        IntStream.range(0, 2_000).forEach(i -> commit.submit(submit()));
        log.succeedAll();
        assertThat(log.proposed)
                .allSatisfy(p -> assertThat(p.entry.getCommandsCount()).isLessThanOrEqualTo(Limits.ENTRY_COMMANDS_MAX));
        Envelope mega = submit().toBuilder()
                .setFingerprint(ByteString.copyFrom(new byte[1 << 20]))
                .build();
        IntStream.range(0, 20).forEach(i -> commit.submit(mega));
        log.succeedAll();
        assertThat(log.proposed)
                .allSatisfy(
                        p -> assertThat(p.entry.getSerializedSize()).isLessThan(Limits.ENTRY_BYTES_MAX + (1 << 20)));
    }

    @Test
    void aFullQueueShedsRequestsButNeverReportsOrNodeTransitions() {
        IntStream.range(0, Limits.PENDING_COMMANDS_MAX).forEach(i -> commit.submit(submit()));
        CompletableFuture<CommandOutcome> shed = commit.submit(submit());
        assertThat(code(shed)).isEqualTo(ErrorCode.ERROR_CODE_RESOURCE_EXHAUSTED);
        assertThat(refusal(shed).detail().getRetryAfterMillis()).isPositive();
        CompletableFuture<CommandOutcome> reported = commit.submit(report());
        CompletableFuture<CommandOutcome> lost = commit.submit(
                Envelope.newBuilder().setLoseNode(LoseNode.getDefaultInstance()).build());
        assertThat(reported).isNotDone();
        assertThat(lost).isNotDone();
        log.succeedAll();
        assertThat(reported).isCompleted();
        assertThat(lost).isCompleted();
        assertThat(commit.pending()).isZero();
    }

    @Test
    void bytesAreBoundedLikeCommands() {
        Envelope large = submit().toBuilder()
                .setFingerprint(ByteString.copyFrom(new byte[7 << 20]))
                .build();
        int taken = 0;
        while (!commit.submit(large).isCompletedExceptionally()) {
            taken++;
        }
        assertThat((long) taken * large.getSerializedSize()).isLessThanOrEqualTo(Limits.PENDING_BYTES_MAX);
    }

    @Test
    void aCommandTooLargeIsRefusedBeforeAnythingIsProposed() {
        Envelope tooLarge = submit().toBuilder()
                .setFingerprint(ByteString.copyFrom(new byte[Limits.COMMAND_BYTES_MAX]))
                .build();
        assertThat(code(commit.submit(tooLarge))).isEqualTo(ErrorCode.ERROR_CODE_TOO_LARGE);
        assertThat(log.proposed).isEmpty();
    }

    @Test
    void nothingButTheFirstCommandIsTakenBeforeTheClusterIsSetUp() {
        initialised = false;
        assertThat(code(commit.submit(submit()))).isEqualTo(ErrorCode.ERROR_CODE_UNAVAILABLE);
        assertThat(log.proposed).isEmpty();
    }

    @Test
    void aLostProposalIsAnsweredAsUnknownAndARefusedOneIsNot() {
        CompletableFuture<CommandOutcome> unknown = commit.submit(submit());
        log.proposed.get(0).answer.completeExceptionally(ProposalFailedException.unknown("leader changed"));
        assertThat(refusal(unknown).detail().getOutcomeUnknown()).isTrue();
        CompletableFuture<CommandOutcome> refused = commit.submit(submit());
        log.proposed.get(1).answer.completeExceptionally(ProposalFailedException.notLeader(Optional.of("s2")));
        assertThat(refusal(refused).detail().getOutcomeUnknown()).isFalse();
        assertThat(refusal(refused).detail().getRetryable()).isTrue();
        assertThat(commit.pending()).isZero();
    }

    @Test
    void anEntryWhoseEffectCameWithASnapshotIsAnsweredAsUnknown() {
        CompletableFuture<CommandOutcome> answer = commit.submit(submit());
        log.proposed.get(0).answer.complete(new AppliedEntry(1, 0, List.of(), List.of()));
        assertThat(refusal(answer).detail().getOutcomeUnknown()).isTrue();
        assertThat(commit.pending()).isZero();
    }

    private static final class HeldLog implements ReplicatedLog {
        private final List<Proposed> proposed = new ArrayList<>();

        private record Proposed(
                int number, io.surestate.log.v1.LogEntry entry, CompletableFuture<AppliedEntry> answer) {
            void succeed() {
                Outcome outcome = Outcome.newBuilder()
                        .setRejected(io.surestate.log.v1.Rejected.newBuilder().setMessage("outcome " + number))
                        .build();
                answer.complete(
                        new AppliedEntry(number, 0, Collections.nCopies(entry.getCommandsCount(), outcome), List.of()));
            }
        }

        void succeedAll() {
            for (int i = 0; i < proposed.size(); i++) {
                proposed.get(i).succeed();
            }
        }

        @Override
        public CompletableFuture<AppliedEntry> propose(io.surestate.log.v1.LogEntry entry) {
            Proposed mine = new Proposed(proposed.size() + 1, entry, new CompletableFuture<>());
            proposed.add(mine);
            return mine.answer;
        }

        @Override
        public CompletableFuture<Long> readIndex() {
            return CompletableFuture.completedFuture(0L);
        }

        @Override
        public io.surestate.server.log.Leadership leadership() {
            return io.surestate.server.log.Leadership.leader(1, "s1", true);
        }

        @Override
        public long currentTerm() {
            return 1;
        }

        @Override
        public List<PeerState> peers() {
            return List.of();
        }

        @Override
        public void close() {
            proposed.clear();
        }
    }

    @Test
    void aDefectOfTheLogIsUnknownToo() {
        CompletableFuture<CommandOutcome> answer = commit.submit(submit());
        log.proposed.get(0).answer.completeExceptionally(new IllegalStateException("superseded"));
        assertThat(refusal(answer).detail().getOutcomeUnknown()).isTrue();
        assertThatThrownBy(answer::join).hasCauseInstanceOf(Refused.class);
    }
}
