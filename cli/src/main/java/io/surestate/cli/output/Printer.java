package io.surestate.cli.output;

import com.fasterxml.jackson.core.JsonGenerator;
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
        StringWriter text = new StringWriter();
        try (JsonGenerator json = generator(text)) {
            json.writeStartObject();
            body.fields(new ManifestWriter(), json);
            json.writeEndObject();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        out.println(text.toString().stripTrailing());
    }

    private JsonGenerator generator(Writer text) throws IOException {
        return format == OutputFormat.JSON ? Documents.json(text) : Documents.yaml(text);
    }
}
