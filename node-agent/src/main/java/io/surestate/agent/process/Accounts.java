package io.surestate.agent.process;

import io.surestate.api.Names;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Accounts of the machine that tasks may run as. Immutable.
 *
 * @param ordinary for tasks that name none; empty = the agent's own
 * @param allowed that tasks may name
 */
public record Accounts(String ordinary, List<String> allowed) {
    public Accounts {
        allowed = List.copyOf(allowed);
    }

    /** Tasks run as the agent does. */
    public static Accounts own() {
        return new Accounts("", List.of());
    }

    /** The account to become, for a task that names this one or, empty, none. */
    Optional<String> of(String named) {
        String account = named.isEmpty() ? ordinary : named;
        return account.isEmpty() ? Optional.empty() : Optional.of(account);
    }

    /** @throws IllegalArgumentException if a task may not name it, or the machine has none of that name */
    void check(String named) {
        if (!named.isEmpty() && !named.equals(ordinary) && !allowed.contains(named)) {
            throw new IllegalArgumentException(Names.message(
                    "user", named, "one of drivers.users of this node's agent: " + String.join(", ", allowed)));
        }
        of(named).ifPresent(account -> {
            try {
                FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName(account);
            } catch (UserPrincipalNotFoundException e) {
                throw new IllegalArgumentException(Names.message("user", account, "an account of this node"), e);
            } catch (IOException e) {
                throw new IllegalArgumentException("user: " + account + ": " + e.getMessage(), e);
            }
        });
    }

    /** How the kernel knows an account; of the agent's own, the numbers of a folder that it made. */
    record Numbers(int uid, int gid) {
        static Numbers of(Path folder) throws IOException {
            Map<String, Object> attributes = Files.readAttributes(folder, "unix:uid,gid");
            return new Numbers(
                    (Integer) attributes.getOrDefault("uid", 0), (Integer) attributes.getOrDefault("gid", 0));
        }
    }

    /** Makes the account, and its first group, the folder's owner. */
    static void give(Path folder, String account) throws IOException {
        Process chown = new ProcessBuilder("chown", account + ":", folder.toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            int status = chown.waitFor();
            if (status != 0) {
                throw new IOException("user: " + account + ": chown of " + folder + " ended with " + status);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
