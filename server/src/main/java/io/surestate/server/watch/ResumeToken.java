package io.surestate.server.watch;

import io.surestate.api.Names;
import io.surestate.server.api.Problems;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Where a watch goes on: right after a revision of one history of the cluster. Opaque to clients.
 *
 * @param historyId the cluster's history; another one has other changes at the same revisions
 * @param revision the last one that was told completely, at least 1
 */
record ResumeToken(String historyId, long revision) {
    private static final String FORM = "1";
    private static final int PARTS = 3;
    private static final int CHARS_MAX = 1_024;

    String encode() {
        String text = FORM + "/" + revision + "/" + historyId;
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Refuses what no server gave. */
    static ResumeToken decode(String token) {
        try {
            if (token.length() > CHARS_MAX) {
                throw foreign(token);
            }
            String text = new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
            String[] parts = text.split("/", PARTS);
            if (parts.length != PARTS || !parts[0].equals(FORM) || parts[2].isEmpty()) {
                throw foreign(token);
            }
            long revision = Long.parseLong(parts[1]);
            if (revision < 1) {
                throw foreign(token);
            }
            return new ResumeToken(parts[2], revision);
        } catch (IllegalArgumentException notOne) {
            throw foreign(token);
        }
    }

    private static RuntimeException foreign(String token) {
        return Problems.invalid(Names.message("resumeToken", token, "resume_token of a message of this watch"));
    }
}
