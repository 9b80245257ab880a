package io.surestate.cli.job;

import io.surestate.api.v1.Job;
import io.surestate.cli.CliException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

/** A script that says itself what it needs: lines {@code #SURESTATE OPTION...} before its first command. Its text travels in the job. */
final class BatchScript {
    static final String MARK = "#!";
    private static final String LINE = "#SURESTATE";
    /** One word of a command line may not be longer than 128 KiB on Linux. */
    private static final int TEXT_CHARS_MAX = 64 << 10;

    private static final Pattern WORD = Pattern.compile("\\s*((?:'[^']*'|\"[^\"]*\"|[^\\s'\"])+)");
    private static final Pattern QUOTED = Pattern.compile("'([^']*)'|\"([^\"]*)\"");
    /** Arguments: the file, its text, the interpreter's words, the script's. */
    private static final String RUN = "f=./.surestate-$1 && printf %s \"$2\" >\"$f\" && shift 2 && n=$1 && shift"
            + " && if [ $n = 2 ]; then i=$1 && a=$2 && shift 2 && exec \"$i\" \"$a\" \"$f\" \"$@\"; fi"
            + " && i=$1 && shift && exec \"$i\" \"$f\" \"$@\"";

    private BatchScript() {}

    /** What a script's lines may say. */
    @Command
    private static final class Lines {
        @Mixin
        private final JobOptions options = new JobOptions();
    }

    static boolean isOne(String text) {
        return text.startsWith(MARK);
    }

    /**
     * The job that runs it on each task.
     *
     * @param source file's name
     * @param arguments of the script
     * @throws CliException naming file and line
     */
    static Job read(String source, String text, List<String> arguments, RandomGenerator random) {
        if (text.length() > TEXT_CHARS_MAX) {
            throw CliException.usage(source + ": " + text.length() + " characters (expected: a script of at most "
                    + TEXT_CHARS_MAX + ")");
        }
        List<String> lines = text.lines().toList();
        List<String> interpreter = interpreter(source, lines.get(0));
        List<String> all = new ArrayList<>();
        for (int at = 1; at < lines.size() && isRemark(lines.get(at)); at++) {
            String line = lines.get(at);
            if (line.equals(LINE) || line.startsWith(LINE + " ") || line.startsWith(LINE + "\t")) {
                String where = source + ", line " + (at + 1);
                List<String> words = words(where, line.substring(LINE.length()));
                parse(where, words);
                all.addAll(words);
            }
        }
        Path name = Path.of(source).getFileName();
        String file = name == null || source.indexOf(' ') >= 0 ? "script" : name.toString();
        List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", RUN, "sh", file, text));
        command.add(Integer.toString(interpreter.size()));
        command.addAll(interpreter);
        command.addAll(arguments);
        return parse(source, all).job(command, () -> GeneratedName.of(file, random));
    }

    private static boolean isRemark(String line) {
        return line.isBlank() || line.startsWith("#");
    }

    /** As the kernel reads it: a program, and all the rest as one argument. */
    private static List<String> interpreter(String source, String line) {
        String[] words = line.substring(MARK.length()).strip().split("\\s+", 2);
        if (!words[0].startsWith("/")) {
            throw CliException.usage(
                    source + ", line 1: " + line + " (expected: #! and the absolute path of an interpreter)");
        }
        return List.of(words);
    }

    private static List<String> words(String where, String text) {
        List<String> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(text.stripTrailing());
        int end = 0;
        while (end < matcher.regionEnd()) {
            if (!matcher.find() || matcher.start() != end) {
                throw CliException.usage(where + ": " + text.strip() + " (expected: options, quotes closed)");
            }
            end = matcher.end();
            words.add(QUOTED.matcher(matcher.group(1)).replaceAll("$1$2"));
        }
        return words;
    }

    private static JobOptions parse(String where, List<String> words) {
        Lines lines = new Lines();
        try {
            new CommandLine(lines).parseArgs(words.toArray(String[]::new));
            return lines.options;
        } catch (ParameterException mistake) {
            throw CliException.usage(where + ": " + mistake.getMessage() + " (expected: options of ssctl job run)");
        }
    }
}
