package io.surestate.agent.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The machine's processes as {@code /proc} shows them. Holds no state. */
public final class ProcessTable {
    /** Marks every process of a task: {@code ALLOCATION/EPOCH/NODE_ID}. The node id keeps agents on one machine apart. */
    static final String TOKEN = "SURESTATE_TOKEN";

    private static final String CAUGHT = "SigCgt:";
    private static final int SESSION_FIELD = 3;
    private static final int START_FIELD = 19;

    private final Path proc;

    public ProcessTable(Path proc) {
        this.proc = proc;
    }

    /**
     * A process that is not a zombie. Its environment is read when first asked for. Safe between threads.
     */
    final class Entry {
        private final ProcessId id;
        private final long session;
        private Optional<Map<String, String>> environment = Optional.empty();

        private Entry(ProcessId id, long session) {
            this.id = id;
            this.session = session;
        }

        ProcessId id() {
            return id;
        }

        /** Its session's id. */
        long session() {
            return session;
        }

        /** The variables whose names begin with {@code SURESTATE_}; none where they may not be read or the process is gone. */
        synchronized Map<String, String> environment() {
            if (environment.isEmpty()) {
                environment = Optional.of(readEnvironment(id.pid()));
            }
            return environment.get();
        }

        Optional<String> token() {
            return Optional.ofNullable(environment().get(TOKEN));
        }
    }

    /** Every live process. */
    List<Entry> scan() {
        List<Entry> entries = new ArrayList<>();
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(proc, "[0-9]*")) {
            for (Path folder : folders) {
                entry(Long.parseLong(folder.getFileName().toString())).ifPresent(entries::add);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return entries;
    }

    private Optional<Entry> entry(long pid) {
        return stat(pid)
                .filter(fields -> isLive(fields[0]))
                .map(fields -> new Entry(
                        new ProcessId(pid, Long.parseLong(fields[START_FIELD])),
                        Long.parseLong(fields[SESSION_FIELD])));
    }

    /** Whether exactly this process lives and is no zombie. */
    public boolean isLive(ProcessId id) {
        return stat(id.pid())
                .filter(fields -> isLive(fields[0]) && Long.parseLong(fields[START_FIELD]) == id.startTicks())
                .isPresent();
    }

    /** Whether exactly this process lives and is neither a zombie nor stopped. */
    public boolean isRunning(ProcessId id) {
        return isLive(id)
                && stat(id.pid())
                        .filter(fields -> !fields[0].equalsIgnoreCase("T"))
                        .isPresent();
    }

    /** Whether the process has a handler for this signal, by its number. */
    boolean catches(long pid, int signal) {
        try (Stream<String> lines = Files.lines(proc.resolve(pid + "/status"), StandardCharsets.ISO_8859_1)) {
            return lines.filter(line -> line.startsWith(CAUGHT))
                    .map(line -> new BigInteger(line.substring(CAUGHT.length()).strip(), 16))
                    .anyMatch(caught -> caught.testBit(signal - 1));
        } catch (IOException | UncheckedIOException | NumberFormatException gone) {
            return false;
        }
    }

    /** The process that has this number now. */
    public Optional<ProcessId> identify(long pid) {
        return stat(pid)
                .filter(fields -> isLive(fields[0]))
                .map(fields -> new ProcessId(pid, Long.parseLong(fields[START_FIELD])));
    }

    private static boolean isLive(String state) {
        return !state.equals("Z") && !state.equalsIgnoreCase("X");
    }

    /** Fields of {@code stat} from the state on; the name before them may contain anything. */
    private Optional<String[]> stat(long pid) {
        try {
            String text = Files.readString(proc.resolve(pid + "/stat"), StandardCharsets.ISO_8859_1);
            String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" ", -1);
            return fields.length > START_FIELD ? Optional.of(fields) : Optional.empty();
        } catch (IOException | StringIndexOutOfBoundsException gone) {
            return Optional.empty();
        }
    }

    private Map<String, String> readEnvironment(long pid) {
        Map<String, String> found = new HashMap<>();
        try {
            String text = Files.readString(proc.resolve(pid + "/environ"), StandardCharsets.ISO_8859_1);
            for (String variable : text.split("\0", -1)) {
                int equals = variable.indexOf('=');
                if (equals > 0 && variable.startsWith("SURESTATE_")) {
                    found.put(variable.substring(0, equals), variable.substring(equals + 1));
                }
            }
        } catch (IOException unreadable) {
            return Map.of();
        }
        return found;
    }
}
