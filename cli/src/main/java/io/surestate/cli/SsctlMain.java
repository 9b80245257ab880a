package io.surestate.cli;

import io.surestate.cli.CliContext.Pause;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.logging.LogManager;

/** {@code ssctl}: the program. */
public final class SsctlMain {
    private static final int BUFFER_BYTES = 8_192;

    private SsctlMain() {}

    public static void main(String[] args) {
        // Libraries that log through java.util.logging would write between the lines of results.
        LogManager.getLogManager().reset();
        StandardOutput standard = new StandardOutput();
        PrintStream out =
                new PrintStream(new BufferedOutputStream(standard, BUFFER_BYTES), false, StandardCharsets.UTF_8);
        PrintStream err = new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        CliContext context = new CliContext(
                System.in,
                out,
                err,
                System.getenv(),
                Path.of(System.getProperty("user.home")),
                InstantSource.system(),
                Pause.sleeping(),
                SsctlMain::daemon,
                interactive(),
                SsctlMain::errorIsTerminal,
                new SecureRandom());
        // Scripts ask for the version often; that needs no command line library.
        boolean version = args.length == 1 && args[0].equals("version");
        int code = version ? new Version(context).call() : new Ssctl(context).run(args);
        out.flush();
        standard.failure().ifPresent(cause -> err.println("ssctl: output: not written: " + cause.getMessage()));
        System.exit(standard.failure().isPresent() && code == ExitCode.DONE ? ExitCode.REFUSED : code);
    }

    /** Where a newer Java says yes without a terminal, the question is asked and the empty answer is a no. */
    @SuppressWarnings("SystemConsoleNull")
    private static boolean interactive() {
        return System.console() != null;
    }

    /** Java does not tell; where there is no /proc the answer is no. */
    private static boolean errorIsTerminal() {
        try {
            Path target = Files.readSymbolicLink(Path.of("/proc/self/fd/2"));
            return target.startsWith("/dev/pts") || target.toString().startsWith("/dev/tty");
        } catch (IOException | UnsupportedOperationException unknown) {
            return false;
        }
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "ssctl-worker");
        thread.setDaemon(true);
        return thread;
    }
}
