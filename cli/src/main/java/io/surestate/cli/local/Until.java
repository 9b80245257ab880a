package io.surestate.cli.local;

import io.surestate.api.v1.ErrorCategory;
import io.surestate.cli.CliContext;
import io.surestate.cli.CliException;
import io.surestate.client.SurestateException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** Looks again and again until something is there, for a bounded time. One thread. */
public final class Until {
    private static final Duration LOOK = Duration.ofMillis(100);

    private final CliContext context;
    private final Runnable check;

    /** @param check runs before each look and throws if waiting has become pointless */
    public Until(CliContext context, Runnable check) {
        this.context = context;
        this.check = check;
    }

    /**
     * What {@code look} finds; servers that do not answer count as nothing found.
     *
     * @param what is waited for, for the message
     */
    public <T> T found(String what, Duration limit, Supplier<Optional<T>> look) {
        long begun = context.time().millis();
        while (true) {
            check.run();
            Optional<T> found = quietly(look);
            if (found.isPresent()) {
                return found.get();
            }
            if (context.time().millis() - begun > limit.toMillis()
                    || Thread.currentThread().isInterrupted()) {
                throw CliException.refused("NOT_AS_TOLD: " + what + ": not within " + limit.toSeconds() + " s");
            }
            context.pause().sleep(LOOK);
        }
    }

    private static <T> Optional<T> quietly(Supplier<Optional<T>> look) {
        try {
            return look.get();
        } catch (SurestateException e) {
            if (e.category() == ErrorCategory.ERROR_CATEGORY_UNAVAILABLE) {
                return Optional.empty();
            }
            throw e;
        }
    }
}
