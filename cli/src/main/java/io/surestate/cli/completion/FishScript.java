package io.surestate.cli.completion;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** A completion script for fish, from the command tree. */
final class FishScript {
    private final String program;
    private final StringBuilder out = new StringBuilder();

    FishScript(String program) {
        this.program = program;
    }

    String of(CommandLine root) {
        out.append("complete -c ").append(program).append(" -e\n");
        out.append("complete -c ").append(program).append(" -f\n");
        add(root, List.of());
        return out.toString();
    }

    private void add(CommandLine command, List<String> path) {
        String seen = condition(command, path);
        for (Map.Entry<String, CommandLine> sub : command.getSubcommands().entrySet()) {
            line(seen, " -a " + sub.getKey(), description(sub.getValue()));
        }
        for (OptionSpec option : command.getCommandSpec().options()) {
            line(seen, names(option), String.join(" ", option.description()));
        }
        command.getSubcommands().forEach((name, sub) -> {
            List<String> deeper = new ArrayList<>(path);
            deeper.add(name);
            add(sub, deeper);
        });
    }

    /** All words of the path were typed and none of the commands below it. */
    private static String condition(CommandLine command, List<String> path) {
        List<String> parts = new ArrayList<>();
        path.forEach(word -> parts.add("__fish_seen_subcommand_from " + word));
        if (!command.getSubcommands().isEmpty()) {
            parts.add("not __fish_seen_subcommand_from "
                    + String.join(" ", command.getSubcommands().keySet()));
        }
        return String.join("; and ", parts);
    }

    private static String names(OptionSpec option) {
        StringBuilder names = new StringBuilder();
        for (String name : option.names()) {
            names.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
        }
        return option.arity().max() > 0 ? names.append(" -r").toString() : names.toString();
    }

    private static String description(CommandLine command) {
        return String.join(" ", command.getCommandSpec().usageMessage().description());
    }

    private void line(String condition, String what, String description) {
        out.append("complete -c ")
                .append(program)
                .append(" -n '")
                .append(condition)
                .append('\'')
                .append(what)
                .append(" -d '")
                .append(description.replace("\\", "\\\\").replace("'", "\\'"))
                .append("'\n");
    }
}
