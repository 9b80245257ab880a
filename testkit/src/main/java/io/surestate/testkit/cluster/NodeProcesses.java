package io.surestate.testkit.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Scanner;
import java.util.stream.Stream;

/** The processes of a node beside its agent: the keeper, and every task with all that it started. */
final class NodeProcesses {
    private NodeProcesses() {}

    /** SIGKILL to all of them, as a power cut would; the agent must be dead already. */
    static void killAll(Path agentFolder) {
        // The keeper first: it would only do the same more slowly.
        number(agentFolder.resolve("keeper/pid")).ifPresent(NodeProcesses::kill);
        text(agentFolder.resolve("node-id")).ifPresent(nodeId -> {
            for (List<Long> left = members(nodeId); !left.isEmpty(); left = members(nodeId)) {
                left.forEach(NodeProcesses::kill);
            }
        });
    }

    private static List<Long> members(String nodeId) {
        List<Long> members = new ArrayList<>();
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            for (Path process : processes.toList()) {
                String name = process.getFileName().toString();
                if (name.chars().allMatch(Character::isDigit) && carries(process, nodeId) && !zombie(process)) {
                    members.add(Long.parseLong(name));
                }
            }
        } catch (IOException unreadable) {
            throw new java.io.UncheckedIOException(unreadable);
        }
        return members;
    }

    private static boolean carries(Path process, String nodeId) {
        return text(process.resolve("environ"))
                .map(environment -> Stream.of(environment.split("\0"))
                        .anyMatch(
                                variable -> variable.startsWith("SURESTATE_TOKEN=") && variable.endsWith("/" + nodeId)))
                .orElse(false);
    }

    private static boolean zombie(Path process) {
        return text(process.resolve("stat"))
                .map(stat -> stat.substring(stat.lastIndexOf(')') + 1).strip().startsWith("Z"))
                .orElse(true);
    }

    private static void kill(long pid) {
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }

    private static Optional<Long> number(Path file) {
        return text(file).map(text -> new Scanner(text).nextLong());
    }

    private static Optional<String> text(Path file) {
        try {
            return Optional.of(
                    Files.readString(file, StandardCharsets.ISO_8859_1).strip());
        } catch (IOException gone) {
            return Optional.empty();
        }
    }
}
