package io.surestate.cli.simulate;

import io.surestate.api.Names;
import io.surestate.cli.CliException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** Words of options that name one of a few things. */
final class Choice {
    private Choice() {}

    /** The constant that is called {@code word}. */
    static <E extends Enum<E>> E of(String option, String word, E[] all, Function<E, String> label) {
        return Arrays.stream(all)
                .filter(one -> label.apply(one).equals(word))
                .findFirst()
                .orElseThrow(() -> CliException.usage(Names.message(
                        option,
                        word,
                        String.join(", ", Arrays.stream(all).map(label).toList()))));
    }

    /** Each of the words, none twice. */
    static <E extends Enum<E>> List<E> all(String option, List<String> words, E[] all, Function<E, String> label) {
        return words.stream()
                .map(word -> of(option, word.strip(), all, label))
                .distinct()
                .toList();
    }
}
