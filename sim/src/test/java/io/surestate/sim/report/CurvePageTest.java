package io.surestate.sim.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CurvePageTest {
    private static final Chart CHART = new Chart(
            "t</script>", "x", "y", false, List.of(new Line("one", new double[] {1, 2}, new double[] {0.5, 0.25})));

    @Test
    void holdsLibraryStyleLicenceAndData() {
        String page = new CurvePage(new Curves("A & B", "<sub>", List.of(CHART))).html();

        assertThat(page)
                .contains(
                        "<title>A &amp; B</title>",
                        "&lt;sub&gt; Drag to zoom",
                        "var uPlot=",
                        ".uplot",
                        "The MIT License (MIT)")
                .contains("\"x\":[1.0,2.0]", "\"y\":[0.5,0.25]", "t\\u003c/script>")
                .doesNotContain("{charts}", "{library}", "{style}", "{title}", "{subtitle}", "{licence}");
    }

    @Test
    void asksNothingOfTheNetwork() {
        String page = new CurvePage(new Curves("A", "B", List.of(CHART))).html();

        assertThat(page).doesNotContain("src=", "href=", "@import", "fetch(", "XMLHttpRequest");
    }
}
