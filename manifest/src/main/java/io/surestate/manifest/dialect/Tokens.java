package io.surestate.manifest.dialect;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import io.surestate.api.Limits;
import io.surestate.manifest.SyntaxProblem;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.yaml.snakeyaml.LoaderOptions;

/** The tokens of one document, each with its line; what a manifest never contains is refused here. One thread. */
final class Tokens implements AutoCloseable {
    private final String source;
    private final YAMLParser parser;

    Tokens(String source, String text) {
        this.source = source;
        // Whoever read the text bounded it; the parser's own bound is below that of hardware files.
        LoaderOptions whole = new LoaderOptions();
        whole.setCodePointLimit(Math.max(1, text.length()));
        YAMLFactory factory = YAMLFactory.builder()
                .loaderOptions(whole)
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(Limits.MANIFEST_DEPTH_MAX)
                        .build())
                .build();
        try {
            parser = factory.createParser(text);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    /** Goes on by one token; false at the end of the text. */
    boolean advance() {
        JsonToken token = raw();
        if (token == null) {
            return false;
        }
        refuseReference();
        return true;
    }

    private JsonToken raw() {
        try {
            return parser.nextToken();
        } catch (JsonProcessingException syntax) {
            throw syntax(syntax);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private void refuseReference() {
        try {
            if (parser.isCurrentAlias() || parser.getObjectId() != null) {
                throw at("anchor or alias (expected: every value written out)");
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    JsonToken token() {
        return parser.currentToken();
    }

    /** The key, or the scalar as it was written. */
    String text() {
        try {
            return parser.getText();
        } catch (JsonProcessingException syntax) {
            throw syntax(syntax);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    /** Passes over the value that begins with the current token, whatever is in it. */
    void skipValue() {
        try {
            parser.skipChildren();
        } catch (JsonProcessingException syntax) {
            throw syntax(syntax);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    /** A problem at the current token. */
    ManifestException at(String problem) {
        return problem(parser.currentTokenLocation(), problem);
    }

    private ManifestException syntax(JsonProcessingException syntax) {
        return new ManifestException(SyntaxProblem.of(syntax).in(source));
    }

    private ManifestException problem(JsonLocation where, String problem) {
        return new ManifestException(
                where == null || where.getLineNr() < 1
                        ? source + ": " + problem
                        : source + ":" + where.getLineNr() + ": " + problem);
    }

    @Override
    public void close() {
        try {
            parser.close();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }
}
