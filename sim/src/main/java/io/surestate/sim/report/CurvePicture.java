package io.surestate.sim.report;

import java.io.StringWriter;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Charts as one SVG picture without outside references, one below the other. Immutable. */
public final class CurvePicture {
    private static final List<String> COLOURS = List.of(
            "#1f6fb4", "#d1495b", "#2a9d5c", "#8e5bb0", "#e08a1e", "#3aa6b9", "#7a6a53", "#c03f9a", "#58595b",
            "#9bb31c");
    private static final String DARK = "#222";
    private static final String GREY = "#666";
    private static final String PALE = "#ddd";

    private static final int WIDTH = 1_080;
    private static final int HEAD = 80;
    private static final int LEFT = 80;
    private static final int PLOT_WIDTH = WIDTH - LEFT - 30;
    private static final int PLOT_HEIGHT = 300;
    private static final int PLOT_TOP = 40;
    /** Labels of the x axis. */
    private static final int PLOT_FOOT = 50;

    private static final int LEGEND_COLUMNS = 4;
    private static final int LEGEND_ROW = 20;
    private static final int CHART_GAP = 30;

    private final Curves curves;

    public CurvePicture(Curves curves) {
        this.curves = curves;
    }

    /** The whole picture. */
    public String svg() {
        StringWriter text = new StringWriter();
        try {
            XMLStreamWriter xml = XMLOutputFactory.newInstance().createXMLStreamWriter(text);
            int height = HEAD
                    + curves.charts().stream().mapToInt(CurvePicture::height).sum();
            xml.writeStartElement("svg");
            xml.writeAttribute("xmlns", "http://www.w3.org/2000/svg");
            attributes(xml, "viewBox", "0 0 " + WIDTH + " " + height, "font-family", "sans-serif", "font-size", "13");
            element(xml, "rect", "width", WIDTH, "height", height, "fill", "#fff");
            text(xml, curves.title(), "x", LEFT, "y", 32, "font-size", 20, "fill", DARK);
            text(xml, curves.subtitle(), "x", LEFT, "y", 54, "fill", GREY);
            int top = HEAD;
            for (Chart chart : curves.charts()) {
                xml.writeStartElement("g");
                attributes(xml, "transform", "translate(" + LEFT + " " + (top + PLOT_TOP) + ")");
                chart(xml, chart);
                xml.writeEndElement();
                top += height(chart);
            }
            xml.writeEndElement();
            xml.close();
        } catch (XMLStreamException impossible) {
            throw new IllegalStateException(impossible);
        }
        return text.append('\n').toString();
    }

    private static int height(Chart chart) {
        int rows = (chart.lines().size() + LEGEND_COLUMNS - 1) / LEGEND_COLUMNS;
        return PLOT_TOP + PLOT_HEIGHT + PLOT_FOOT + rows * LEGEND_ROW + CHART_GAP;
    }

    private static double[] all(Chart chart, Function<Line, double[]> column) {
        return chart.lines().stream()
                .map(column)
                .flatMapToDouble(DoubleStream::of)
                .toArray();
    }

    private static void chart(XMLStreamWriter xml, Chart chart) throws XMLStreamException {
        double[] allX = all(chart, Line::x);
        Axis x = chart.logX() ? Axis.logarithmic(allX) : Axis.linear(allX);
        Axis y = Axis.linear(all(chart, Line::y));
        text(xml, chart.title(), "x", 0, "y", -14, "font-size", 15, "fill", DARK);
        for (double tick : x.ticks()) {
            double at = x.share(tick) * PLOT_WIDTH;
            element(xml, "line", "x1", at, "x2", at, "y1", 0, "y2", PLOT_HEIGHT, "stroke", PALE);
            text(xml, Axis.label(tick), "x", at, "y", PLOT_HEIGHT + 18, "text-anchor", "middle", "fill", GREY);
        }
        for (double tick : y.ticks()) {
            double at = (1 - y.share(tick)) * PLOT_HEIGHT;
            element(xml, "line", "x1", 0, "x2", PLOT_WIDTH, "y1", at, "y2", at, "stroke", PALE);
            text(xml, Axis.label(tick), "x", -8, "y", at + 4, "text-anchor", "end", "fill", GREY);
        }
        text(xml, chart.xLabel(), "x", PLOT_WIDTH / 2, "y", PLOT_HEIGHT + 38, "text-anchor", "middle", "fill", DARK);
        text(
                xml,
                chart.yLabel(),
                "transform",
                "translate(-58 " + PLOT_HEIGHT / 2 + ") rotate(-90)",
                "text-anchor",
                "middle",
                "fill",
                DARK);
        for (int i = 0; i < chart.lines().size(); i++) {
            line(xml, chart.lines().get(i), x, y, COLOURS.get(i % COLOURS.size()));
            legend(xml, chart.lines().get(i).name(), i, COLOURS.get(i % COLOURS.size()));
        }
    }

    private static void line(XMLStreamWriter xml, Line line, Axis x, Axis y, String colour) throws XMLStreamException {
        String points = String.join(
                " ",
                IntStream.range(0, line.x().length)
                        .mapToObj(i -> number(x.share(line.x()[i]) * PLOT_WIDTH) + ","
                                + number((1 - y.share(line.y()[i])) * PLOT_HEIGHT))
                        .toList());
        element(xml, "polyline", "points", points, "fill", "none", "stroke", colour, "stroke-width", 1.5);
    }

    private static void legend(XMLStreamWriter xml, String name, int place, String colour) throws XMLStreamException {
        int left = place % LEGEND_COLUMNS * (PLOT_WIDTH / LEGEND_COLUMNS);
        int middle = PLOT_HEIGHT + PLOT_FOOT + place / LEGEND_COLUMNS * LEGEND_ROW + LEGEND_ROW / 2;
        element(
                xml,
                "line",
                "x1",
                left,
                "x2",
                left + 20,
                "y1",
                middle,
                "y2",
                middle,
                "stroke",
                colour,
                "stroke-width",
                3);
        text(xml, name, "x", left + 28, "y", middle + 4, "fill", DARK);
    }

    private static void element(XMLStreamWriter xml, String name, Object... pairs) throws XMLStreamException {
        xml.writeEmptyElement(name);
        attributes(xml, pairs);
    }

    private static void text(XMLStreamWriter xml, String text, Object... pairs) throws XMLStreamException {
        xml.writeStartElement("text");
        attributes(xml, pairs);
        xml.writeCharacters(text);
        xml.writeEndElement();
    }

    /** @param pairs name, value, name, value and so on */
    private static void attributes(XMLStreamWriter xml, Object... pairs) throws XMLStreamException {
        for (int i = 0; i < pairs.length; i += 2) {
            Object value = pairs[i + 1];
            xml.writeAttribute(pairs[i].toString(), value instanceof Double number ? number(number) : value.toString());
        }
    }

    /** To a tenth of a pixel. */
    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
