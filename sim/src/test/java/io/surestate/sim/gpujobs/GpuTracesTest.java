package io.surestate.sim.gpujobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surestate.sim.batch.SharedData;
import io.surestate.sim.batch.Workload;
import io.surestate.sim.trace.TraceBounds;
import io.surestate.sim.trace.TraceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GpuTracesTest {
    private static final String MEASURED = """
            {"old": {"('Net (batch size 2)', 1)": {"null": 2.0, "('Other', 1)": [1.0, 1.0]},
                     "('Net (batch size 2)', 4)": {"null": 6.0},
                     "('Big', 8)": {"null": 0.0}},
             "new": {"('Net (batch size 2)', 1)": {"null": 4.0}}}
            """;

    @TempDir
    private Path folder;

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private Workload philly(String text) throws IOException {
        return PhillyTrace.read(file("trace.csv", text), 8, TraceBounds.ordinary());
    }

    private Workload gavel(String text, String type) throws IOException {
        Path measured = file("measured.json", MEASURED);
        return GavelTrace.read(file("jobs.trace", text), measured, type, 8, TraceBounds.ordinary());
    }

    @Test
    void readsArrivalsInMilliseconds() throws IOException {
        Workload taken = philly("job_id,num_gpu,submit_time,duration\n0,4,1500,2001\n1,16,0,1\n2,1,500,0\n3,2,0,500\n");

        assertThat(taken.processors()).isEqualTo(8);
        assertThat(taken.dropped()).isEqualTo(2);
        assertThat(taken.log().size()).isEqualTo(2);
        assertThat(taken.log().run(0)).isEqualTo(1);
        assertThat(taken.log().submit(1)).isEqualTo(1);
        assertThat(taken.log().run(1)).isEqualTo(3);
        assertThat(taken.log().processors(1)).isEqualTo(4);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "num_gpu,duration; | :1: submit_time: \"num_gpu,duration\" (expected: a column of this name)",
                "num_gpu,submit_time,duration;1,2 | :2: line: \"1,2\" (expected: 3 values, as the header has)",
                "num_gpu,submit_time,duration;1,-5,2 | :2: submit_time: \"-5\" (expected: a whole number, 0-1000000000000000)",
                "num_gpu,submit_time,duration;1,5,1e300 | :2: duration: \"1e300\" (expected: a whole number, 0-1000000000000000)",
                "num_gpu,submit_time,duration;1.5,5,1 | :2: num_gpu: \"1.5\" (expected: a whole number, 0-",
                "num_gpu,submit_time,duration;one,5,1 | :2: num_gpu: \"one\" (expected: a whole number, 0-",
                "num_gpu,submit_time,duration; | : no job that can be replayed on 8 processors (expected: at least one)",
            })
    void namesFileLineColumnAndValueOfWhatIsWrong(String text, String message) {
        assertThatThrownBy(() -> philly(text.replace(';', '\n')))
                .isInstanceOf(TraceException.class)
                .hasMessageContaining("trace.csv" + message);
    }

    @Test
    void reckonsRunTimesFromStepsAndWhatWasMeasured() throws IOException {
        String jobs = """
                Net (batch size 2)\tcmd\t-n\t1\t100\t3.7\t1
                Net (batch size 2)\tcmd\t-n\t1\t120\t4.0\t2
                Net (batch size 2)\tcmd\tdir\t-n\t1\t121\t8\t1\t-1.0\t5
                Big\tcmd\t-n\t1\t100\t6\t8
                Net (batch size 2)\tcmd\t-n\t1\t100\t7\t16
                """;

        Workload old = gavel(jobs, "old");

        assertThat(old.dropped()).isEqualTo(2);
        assertThat(old.log().submit(0)).isEqualTo(3);
        assertThat(old.log().run(0)).isEqualTo(50);
        // two GPUs were not measured: twice as fast as one
        assertThat(old.log().run(1)).isEqualTo(30);
        // eight neither: twice as fast as four
        assertThat(old.log().run(2)).isEqualTo(11);
        assertThat(gavel(jobs, "new").log().run(0)).isEqualTo(25);
        assertThat(old.assumptions()).contains("all GPUs are of type old");
    }

    @Test
    void listsTheTypesThatWereMeasured() {
        assertThatThrownBy(() -> gavel("Net (batch size 2)\tcmd\t-n\t1\t100\t3\t1\n", "h100"))
                .isInstanceOf(TraceException.class)
                .hasMessageEndingWith("measured.json: GPU type: \"h100\" (expected: old, new)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[] | measured.json: no GPU types (expected: {TYPE: {",
                "{'old': {'Net': 2.0}} | measured.json: nothing measured for type old (expected: {TYPE: {",
                "{'old' | measured.json:1: not JSON: ",
            })
    void namesTheFileOfMeasurementsAndWhatIsExpectedInIt(String text, String message) throws IOException {
        Path measured = file("measured.json", text.replace('\'', '"'));
        Path jobs = file("jobs.trace", "Net\tcmd\t-n\t1\t100\t3\t1\n");

        assertThatThrownBy(() -> GavelTrace.read(jobs, measured, "old", 8, TraceBounds.ordinary()))
                .isInstanceOf(TraceException.class)
                .hasMessageContaining(message)
                .hasMessageContaining("STEPS_PER_SECOND");
    }

    @Test
    void refusesALineOfOtherColumns() {
        assertThatThrownBy(() -> gavel("a\tb\n", "old"))
                .hasMessageEndingWith("jobs.trace:1: columns: \"2\" (expected: 7 or 10)");
    }

    @ParameterizedTest
    @CsvSource({"msr-seed0-0e4a51, 1181", "msr-seed0-103959, 986", "msr-seed0-6214e9, 2000", "msr-seed0-ee9e8c, 2000"})
    void readsThePublishedGavelTraces(String name, int jobs) throws IOException {
        Workload taken = GavelTrace.read(
                SharedData.file("gpujobs/gavel/" + name + ".trace"),
                SharedData.file("gpujobs/gavel/" + GavelTrace.THROUGHPUTS),
                "v100",
                128,
                TraceBounds.ordinary());

        assertThat(taken.log().size() + taken.dropped()).isEqualTo(jobs);
        assertThat(taken.dropped()).isLessThan(jobs / 10);
    }

    @ParameterizedTest
    @CsvSource({"cluster_trace, 400", "trace1, 1494", "trace2, 5755", "trace3, 992", "trace4, 2638"})
    void readsThePublishedPhillyTraces(String name, int jobs) throws IOException {
        Workload taken = PhillyTrace.read(SharedData.file("gpujobs/muri/" + name + ".csv"), 64, TraceBounds.ordinary());

        assertThat(taken.log().size()).isEqualTo(jobs);
        assertThat(taken.dropped()).isZero();
    }
}
