package io.surestate.cli.simulate;

import io.surestate.cli.CliContext;
import io.surestate.sim.batch.Progress;
import java.util.Optional;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** How far a simulation is, on standard error, while that is a terminal. Gone when it is closed. */
final class ProgressLine implements Progress, AutoCloseable {
    private static final int WIDTH = 79;
    private static final int UPDATE_MILLIS = 200;

    private final Optional<ProgressBar> bar;

    private ProgressLine(Optional<ProgressBar> bar) {
        this.bar = bar;
    }

    /** @param all that is to be done */
    static ProgressLine on(CliContext context, long all) {
        if (!context.errorIsTerminal().getAsBoolean()) {
            return new ProgressLine(Optional.empty());
        }
        ProgressBar bar = new ProgressBarBuilder()
                .setTaskName("Simulating")
                .setInitialMax(all)
                .setUnit(" jobs", 1)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(UPDATE_MILLIS)
                .clearDisplayOnFinish()
                .setConsumer(new ConsoleProgressBarConsumer(context.err(), WIDTH))
                .build();
        return new ProgressLine(Optional.of(bar));
    }

    @Override
    public void ended(long more) {
        bar.ifPresent(shown -> shown.stepBy(more));
    }

    @Override
    public void close() {
        bar.ifPresent(ProgressBar::close);
    }
}
