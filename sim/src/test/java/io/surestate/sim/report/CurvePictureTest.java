package io.surestate.sim.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

class CurvePictureTest {
    private static final Chart PLAIN = new Chart(
            "t<1>", "x", "y", false, List.of(new Line("a & b", new double[] {0, 50, 100}, new double[] {0, 30, 60})));
    private static final Chart LOGARITHMIC = new Chart(
            "log", "x", "y", true, List.of(new Line("one", new double[] {1, 10, 1000}, new double[] {0, 1, 2})));
    private static final Chart EMPTY =
            new Chart("none", "x", "y", true, List.of(new Line("none", new double[0], new double[0])));

    private static Document drawn(Chart... charts) throws Exception {
        String svg = new CurvePicture(new Curves("A & B", "<sub>", List.of(charts))).svg();
        assertThat(svg).doesNotContain("href", "url(", "@import", "<script", "NaN", "Infinity");
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
    }

    private static String points(Document svg, int line) {
        return ((Element) svg.getElementsByTagName("polyline").item(line)).getAttribute("points");
    }

    @Test
    void drawsLinesFromCornerToCornerOfTheirAxes() throws Exception {
        Document svg = drawn(PLAIN, LOGARITHMIC);

        assertThat(points(svg, 0)).isEqualTo("0.0,300.0 485.0,150.0 970.0,0.0");
        assertThat(points(svg, 1)).startsWith("0.0,300.0 323.3,150.0 970.0,");
        assertThat(svg.getDocumentElement().getTextContent())
                .contains("A & B", "<sub>", "t<1>", "a & b", "60", "100", "1000");
    }

    @Test
    void drawsAxesWhereThereIsNothing() throws Exception {
        assertThat(points(drawn(EMPTY), 0)).isEmpty();
    }

    @Test
    void ticksAreRoundAndHoldAllValues() {
        assertThat(Axis.linear(0.3, 95.2).ticks()).containsExactly(0.0, 20.0, 40.0, 60.0, 80.0, 100.0);
        assertThat(Axis.linear(-3, 4).ticks()).containsExactly(-4.0, -2.0, 0.0, 2.0, 4.0);
        assertThat(Axis.linear(0).ticks()).startsWith(0.0).endsWith(1.0);
        assertThat(Axis.logarithmic(1, 1.5).ticks()).containsExactly(1.0, 10.0);
        assertThat(List.of(Axis.label(0), Axis.label(0.25), Axis.label(100), Axis.label(2e9), Axis.label(1e-5)))
                .containsExactly("0", "0.25", "100", "2e+09", "1e-05");
    }
}
