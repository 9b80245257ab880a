package io.surestate.sim.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Properties;

/** One HTML page of charts that needs nothing but a browser: library, style and data are in it. Immutable. */
public final class CurvePage {
    private static final String LIBRARY = "META-INF/maven/org.webjars.npm/uplot/pom.properties";
    private static final String FILES = "META-INF/resources/webjars/uplot/";
    private static final String SHELL = "curves.html";

    private static final String HINT = " Drag to zoom, double click to go back; click a name to hide its curve.";

    private final Curves curves;

    public CurvePage(Curves curves) {
        this.curves = curves;
    }

    /** The whole page. */
    public String html() {
        try {
            Properties library = new Properties();
            try (InputStream in = open(LIBRARY)) {
                library.load(in);
            }
            String files = FILES + library.getProperty("version") + "/";
            return text(CurvePage.class.getPackageName().replace('.', '/') + "/" + SHELL)
                    .replace("{title}", escaped(curves.title()))
                    .replace("{subtitle}", escaped(curves.subtitle() + HINT))
                    .replace("{style}", text(files + "dist/uPlot.min.css"))
                    .replace("{licence}", text(files + "LICENSE").strip())
                    .replace("{library}", text(files + "dist/uPlot.iife.min.js"))
                    .replace("{charts}", data());
        } catch (IOException incomplete) {
            throw new UncheckedIOException(incomplete);
        }
    }

    private static String text(String resource) throws IOException {
        try (InputStream in = open(resource)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static InputStream open(String resource) throws IOException {
        InputStream in = CurvePage.class.getClassLoader().getResourceAsStream(resource);
        if (in == null) {
            throw new IOException(resource + ": not in the installation");
        }
        return in;
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    private String data() throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.writeStartArray();
            for (Chart chart : curves.charts()) {
                json.writeStartObject();
                json.writeStringField("title", chart.title());
                json.writeStringField("xLabel", chart.xLabel());
                json.writeStringField("yLabel", chart.yLabel());
                json.writeBooleanField("logX", chart.logX());
                json.writeArrayFieldStart("lines");
                for (Line line : chart.lines()) {
                    json.writeStartObject();
                    json.writeStringField("name", line.name());
                    numbers(json, "x", line.x());
                    numbers(json, "y", line.y());
                    json.writeEndObject();
                }
                json.writeEndArray();
                json.writeEndObject();
            }
            json.writeEndArray();
        }
        // A name must not be able to end the script that it stands in.
        return text.toString().replace("<", "\\u003c");
    }

    private static void numbers(JsonGenerator json, String name, double[] values) throws IOException {
        json.writeArrayFieldStart(name);
        for (double value : values) {
            // Six digits are more than a screen shows.
            json.writeNumber((float) value);
        }
        json.writeEndArray();
    }
}
