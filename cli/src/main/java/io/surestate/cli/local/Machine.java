package io.surestate.cli.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What this machine has to share out.
 *
 * @param cores that this process may use, ascending
 * @param memoryBytes of the whole machine
 */
public record Machine(String name, List<Integer> cores, long memoryBytes) {
    private static final double OFFERED = 0.9;
    private static final long KIBI = 1_024;
    private static final long MEBI = KIBI * KIBI;

    public Machine {
        cores = List.copyOf(cores);
    }

    /** Looks at {@code proc}, the kernel's process file system. */
    public static Machine look(Path proc) {
        try {
            String allowed = value(proc.resolve("self/status"), "Cpus_allowed_list");
            String total =
                    value(proc.resolve("meminfo"), "MemTotal").replace("kB", "").strip();
            String host = Files.readString(proc.resolve("sys/kernel/hostname"))
                    .strip()
                    .toLowerCase(Locale.ROOT);
            String name = host.replaceAll("[^a-z0-9]+", "-").replaceAll("^-+|-+$", "");
            return new Machine(name.isEmpty() ? "here" : name, numbers(allowed), Long.parseLong(total) * KIBI);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Cores of one of two halves; a single core is in both. */
    public String coreHalf(int half) {
        int middle = cores.size() / 2;
        List<Integer> mine =
                cores.size() == 1 ? cores : half == 0 ? cores.subList(0, middle) : cores.subList(middle, cores.size());
        return String.join(
                ",", mine.stream().map(core -> Integer.toString(core)).toList());
    }

    /** Half of the memory, less a reserve. */
    public String memoryHalf() {
        return (long) (memoryBytes * OFFERED / 2 / MEBI) + "Mi";
    }

    private static List<Integer> numbers(String ranges) {
        List<Integer> numbers = new ArrayList<>();
        for (String range : ranges.split(",", -1)) {
            String[] ends = range.strip().split("-", 2);
            int last = Integer.parseInt(ends[ends.length - 1]);
            for (int number = Integer.parseInt(ends[0]); number <= last; number++) {
                numbers.add(number);
            }
        }
        return numbers;
    }

    private static String value(Path file, String key) throws IOException {
        return Files.readAllLines(file).stream()
                .filter(line -> line.startsWith(key + ":"))
                .map(line -> line.substring(key.length() + 1).strip())
                .findFirst()
                .orElseThrow(() -> new IOException(file + ": no " + key));
    }
}
