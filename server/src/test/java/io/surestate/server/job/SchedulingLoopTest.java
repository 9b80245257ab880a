package io.surestate.server.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobPhase;
import io.surestate.log.v1.Envelope;
import io.surestate.log.v1.SubmitJob;
import io.surestate.server.fixture.LoneServer;
import io.surestate.server.fixture.NoAgent;
import org.junit.jupiter.api.Test;

class SchedulingLoopTest {
    private final LoneServer server = LoneServer.leading();

    private JobPhase phase(String name) {
        return server.state()
                .liveJob("default", name)
                .orElseThrow()
                .job()
                .getStatus()
                .getPhase();
    }

    @Test
    void tenThousandImpossibleJobsDoNotHideAPossibleOne() {
        server.core().agents().hello(new NoAgent(), LoneServer.hello("n1", "i", 4));
        server.settle();
        server.log().hold();
        for (int i = 0; i < 10_000; i++) {
            var unused = server.core()
                    .commit()
                    .submit(Envelope.newBuilder()
                            .setSubmitJob(SubmitJob.newBuilder()
                                    .setJob(JobAdmission.admit(
                                            LoneServer.job("impossible-" + i, 1, 64_000), "default", "anonymous")))
                            .build());
        }
        server.log().release();
        server.submit(LoneServer.job("possible", 2, 1_000));
        // The agent says nothing, so this must be over before it is suspected.
        server.advance(2_500);
        assertThat(phase("possible")).isEqualTo(JobPhase.JOB_PHASE_RUNNING);
        String first = server.state()
                .liveJob("default", "impossible-0")
                .orElseThrow()
                .job()
                .getUid();
        assertThat(server.core().scheduling().reason(first))
                .hasValueSatisfying(why -> assertThat(why).isNotBlank());
    }

    @Test
    void aGangThatDoesNotFitWholeTakesNothing() {
        server.core().agents().hello(new NoAgent(), LoneServer.hello("n1", "i", 4));
        server.settle();
        server.submit(LoneServer.job("gang", 5, 1_000));
        server.advance(500);
        assertThat(phase("gang")).isEqualTo(JobPhase.JOB_PHASE_PENDING);
        assertThat(server.state().counts().allocations()).isZero();
        server.core().agents().hello(new NoAgent(), LoneServer.hello("n2", "i", 4));
        server.advance(500);
        assertThat(phase("gang")).isEqualTo(JobPhase.JOB_PHASE_RUNNING);
    }

    private static Job elastic(String name, int fewest, int count) {
        Job.Builder job = LoneServer.job(name, count, 1_000).toBuilder();
        job.getSpecBuilder().getGroupsBuilder(0).setMinCount(fewest);
        return job.build();
    }

    private long placed(String name) {
        return server.state().liveJob("default", name).orElseThrow().tasks().stream()
                .filter(task -> !task.getNode().isEmpty())
                .count();
    }

    @Test
    void anElasticGangStartsSmallAndGrowsWhenThereIsRoomAndNobodyElseWaits() {
        server.core().agents().hello(new NoAgent(), LoneServer.hello("n1", "i", 4));
        server.settle();
        server.submit(elastic("elastic", 2, 8));
        server.advance(500);
        assertThat(placed("elastic")).isEqualTo(4);
        String uid =
                server.state().liveJob("default", "elastic").orElseThrow().job().getUid();
        assertThat(server.core().scheduling().reason(uid))
                .hasValueSatisfying(why -> assertThat(why).startsWith("more tasks: "));
        server.submit(LoneServer.job("waits", 3, 1_000));
        server.core().agents().hello(new NoAgent(), LoneServer.hello("n2", "i", 4));
        server.advance(500);
        assertThat(phase("waits")).isEqualTo(JobPhase.JOB_PHASE_RUNNING);
        assertThat(placed("elastic")).isEqualTo(5);
        server.core().agents().hello(new NoAgent(), LoneServer.hello("n3", "i", 4));
        server.advance(500);
        assertThat(placed("elastic")).isEqualTo(8);
        assertThat(server.core().scheduling().reason(uid)).isEmpty();
    }

