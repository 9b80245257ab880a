package io.surestate.cli.output;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import io.surestate.cli.OutputClosedException;
import io.surestate.manifest.dialect.Documents;
import io.surestate.manifest.dialect.ManifestWriter;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.List;
import java.util.function.Supplier;

/** Writes results in the format that was asked for. One thread. */
public final class Printer {
    /** One document a line, for programs that read line by line. */
    private static final Opener JSON_LINES = text -> Documents.json(text).setPrettyPrinter(new MinimalPrettyPrinter());

    private final PrintStream out;
    private final OutputFormat format;

    public Printer(PrintStream out, OutputFormat format) {
        this.out = out;
        this.format = format;
    }

    /**
     * One resource.
     *
     * @param table what people get to see; asked for only then
     */
    public void one(Resource resource, Supplier<String> table) {
        switch (format) {
            case TABLE -> out.print(table.get());
            case NAME -> out.println(resource.name());
            case JSON, YAML -> document((writer, json) -> resource.body().fields(writer, json));
        }
    }

    /**
     * Many resources: an object with one list in it.
     *
     * @param key of the list
     */
    public void many(String key, List<Resource> resources, Supplier<String> table) {
        switch (format) {
            case TABLE -> out.print(table.get());
            case NAME -> resources.forEach(resource -> out.println(resource.name()));
            case JSON, YAML ->
                document((writer, json) -> {
                    json.writeFieldName(key);
                    list(resources, writer, json);
                });
        }
    }

    /**
     * One of a stream of resources without an end: a line, or a document of its own. Written out at once.
     *
     * @throws OutputClosedException nobody reads the stream any more
     */
    public void next(Resource resource, Supplier<String> line) {
        switch (format) {
            case TABLE -> out.println(line.get());
            case NAME -> out.println(resource.name());
            case JSON -> out.println(text(resource.body(), new StringWriter(), JSON_LINES));
            case YAML -> out.println("---\n" + text(resource.body(), new StringWriter(), Documents::yaml));
        }
        if (out.checkError()) {
            throw new OutputClosedException();
        }
    }

    private static void list(List<Resource> resources, ManifestWriter writer, JsonGenerator json) throws IOException {
        json.writeStartArray();
        for (Resource resource : resources) {
            json.writeStartObject();
            resource.body().fields(writer, json);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void document(Body body) {
        out.println(text(body, new StringWriter(), format == OutputFormat.JSON ? Documents::json : Documents::yaml));
    }

    /** Makes what writes a document. */
    private interface Opener {
        JsonGenerator open(Writer text) throws IOException;
    }

    private static String text(Body body, StringWriter text, Opener opener) {
        try (JsonGenerator json = opener.open(text)) {
            json.writeStartObject();
            body.fields(new ManifestWriter(), json);
            json.writeEndObject();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return text.toString().stripTrailing();
    }
}
