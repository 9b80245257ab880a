package io.surestate.cli.simulate;

import io.surestate.cli.CliContext;
import java.util.Optional;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** How far a simulation is, on standard error, while that is a terminal. Gone when it is closed. */
final class ProgressLine implements AutoCloseable {
    private static final int WIDTH = 79;
    private static final int UPDATE_MILLIS = 200;

    private final Optional<ProgressBar> bar;

    private ProgressLine(Optional<ProgressBar> bar) {
        this.bar = bar;
    }

    /**
     * Begins at nothing done.
     *
     * @param all that is to be done
     * @param unit what is counted
     */
    static ProgressLine on(CliContext context, long all, String unit) {
        if (!context.errorIsTerminal().getAsBoolean()) {
            return new ProgressLine(Optional.empty());
        }
        ProgressBar bar = new ProgressBarBuilder()
                .setTaskName("Simulating")
                .setInitialMax(all)
                .setUnit(" " + unit, 1)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(UPDATE_MILLIS)
                .setConsumer(new ConsoleProgressBarConsumer(context.err(), WIDTH) {
                    @Override
                    public void close() {
                        // Would begin a new line; the one with the bar is wiped instead.
                        context.err().print('\r' + " ".repeat(WIDTH) + '\r');
                    }
                })
                .build();
        return new ProgressLine(Optional.of(bar));
    }

    /** So much more is done. Any thread. */
    void step(long more) {
        bar.ifPresent(shown -> shown.stepBy(more));
    }

    @Override
    public void close() {
        bar.ifPresent(ProgressBar::close);
    }
}
