package io.surestate.daemon;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells systemd how this program stands, where systemd started it; says nothing elsewhere. Safe between threads; nothing here waits.
 *
 * <p>What is told is what sd_notify(3) and {@code WatchdogSec=} of systemd.service(5) ask for. It is told by {@code systemd-notify}, a process for each word,
 * because the JDK has no sockets of the kind that systemd listens to; the unit needs {@code NotifyAccess=all}.
 */
public final class ServiceManager implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ServiceManager.class);
    private static final long NANOS_PER_MICRO = 1_000;
    /** Half of what systemd waits would do; a third outlasts one late round. */
    private static final int BEATS_PER_PATIENCE = 3;

    private static final long LAST_WORD_MILLIS_MAX = 2_000;

    private final List<String> program;
    private final boolean listening;
    private final long beatNanos;
    private final LongSupplier nanos;
    private final ExecutorService messenger;
    private String lastStatus = "";
    private long beatenNanos;

    /**
     * Whom to tell.
     *
     * @param program and arguments before what is told
     * @param environment where systemd names its socket and its patience
     * @param nanos monotonic
     */
    ServiceManager(List<String> program, Map<String, String> environment, LongSupplier nanos) {
        this.program = List.copyOf(program);
        this.nanos = nanos;
        listening = !environment.getOrDefault("NOTIFY_SOCKET", "").isEmpty();
        long patienceNanos = listening ? number(environment.getOrDefault("WATCHDOG_USEC", "")) * NANOS_PER_MICRO : 0;
        beatNanos = patienceNanos / BEATS_PER_PATIENCE;
        beatenNanos = nanos.getAsLong() - beatNanos;
        messenger = Executors.newSingleThreadExecutor(work -> {
            Thread thread = new Thread(work, "surestate-notify");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** The service manager of this process, if it has one. */
    public static ServiceManager ofThisProcess() {
        return new ServiceManager(List.of("systemd-notify"), System.getenv(), System::nanoTime);
    }

    /** The program can do what it is for. */
    public void ready(String status) {
        tell(List.of("--ready", "--status=" + status));
        remember(status);
    }

    /** How it stands, for people; told when it is another than before. */
    public void status(String status) {
        if (remember(status)) {
            tell(List.of("--status=" + status));
        }
    }

    private synchronized boolean remember(String status) {
        boolean another = !status.equals(lastStatus);
        lastStatus = status;
        return another;
    }

    /** The program's main loop has come round. When it does not do so for too long, systemd starts the program again. */
    public void beat() {
        if (beatNanos > 0 && isTimeToBeat()) {
            tell(List.of("WATCHDOG=1"));
        }
    }

    private synchronized boolean isTimeToBeat() {
        long now = nanos.getAsLong();
        if (now - beatenNanos < beatNanos) {
            return false;
        }
        beatenNanos = now;
        return true;
    }

    /** It ends because it was told to. */
    public void stopping() {
        tell(List.of("STOPPING=1"));
    }

    private void tell(List<String> words) {
        if (!listening) {
            return;
        }
        try {
            messenger.execute(() -> send(words));
        } catch (RejectedExecutionException closed) {
            LOG.debug("event=service-manager-untold words={}", words);
        }
    }

    private void send(List<String> words) {
        List<String> command = new ArrayList<>(program);
        command.addAll(words);
        try {
            int status = new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
            if (status != 0) {
                LOG.warn("event=service-manager-untold words={} exit={}", words, status);
            }
        } catch (IOException cannotRun) {
            LOG.warn("event=service-manager-untold words={} error=\"{}\"", words, cannotRun.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What was told is on its way within two seconds. */
    @Override
    public void close() {
        messenger.shutdown();
        try {
            if (!messenger.awaitTermination(LAST_WORD_MILLIS_MAX, TimeUnit.MILLISECONDS)) {
                messenger.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static long number(String text) {
        try {
            return Math.max(0, Long.parseLong(text));
        } catch (NumberFormatException none) {
            return 0;
        }
    }
}