    @Test
    void roomIsKeptForAJobThatWaitsLongAndNothingBehindItTakesIt() {
        server.core().agents().hello(new NoAgent(), LoneServer.hello("n1", "i", 4));
        server.core().agents().hello(new NoAgent(), LoneServer.hello("n2", "i", 4));
        server.settle();
        server.submit(LoneServer.job("early-1", 1, 3_000));
        server.submit(LoneServer.job("early-2", 1, 1_000));
        server.submit(LoneServer.job("large", 2, 4_000));
        server.advance(200);
        server.submit(LoneServer.job("fits-now", 1, 2_000));
        server.advance(200);
        assertThat(phase("fits-now")).isEqualTo(JobPhase.JOB_PHASE_RUNNING);
        assertThat(phase("large")).isEqualTo(JobPhase.JOB_PHASE_PENDING);

        server.advance(LoneServer.KEEP_ROOM_AFTER_MILLIS);
        server.submit(LoneServer.job("behind", 1, 1_000));
        Job.Builder urgent = LoneServer.job("urgent", 1, 1_000).toBuilder();
        urgent.getSpecBuilder().setPriority(5);
        server.submit(urgent.build());
        // The agents say nothing, so this must be over before they are suspected.
        server.advance(500);
        assertThat(phase("behind")).isEqualTo(JobPhase.JOB_PHASE_PENDING);
        assertThat(phase("urgent")).isEqualTo(JobPhase.JOB_PHASE_RUNNING);
        String behind =
                server.state().liveJob("default", "behind").orElseThrow().job().getUid();
        assertThat(server.core().scheduling().reason(behind))
                .hasValueSatisfying(
                        why -> assertThat(why).contains("2 nodes are kept for job large, which waits longer"));
    }

    @Test
    void jobsThatCanNeverRunDoNotStopGrowthForEver() {
        server.core().agents().hello(new NoAgent(), LoneServer.hello("n1", "i", 4));
        server.settle();
        for (int i = 0; i < 20; i++) {
            Job.Builder never = LoneServer.job("never-" + i, 1, 64_000).toBuilder();
            never.getSpecBuilder().setPriority(9);
            server.submit(never.build());
        }
        server.submit(elastic("elastic", 1, 6));
        server.advance(100);
        assertThat(placed("elastic")).isEqualTo(4);
        server.submit(LoneServer.job("large", 2, 4_000));
        server.advance(100);
        server.core().agents().hello(new NoAgent(), LoneServer.hello("n2", "i", 2));
        server.advance(200);
        assertThat(placed("elastic")).isEqualTo(4);
        server.advance(1_200);
        assertThat(placed("elastic")).isEqualTo(6);
    }

    @Test
    void jobsThatCanNeverRunDoNotKeepRoomFromOneThatCould() {
        server.core().agents().hello(new NoAgent(), LoneServer.hello("n1", "i", 4));
        server.settle();
        server.submit(LoneServer.job("early", 1, 1_000));
        for (int i = 0; i < 20; i++) {
            Job.Builder never = LoneServer.job("never-" + i, 1, 64_000).toBuilder();
            never.getSpecBuilder().setPriority(9);
            server.submit(never.build());
        }
        server.submit(LoneServer.job("large", 1, 4_000));
        // Looked for every half second, some jobs at a time.
        server.advance(2_600);
        server.submit(LoneServer.job("behind", 1, 1_000));
        server.advance(200);
        assertThat(phase("behind")).isEqualTo(JobPhase.JOB_PHASE_PENDING);
    }

    @Test
    void nothingIsProposedWhileNothingChanges() {
        server.submit(LoneServer.job("waits", 1, 1_000));
        server.advance(1_000);
        int proposed = server.log().proposed().size();
        server.advance(5_000);
        assertThat(server.log().proposed()).hasSize(proposed);
    }
}
