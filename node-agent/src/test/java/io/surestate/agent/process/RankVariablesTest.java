package io.surestate.agent.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surestate.agent.driver.Tasks;
import io.surestate.api.v1.CoreShare;
import io.surestate.api.v1.DesiredTask;
import io.surestate.api.v1.Gang;
import io.surestate.api.v1.GangNode;
import io.surestate.api.v1.Rank;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RankVariablesTest {
    private static final PortRange PORTS = new PortRange(20_000, 29_999);
    private static final Gang GANG = Gang.newBuilder()
            .setJobUid("7-0")
            .setAttempt(2)
            .setTasks(5)
            .addNodes(GangNode.newBuilder().setName("n1").setAddress("10.0.0.1").setSlots(2))
            .addNodes(GangNode.newBuilder().setName("n2").setSlots(2))
            .addNodes(GangNode.newBuilder().setName("n4").setSlots(1))
            .build();

    private static DesiredTask task() {
        DesiredTask.Builder task = Tasks.shell(3, "true").toBuilder()
                .setGang(GANG)
                .setRank(Rank.newBuilder().setGlobal(3).setLocal(1).setNode(1));
        task.getAllocationBuilder()
                .getClaimBuilder()
                .addCores(CoreShare.newBuilder().setMilli(1_000))
                .addCores(CoreShare.newBuilder().setMilli(500));
        return task.build();
    }

    @Test
    void aTaskKnowsItsPlaceAsTorchrunWouldSayIt() {
        assertThat(RankVariables.of(task(), PORTS))
                .containsEntry("RANK", "3")
                .containsEntry("WORLD_SIZE", "5")
                .containsEntry("LOCAL_RANK", "1")
                .containsEntry("LOCAL_WORLD_SIZE", "2")
                .containsEntry("NODE_RANK", "1")
                .containsEntry("MASTER_ADDR", "10.0.0.1");
    }

    @Test
    void aTaskKnowsItsPlaceAsSlurmWouldSayIt() {
        assertThat(RankVariables.of(task(), PORTS))
                .containsEntry("SLURM_JOB_ID", "1792")
                .containsEntry("SLURM_PROCID", "3")
                .containsEntry("SLURM_NTASKS", "5")
                .containsEntry("SLURM_JOB_NODELIST", "n[1-2,4]")
                .containsEntry("SLURM_TASKS_PER_NODE", "2(x2),1")
                .containsEntry("SLURMD_NODENAME", "n2")
                .containsEntry("SLURM_CPUS_PER_TASK", "2");
    }

    @Test
    void allMembersOfAnAttemptAreToldTheSamePortAndTheNextAttemptLikelyAnother() {
        DesiredTask other = task().toBuilder()
                .setRank(Rank.newBuilder().setNode(2).setGlobal(4))
                .build();
        String port = port(task());
        assertThat(port(other)).isEqualTo(port);
        assertThat(Integer.parseInt(port)).isBetween(20_000, 29_999);
        DesiredTask.Builder next = task().toBuilder();
        next.getGangBuilder().setAttempt(3);
        assertThat(port(next.build())).isNotEqualTo(port);
    }

    private static String port(DesiredTask task) {
        return Map.copyOf(RankVariables.of(task, PORTS)).getOrDefault("MASTER_PORT", "");
    }

    @Test
    void aTaskWithoutARankIsToldNothing() {
        assertThat(RankVariables.of(Tasks.shell(1, "true"), PORTS)).isEmpty();
    }

    @Test
    void whatIsNoRangeOfPortsIsRefusedByItsName() {
        assertThat(PortRange.parse("masterPorts", "1-65535")).isEqualTo(new PortRange(1, 65_535));
        for (String bad : new String[] {"", "7", "0-5", "9-8", "1-70000", "a-b"}) {
            assertThatThrownBy(() -> PortRange.parse("masterPorts", bad)).hasMessageContaining("masterPorts: ");
        }
    }
}
