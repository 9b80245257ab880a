package io.surestate.agent.process;

import io.surestate.api.Names;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * Ports of a node, both ends included.
 *
 * @param first 1 to 65,535
 * @param last not less than {@code first}
 */
public record PortRange(int first, int last) {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,5})-([0-9]{1,5})");
    private static final int PORT_MAX = 65_535;

    /**
     * Reads a range such as {@code 20000-29999}.
     *
     * @throws IllegalArgumentException if it is none, naming {@code field}
     */
    public static PortRange parse(String field, String text) {
        Matcher matcher = FORM.matcher(text);
        if (matcher.matches()) {
            int first = Integer.parseInt(matcher.group(1));
            int last = Integer.parseInt(matcher.group(2));
            if (first >= 1 && first <= last && last <= PORT_MAX) {
                return new PortRange(first, last);
            }
        }
        throw new IllegalArgumentException(Names.message(field, text, "two ports from 1 to 65535 such as 20000-29999"));
    }

    /** The same for the same name, and likely another for another. */
    int pick(String name) {
        CRC32C crc = new CRC32C();
        crc.update(name.getBytes(StandardCharsets.UTF_8));
        return first + (int) (crc.getValue() % (last - first + 1));
    }
}
