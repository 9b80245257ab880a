package io.surestate.manifest.dialect;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.util.StringQuotingChecker;
import java.io.IOException;
import java.io.Writer;
import java.util.regex.Pattern;

/** Generators for {@link ManifestWriter} that write as people like to read. */
public final class Documents {
    private Documents() {}

    /** Indented JSON. */
    public static JsonGenerator json(Writer out) throws IOException {
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
        printer.indentArraysWith(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE);
        // Some characters are line breaks to YAML, which reads JSON too.
        return JsonFactory.builder()
                .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
                .build()
                .createGenerator(out)
                .setPrettyPrinter(printer);
    }

    /** YAML with quotes only where another reader might take the text for something else. */
    public static JsonGenerator yaml(Writer out) throws IOException {
        return YAMLFactory.builder()
                .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                .disable(YAMLGenerator.Feature.SPLIT_LINES)
                .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
                .enable(YAMLGenerator.Feature.INDENT_ARRAYS_WITH_INDICATOR)
                .stringQuotingChecker(new Quoting())
                .build()
                .createGenerator(out);
    }

    /** Plain only what is plainly text, blocks only where every reader takes them alike. */
    private static final class Quoting extends StringQuotingChecker.Default {
        private static final long serialVersionUID = 1L;

        private static final Pattern PLAIN = Pattern.compile("[A-Za-z/][A-Za-z0-9_./-]*( [A-Za-z0-9_./-]+)*");
        private static final Pattern AMOUNT = Pattern.compile("[0-9]{1,18}(m|[KMGTP]i|[GMk]bps|ms|[sh])");

        @Override
        public boolean needToQuoteName(String name) {
            return !PLAIN.matcher(name).matches() || super.needToQuoteName(name);
        }

        @Override
        public boolean needToQuoteValue(String value) {
            boolean safe =
                    PLAIN.matcher(value).matches() || AMOUNT.matcher(value).matches() || isBlock(value);
            return !safe || super.needToQuoteValue(value);
        }

        /** Lines of printable ASCII, the first one not indented, none with blanks at its end. */
        private static boolean isBlock(String value) {
            return value.indexOf('\n') >= 0
                    && value.charAt(0) > ' '
                    && value.endsWith("\n")
                    && value.chars().allMatch(c -> c == '\n' || (c >= ' ' && c <= '~'))
                    && value.lines().noneMatch(line -> line.endsWith(" "));
        }
    }
}
