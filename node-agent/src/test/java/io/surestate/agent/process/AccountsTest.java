package io.surestate.agent.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.surestate.agent.driver.KnownTask;
import io.surestate.agent.driver.Tasks;
import io.surestate.api.v1.DesiredTask;
import io.surestate.api.v1.NodeSpec;
import io.surestate.api.v1.TaskReport;
import io.surestate.api.v1.TaskState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccountsTest {
    private final String nodeId = UUID.randomUUID().toString();

    @TempDir
    Path root;

    private ProcessDriver driver;

    @BeforeEach
    void open() {
        driver = new ProcessDriver(
                RealProcesses.settings(
                        root,
                        nodeId,
                        "one",
                        new Accounts("", List.of("nobody", "no-such-account")),
                        Isolation.none(NodeSpec::getDefaultInstance)),
                new ProcessScans(new ProcessTable(Path.of("/proc")), System::nanoTime),
                new ProcessDriver.Workers(Runnable::run, Runnable::run, Runnable::run));
    }

    @AfterEach
    void close() {
        driver.close();
    }

    private TaskReport ended(DesiredTask task, String user) {
        DesiredTask.Builder asked = task.toBuilder();
        asked.getGroupBuilder().setUser(user);
        driver.start(asked.build());
        RealProcesses.await("ended", () -> {
            driver.poll(RealProcesses.nowMillis());
            return driver.tasks().stream().allMatch(KnownTask::ended);
        });
        return driver.tasks().get(0).report();
    }

    @Test
    void aTaskRunsAsTheAccountThatItNamesInAFolderOfIts() throws IOException {
        assumeTrue(Tools.find().privileged(), "only root can run tasks as others");
        // The folder of the test is its owner's alone.
        for (Path folder = root;
                !folder.equals(Path.of("/tmp")) && folder.getNameCount() > 0;
                folder = folder.resolve("..").normalize()) {
            assumeTrue(folder.toFile().setExecutable(true, false));
        }
        TaskReport report = ended(Tasks.shell(1, "id -un; id -gn; echo $HOME; : >mine && echo wrote"), "nobody");
        assertThat(report.getReason()).isEmpty();
        assertThat(Files.readAllLines(root.resolve("tasks/a-1/out/stdout.000000000")))
                .containsExactly("nobody", "nogroup", "/nonexistent", "wrote");
    }

    @Test
    void anAccountThatIsNotAllowedIsRefusedWithThoseThatAre() {
        TaskReport report = ended(Tasks.shell(1, "true"), "root");
        assertThat(report.getState()).isEqualTo(TaskState.TASK_STATE_FAILED);
        assertThat(report.getReason())
                .isEqualTo("cannot be started: user: \"root\" (expected: one of drivers.users of this node's agent:"
                        + " nobody, no-such-account)");
    }

    @Test
    void anAccountThatTheMachineDoesNotHaveIsNamed() {
        assertThat(ended(Tasks.shell(1, "true"), "no-such-account").getReason())
                .isEqualTo("cannot be started: user: \"no-such-account\" (expected: an account of this node)");
    }
}
