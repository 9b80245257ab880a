package io.surestate.agent.discovery;

import io.surestate.api.Limits;
import io.surestate.api.Names;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/** Sets of core numbers in the kernel's notation: {@code 0-3,8}. */
public final class CpuList {
    private static final String FORM = "core numbers such as 0-3,8, each below " + Limits.CORES_PER_NODE_MAX;

    private CpuList() {}

    /**
     * Reads it.
     *
     * @param field names it in the error
     */
    public static NavigableSet<Integer> parse(String field, String text) {
        NavigableSet<Integer> cores = new TreeSet<>();
        String list = text.strip();
        if (list.isEmpty()) {
            return cores;
        }
        try {
            for (String part : List.of(list.split(",", -1))) {
                int dash = part.indexOf('-');
                int from = Integer.parseInt(dash < 0 ? part : part.substring(0, dash));
                int to = dash < 0 ? from : Integer.parseInt(part.substring(dash + 1));
                if (from < 0 || to < from || to >= Limits.CORES_PER_NODE_MAX) {
                    throw new IllegalArgumentException(Names.message(field, text, FORM));
                }
                for (int core = from; core <= to; core++) {
                    cores.add(core);
                }
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(Names.message(field, text, FORM), e);
        }
        return cores;
    }

    /** Writes it, without ranges. */
    public static String format(Collection<Integer> cores) {
        return String.join(
                ",", cores.stream().map(core -> Integer.toString(core)).toList());
    }
}
