package io.surestate.cli.job;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The user's terminal while another one far away stands for it: every key is passed on as it is. Where there is none, nothing is done. */
final class LocalTerminal implements AutoCloseable {
    private static final File TTY = new File("/dev/tty");

    private final String before;
    private final int rows;
    private final int columns;

    /** @param raw whether keys are passed on */
    LocalTerminal(boolean raw) {
        String[] size = (raw ? stty("size") : "").split(" ", -1);
        boolean known = size.length == 2 && size[0].matches("[0-9]{1,4}") && size[1].matches("[0-9]{1,4}");
        rows = known ? Integer.parseInt(size[0]) : 0;
        columns = known ? Integer.parseInt(size[1]) : 0;
        before = raw ? stty("-g") : "";
        if (!before.isEmpty()) {
            stty("raw", "-echo");
        }
    }

    /** 0 = unknown. */
    int rows() {
        return rows;
    }

    /** 0 = unknown. */
    int columns() {
        return columns;
    }

    /** What it prints; empty if it fails. */
    private static String stty(String... words) {
        List<String> command = new ArrayList<>(List.of("stty"));
        command.addAll(List.of(words));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectInput(TTY)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
            return process.waitFor() == 0 ? printed : "";
        } catch (IOException none) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }

    @Override
    public void close() {
        if (!before.isEmpty()) {
            stty(before);
        }
    }
}
