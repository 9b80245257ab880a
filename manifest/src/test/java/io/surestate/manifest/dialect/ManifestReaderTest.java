package io.surestate.manifest.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surestate.api.Limits;
import io.surestate.api.v1.EnvVar;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobType;
import io.surestate.api.v1.TaskGroup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ManifestReaderTest {
    private static final String COUNT_UP = """
            name: count-up
            type: AI_TRAINING            # AI_TRAINING | HPC | BATCH | SERVICE
            groups:
              - name: worker
                count: 4                 # gang: all four or none
                resources: {cpu: 500m, memory: 128Mi}
                command: ["bash", "count.sh"]
                env: {TARGET: "20"}
            retry: {maxAttempts: 5, backoff: 2s}
            checkpoint: {interval: 2s}
            """;

    private static Job read(String text) {
        return new ManifestReader().readJob("job.yaml", text);
    }

    private static Job readGroup(String line) {
        return read("name: a\ngroups:\n  - name: g\n    " + line + "\n");
    }

    private static void refuses(String text, String message) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(ManifestException.class)
                .hasMessage(message);
    }

    @Test
    void readsTheJobFileOfTheManual() {
        Job job = read(COUNT_UP);

        assertThat(job.getName()).isEqualTo("count-up");
        assertThat(job.getSpec().getType()).isEqualTo(JobType.JOB_TYPE_AI_TRAINING);
        TaskGroup group = job.getSpec().getGroups(0);
        assertThat(group.getCount()).isEqualTo(4);
        assertThat(group.getResources().getCpuMillicores()).isEqualTo(500);
        assertThat(group.getResources().getMemoryBytes()).isEqualTo(128L << 20);
        assertThat(group.getCommandList()).containsExactly("bash", "count.sh");
        assertThat(group.getEnvList())
                .containsExactly(
                        EnvVar.newBuilder().setName("TARGET").setValue("20").build());
        assertThat(job.getSpec().getRetry().getBackoffMillis()).isEqualTo(2_000);
        assertThat(job.getSpec().getCheckpoint().getIntervalMillis()).isEqualTo(2_000);
    }

    @Test
    void readsSnakeCaseAndCamelCaseAlike() {
        String snake = COUNT_UP.replace("maxAttempts", "max_attempts");

        assertThat(read(snake)).isEqualTo(read(COUNT_UP));
    }

    @Test
    void readsJson() {
        Job job = read("{\"name\": \"a\", \"groups\": [{\"name\": \"g\", \"resources\": {\"cpu\": \"2\"}}]}");

        assertThat(job.getSpec().getGroups(0).getResources().getCpuMillicores()).isEqualTo(2_000);
    }

    @Test
    void readsAmountsWithoutQuotes() {
        Job job = readGroup("resources: {cpu: 2, memory: 1048576}");

        assertThat(job.getSpec().getGroups(0).getResources().getCpuMillicores()).isEqualTo(2_000);
        assertThat(job.getSpec().getGroups(0).getResources().getMemoryBytes()).isEqualTo(1L << 20);
    }

    @Test
    void takesEnvironmentValuesAsTheyWereWrittenAndSortsThem() {
        Job job = readGroup("env: {Z: 20, A: true, M: 1.50}");

        assertThat(job.getSpec().getGroups(0).getEnvList())
                .extracting(EnvVar::getName, EnvVar::getValue)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("A", "true"),
                        org.assertj.core.groups.Tuple.tuple("M", "1.50"),
                        org.assertj.core.groups.Tuple.tuple("Z", "20"));
    }

    @Test
    void passesOverOutputOnlyKeysWhateverIsInThem() {
        Job job = read("name: a\nuid: {not: [even, text]}\nstatus: 7\nrevision: lots\ntasks: [1]\npendingReason: {}\n");

        assertThat(job).isEqualTo(read("name: a"));
    }

    @Test
    void keepsAnEmptyMessageThatWasWritten() {
        assertThat(read("name: a\ncheckpoint: {}\n").getSpec().hasCheckpoint()).isTrue();
        assertThat(read("name: a\n").getSpec().hasCheckpoint()).isFalse();
    }

    @Test
    void namesLineKeyAndNearestKeyOfAnUnknownKey() {
        refuses(
                COUNT_UP.replace("    count: 4", "    cout: 4"),
                "job.yaml:5: groups[0].cout: unknown key (did you mean count?)");
    }

    @Test
    void listsTheKeysWhereNoneIsNear() {
        assertThatThrownBy(() -> read("name: a\nxylophonists: 1\n"))
                .hasMessageStartingWith("job.yaml:2: xylophonists: unknown key (known keys: name, tenant, type, ")
                .hasMessageNotContaining("uid");
    }

    @Test
    void refusesAKeyThatIsGivenTwice() {
        refuses("name: a\nname: b\n", "job.yaml:2: name: given twice (expected: once)");
        refuses(
                COUNT_UP.replace("{maxAttempts: 5,", "{maxAttempts: 5, max_attempts: 6,"),
                "job.yaml:9: retry.max_attempts: given twice (expected: once)");
        refuses(
                "name: a\ngroups:\n  - env: {A: 1, A: 2}\n",
                "job.yaml:3: groups[0].env.A: given twice (expected: once)");
    }

    @Test
    void listsTheKnownNamesOfAnEnum() {
        refuses(
                "name: a\ntype: TRAINING\n",
                "job.yaml:2: type: \"TRAINING\" (expected: one of AI_TRAINING, HPC, BATCH, SERVICE)");
        refuses(
                "name: a\ntype: JOB_TYPE_HPC\n",
                "job.yaml:2: type: \"JOB_TYPE_HPC\" (expected: one of AI_TRAINING, HPC, BATCH, SERVICE)");
        refuses(
                "name: a\ntype: UNSPECIFIED\n",
                "job.yaml:2: type: \"UNSPECIFIED\" (expected: one of AI_TRAINING, HPC, BATCH, SERVICE)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2147483648", "9223372036854775807", "9223372036854775808", "-2147483649"})
    void refusesCountsThatDoNotFit(String count) {
        assertThatThrownBy(() -> readGroup("count: " + count))
                .hasMessage("job.yaml:4: groups[0].count: " + count
                        + " (expected: a whole number, -2147483648 to 2147483647)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.5", "1e3", "true", "\"4\"", "[4]", "{}", ".nan", "NaN", ".inf", "~", ""})
    void refusesCountsThatAreNoWholeNumbers(String count) {
        assertThatThrownBy(() -> readGroup("count: " + count))
                .isInstanceOf(ManifestException.class)
                .hasMessageStartingWith("job.yaml:4: groups[0].count: ")
                .hasMessageContaining("(expected: a whole number");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void leavesRangesToTheServer(int count) {
        assertThat(readGroup("count: " + count).getSpec().getGroups(0).getCount())
                .isEqualTo(count);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"-1", "NaN", ".nan", "1x", "500mm", "0.0001", "99999999999999999999", "[]", "{}", "~", "true"})
    void refusesAmountsThatAreNone(String amount) {
        assertThatThrownBy(() -> readGroup("resources: {cpu: " + amount + "}"))
                .isInstanceOf(ManifestException.class)
                .hasMessageStartingWith("job.yaml:4: groups[0].resources.cpu: ")
                .hasMessageContaining("(expected: cores such as 2, 0.5 or 500m)");
    }

    @ParameterizedTest
    @CsvSource({
        "name: 5,'5 (expected: text, in quotes: \"5\")'",
        "name: [a],a list (expected: text)",
        "name: ~,nothing (expected: text)"
    })
    void refusesNamesThatAreNoText(String line, String message) {
        assertThatThrownBy(() -> read(line)).hasMessage("job.yaml:1: name: " + message);
    }

    @Test
    void refusesAListWhereKeysBelongAndKeysWhereAListBelongs() {
        refuses("name: a\ngroups: {name: g}\n", "job.yaml:2: groups: keys and values (expected: a list)");
        refuses("name: a\nretry: [1]\n", "job.yaml:2: retry: a list (expected: keys and values)");
        refuses("- name: a\n", "job.yaml:1: manifest: a list (expected: keys and values)");
        refuses("hello", "job.yaml:1: manifest: \"hello\" (expected: keys and values)");
    }

    @Test
    void refusesSeveralDocuments() {
        refuses("name: a\n---\nname: b\n", "job.yaml:3: more than one document (expected: one)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "   ", "# nothing but a remark\n", "---\n"})
    void refusesNothing(String text) {
        assertThatThrownBy(() -> read(text)).isInstanceOf(ManifestException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"name: a\ngroups: &g []\n", "name: *n\n", "name: a\ngroups: [*g]\n"})
    void refusesAnchorsAndAliases(String text) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(ManifestException.class)
                .hasMessageContaining("anchor or alias (expected: every value written out)");
    }

    @Test
    void refusesAnAliasBomb() {
        StringBuilder bomb = new StringBuilder("name: a\nx0: &x0 [lol, lol, lol]\n");
        for (int i = 1; i < 10; i++) {
            bomb.append("x").append(i).append(": &x").append(i).append(" [");
            bomb.append(("*x" + (i - 1) + ", ").repeat(9))
                    .append("*x")
                    .append(i - 1)
                    .append("]\n");
        }

        assertThatThrownBy(() -> read(bomb.toString())).isInstanceOf(ManifestException.class);
    }

    @Test
    void refusesTextsThatAreTooLarge() {
        String text = "name: a\n#" + "x".repeat(20 << 20);

        refuses(
                text,
                "job.yaml: " + text.length() + " characters (expected: at most " + Limits.MANIFEST_BYTES_MAX + ")");
    }

    @Test
    void refusesNestingThatIsTooDeep() {
        int depth = 10_000;

        assertThatThrownBy(() -> read("status: " + "[".repeat(depth) + "]".repeat(depth)))
                .isInstanceOf(ManifestException.class);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '|',
            value = {
                "|name: a\n\tgroups: []|,2,found character '\\t(TAB)' that cannot start any token",
                "name: 'a,1,while scanning a quoted scalar: found unexpected end of stream",
                "|name: a\n  b: c|,2,mapping values are not allowed here",
                "uid: [a,1,|expected ',' or ']'|"
            })
    void saysWhatWasMetWhereTheSyntaxIsBad(String text, int line, String problem) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(ManifestException.class)
                .hasMessageStartingWith("job.yaml:" + line + ": ")
                .hasMessageContaining(problem)
                .hasMessageNotContaining("\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "name: 'a",
                "name: a\n\tgroups: []",
                "{\"name\": \"a\"",
                "name: a\n  b: c",
                "\u0000",
                "%YAML 9.9\n---\na: b"
            })
    void namesTheLineOfBadSyntax(String text) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(ManifestException.class)
                .hasMessageStartingWith("job.yaml");
    }
}
