package io.surestate.cli.input;

import io.surestate.cli.CliContext;
import io.surestate.cli.CliException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Asks before something that cannot be taken back. One thread. */
public final class Consent {
    private static final int ANSWER_BYTES_MAX = 4_096;

    private final CliContext context;

    public Consent(CliContext context) {
        this.context = context;
    }

    /**
     * Goes on only if the user types exactly {@code word}.
     *
     * @param warning what is going to happen
     * @param option how scripts say the same
     */
    public void require(String warning, String word, String option) {
        if (!context.interactive()) {
            throw CliException.usage(option + ": missing (expected: given where nobody can be asked). " + warning);
        }
        context.err().println(warning);
        context.err().print("Type " + word + " to go on: ");
        context.err().flush();
        if (!answer().equals(word)) {
            throw CliException.refused("NOT_CONFIRMED: nothing was changed");
        }
    }

    private String answer() {
        byte[] line = new byte[ANSWER_BYTES_MAX];
        int length = 0;
        try {
            int next = context.in().read();
            while (next >= 0 && next != '\n' && length < line.length) {
                line[length++] = (byte) next;
                next = context.in().read();
            }
        } catch (IOException gone) {
            return "";
        }
        return new String(line, 0, length, StandardCharsets.UTF_8).strip();
    }
}
