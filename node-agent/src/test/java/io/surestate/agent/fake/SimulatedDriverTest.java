package io.surestate.agent.fake;

import static org.assertj.core.api.Assertions.fail;

import io.surestate.agent.driver.TaskDriver;
import io.surestate.agent.driver.TaskDriverContract;
import io.surestate.agent.driver.Tasks;
import io.surestate.api.v1.DesiredTask;
import java.util.List;
import java.util.function.Predicate;

class SimulatedDriverTest extends TaskDriverContract {
    private static final TaskScript SCRIPT = task -> {
        List<String> command = task.getGroup().getCommandList();
        return new TaskScript.Run(
                Long.parseLong(command.get(0)), Integer.parseInt(command.get(1)), Long.parseLong(command.get(2)));
    };

    private final SimulatedDriver driver = new SimulatedDriver(SCRIPT);
    private long nowMillis = 1_000;

    @Override
    protected TaskDriver driver() {
        return driver;
    }

    @Override
    protected DesiredTask ending(int number, int exitCode) {
        return Tasks.command(number, List.of("1000", Integer.toString(exitCode), "0"));
    }

    @Override
    protected DesiredTask endless(int number) {
        return Tasks.command(number, List.of("1000000000", "0", "0"));
    }

    @Override
    protected DesiredTask stubborn(int number) {
        return Tasks.command(number, List.of("1000000000", "0", "1000000000"));
    }

    @Override
    protected void await(Predicate<TaskDriver> condition) {
        for (int i = 0; i < 1_000; i++) {
            driver.poll(nowMillis);
            if (condition.test(driver)) {
                return;
            }
            nowMillis += 100;
        }
        fail("never came true");
    }
}
