package io.surestate.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * CPU time used so far by the processes of a cluster, in ticks of 10 ms.
 *
 * @param servers the server processes
 * @param agents the agent processes themselves
 * @param started what the agents started: launchers, tasks and what serves them, as far as they have ended, and the keepers
 * @param load this process
 * @param machine all cores, idle time not counted
 */
record CpuTimes(long servers, long agents, long started, long load, long machine) {
    private static final int UTIME_FIELD = 11;
    private static final int START_FIELDS = 2;
    private static final int IDLE_FIELD = 4;
    private static final int CPU_FIELDS = 8;
    private static final int TICK_MILLIS = 10;

    /** As {@code /proc} shows them now; servers and agents are children of this process. */
    static CpuTimes now() throws IOException {
        long servers = 0;
        long agents = 0;
        long started = 0;
        for (ProcessHandle child : ProcessHandle.current().children().toList()) {
            String command = text(Path.of("/proc", Long.toString(child.pid()), "cmdline"));
            if (command.contains("io.surestate.server.ServerMain")) {
                servers += own(child.pid());
            } else if (command.contains("io.surestate.agent.AgentMain")) {
                agents += own(child.pid());
                started += ended(child.pid());
                started += child.children()
                        .mapToLong(keeper -> own(keeper.pid()) + ended(keeper.pid()))
                        .sum();
            }
        }
        return new CpuTimes(
                servers, agents, started, own(ProcessHandle.current().pid()), wholeMachine());
    }

    CpuTimes since(CpuTimes before) {
        return new CpuTimes(
                servers - before.servers,
                agents - before.agents,
                started - before.started,
                load - before.load,
                machine - before.machine);
    }

    /** Milliseconds of each part for one of {@code count}. */
    String perEach(int count) {
        return String.format(
                Locale.ROOT,
                "CPU per job: servers %.2f ms, agents %.2f ms, what they started %.2f ms, load %.2f ms, whole machine %.2f ms",
                each(servers, count),
                each(agents, count),
                each(started, count),
                each(load, count),
                each(machine, count));
    }

    private static double each(long ticks, int count) {
        return (double) ticks * TICK_MILLIS / count;
    }

    private static long own(long pid) {
        return fields(pid, UTIME_FIELD);
    }

    private static long ended(long pid) {
        return fields(pid, UTIME_FIELD + START_FIELDS);
    }

    /** User and system time; 0 for a process that is gone. */
    private static long fields(long pid, int first) {
        try {
            String stat = text(Path.of("/proc", Long.toString(pid), "stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return Long.parseLong(fields[first]) + Long.parseLong(fields[first + 1]);
        } catch (IOException | StringIndexOutOfBoundsException gone) {
            return 0;
        }
    }

    private static long wholeMachine() throws IOException {
        String[] fields = text(Path.of("/proc/stat")).split("\\s+", CPU_FIELDS + 2);
        long sum = 0;
        for (int i = 1; i <= CPU_FIELDS; i++) {
            sum += i == IDLE_FIELD ? 0 : Long.parseLong(fields[i]);
        }
        return sum;
    }

    private static String text(Path file) throws IOException {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException gone) {
            return "";
        }
    }
}
