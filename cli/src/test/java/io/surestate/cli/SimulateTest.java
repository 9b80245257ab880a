package io.surestate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulateTest {
    private static final String REST = " -1 1 7 1 -1 -1 -1 -1 -1\n";

    /** On five processors the third job may start before the second only if a backfill rule lets it. */
    private static final String LOG = "; MaxProcs: 5\n"
            + "1 0 -1 10 3 -1 -1 3 10" + REST
            + "2 1 -1 10 4 -1 -1 4 10" + REST
            + "3 2 -1 20 1 -1 -1 1 20" + REST
            + "4 3 -1 10 9 -1 -1 9 10" + REST;

    private static final String NODES = "sn,cpu_milli,memory_mib,gpu,model\nn1,8000,8192,2,T4\nn2,8000,8192,2,T4\n";
    private static final String PODS = """
            name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec
            p1,1000,1024,1,1000,
            p2,1000,1024,1,500,
            p3,1000,1024,1,500,
            p4,1000,1024,2,1000,
            """;

    @TempDir
    private Path folder;

    private static CommandRun run(String... args) {
        return CommandRun.of(Map.of(), "", args);
    }

    private String file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    private String log() throws IOException {
        return "swf:" + file("log.swf", LOG);
    }

    @Test
    void comparesPoliciesInATable() throws IOException {
        CommandRun run = run("simulate", "--workload", log(), "--policy", "fcfs", "--backfill", "none,easy");

        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(run.out().lines()).hasSize(4);
        assertThat(run.out())
                .startsWith("POLICY  BACKFILL  JOBS  BOUNDED SLOWDOWN  P99")
                .containsPattern("fcfs +none +3 +1\\.4333 ")
                .containsPattern("fcfs +easy +3 +1\\.3000 ")
                .contains("(1 jobs of the trace cannot be replayed on this machine and are left out)");
    }

    @Test
    void tellsTheSameToPrograms() throws IOException {
        CommandRun run = run(
                "simulate",
                "--workload",
                log(),
                "--policy",
                "fcfs,sjf",
                "--backfill",
                "easy",
                "--procs",
                "9",
                "-o",
                "json");

        JsonNode policies = new JsonMapper().readTree(run.out()).get("policies");
        assertThat(policies).hasSize(2);
        assertThat(policies.get(1).get("name").asText()).isEqualTo("sjf");
        assertThat(policies.get(0).get("backfill").asText()).isEqualTo("easy");
        assertThat(policies.get(0).get("jobs").asInt()).isEqualTo(4);
        assertThat(policies.get(0).get("dropped").asInt()).isZero();
        assertThat(policies.get(0).properties())
                .extracting(Map.Entry::getKey)
                .contains(
                        "boundedSlowdown",
                        "p99BoundedSlowdown",
                        "utilization",
                        "waitSeconds",
                        "maxWaitSeconds",
                        "makespanSeconds");
        assertThat(run("simulate", "--workload", log(), "-o", "yaml").out()).startsWith("policies:\n");
        assertThat(run("simulate", "--workload", log(), "-o", "name").out()).isEqualTo("fcfs\n");
    }

    @Test
    void meansOverSeveralShakenReplays() throws IOException {
        CommandRun run = run("simulate", "--workload", log(), "--shake", "1-4");

        assertThat(run.out()).containsPattern("fcfs +easy +12 ").contains("(each figure is the mean of 4 replays");
        assertThat(run("simulate", "--workload", log(), "--shake", "1-4").out()).isEqualTo(run.out());
    }

    @Test
    void replaysGpuJobs() throws IOException {
        String philly = "philly:" + file("a.csv", "num_gpu,submit_time,duration\n2,0,10000\n4,1000,10000\n");
        file("simulation_throughputs.json", "{\"v100\": {\"('Net', 1)\": {\"null\": 2.0}}}");
        String gavel = "gavel:" + file("a.trace", "Net\tcmd\t-n\t1\t100\t3.0\t1\n");

        assertThat(run("simulate", "--workload", philly, "--procs", "4").out())
                .containsPattern("fcfs +easy +2 ")
                .contains("(each job asks for exactly the time that it takes)");
        assertThat(run("simulate", "--workload", gavel, "--procs", "4").out())
                .containsPattern("fcfs +easy +1 ")
                .contains("(all GPUs are of type v100)");
        assertThat(run("simulate", "--workload", philly).err())
                .startsWith(
                        "ssctl: USAGE: --procs: missing (expected: the number of GPUs of the cluster, or --cluster nodes:FILE)\n");
    }

    private static final String SUPERNODE = """
            nodes:
              - name: t1
                spec: {domains: [{level: supernode, name: s1}], devices: [{ordinal: 0, kind: GPU}, {ordinal: 1, kind: GPU}]}
              - name: t2
                spec: {domains: [{level: supernode, name: s1}], devices: [{ordinal: 0, kind: GPU}, {ordinal: 1, kind: GPU}]}
            """;

    @Test
    void replaysGpuJobsOnNodes() throws IOException {
        String philly = "philly:" + file("a.csv", "num_gpu,submit_time,duration\n2,0,10000\n4,1000,10000\n8,0,1\n");
        String nodes = "nodes:" + file("planned.yaml", SUPERNODE);

        CommandRun run = run("simulate", "--workload", philly, "--cluster", nodes, "--policy", "fcfs,sjf");
        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .containsPattern("MAKESPAN +IN ONE SUPERNODE +NEIGHBOUR DISTANCE +FRAGMENTATION\n")
                .containsPattern("fcfs +easy +2 .* 100\\.0% +0\\.250 +0\\.0%\n")
                .contains("(each GPU of a job is a task of its gang, which asks for nothing else)")
                .contains("(1 jobs of the trace cannot be replayed");
        JsonNode first = new JsonMapper()
                .readTree(run("simulate", "--workload", philly, "--cluster", nodes, "--pack", "supernode", "-o", "json")
                        .out())
                .at("/policies/0");
        assertThat(first.get("domainLevel").asText()).isEqualTo("supernode");
        assertThat(first.get("gangsInOneDomain").asDouble()).isEqualTo(1);
        assertThat(first.get("gangs").asInt()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--pack rack | 2 | --pack: \"rack\" (expected: a level that nodes name: supernode)",
                "--required | 2 | --required: given alone (expected: with --pack)",
                "--procs 4 | 2 | --procs: given with --cluster (expected: one of them)",
            })
    void refusesWhatNodesCannotMean(String args, int code, String message) throws IOException {
        String philly = "philly:" + file("a.csv", "num_gpu,submit_time,duration\n2,0,10000\n");
        String all =
                "simulate --workload " + philly + " --cluster nodes:" + file("planned.yaml", SUPERNODE) + " " + args;

        CommandRun run = run(all.split(" "));

        assertThat(run.err()).contains(message);
        assertThat(run.code()).isEqualTo(code);
    }

    @Test
    void placesPods() throws IOException {
        CommandRun run = run(
                "simulate",
                "--cluster",
                "openb:" + file("nodes.csv", NODES),
                "--workload",
                "openb:" + file("pods.csv", PODS),
                "--policy",
                "fgd,random",
                "--seeds",
                "1-3",
                "-o",
                "json");

        assertThat(run.err()).isEmpty();
        JsonNode fgd = new JsonMapper().readTree(run.out()).get("policies").get(0);
        assertThat(fgd.get("name").asText()).isEqualTo("fgd");
        assertThat(fgd.get("runs").asInt()).isEqualTo(3);
        assertThat(fgd.get("allocationPercent").get("mean").asDouble()).isBetween(50.0, 100.0);
        assertThat(fgd.get("allocationPercent").has("sd")).isTrue();
        assertThat(fgd.get("allocationPercentAt").isEmpty()).isFalse();
        assertThat(fgd.get("decisionMicros").has("p99")).isTrue();
    }

    @Test
    void placesPodsThroughTheLedgerToTheSameFigures() throws IOException {
        String nodes = "openb:" + file("nodes.csv", NODES);
        String pods = "openb:" + file("pods.csv", PODS);
        JsonMapper json = new JsonMapper();
        JsonNode direct = json.readTree(run("simulate", "--cluster", nodes, "--workload", pods, "-o", "json")
                .out());
        CommandRun run = run("simulate", "--cluster", nodes, "--workload", pods, "--ledger", "-o", "json");

        assertThat(run.err()).isEmpty();
        assertThat(json.readTree(run.out()).at("/policies/0/allocationPercentAt"))
                .isEqualTo(direct.at("/policies/0/allocationPercentAt"));
    }

    @Test
    void drawsTheCurvesIntoOneFile() throws IOException {
        Path page = folder.resolve("curves.html");

        CommandRun run = run("simulate", "--workload", log(), "--policy", "fcfs,sjf", "--plot", page.toString());

        assertThat(run.code()).isZero();
        assertThat(page).content().contains("Queue policies on log.swf", "fcfs, easy", "sjf, easy", "uPlot");
    }

    @Test
    void drawsTheCurvesAsAPicture() throws IOException {
        Path picture = folder.resolve("curves.svg");

        CommandRun run = run("simulate", "--workload", log(), "--policy", "fcfs,sjf", "--plot", picture.toString());

        assertThat(run.code()).isZero();
        assertThat(picture)
                .content()
                .startsWith("<svg xmlns=\"http://www.w3.org/2000/svg\"")
                .contains("Queue policies on log.swf", "fcfs, easy", "sjf, easy");
    }

    @Test
    void showsProgressOnATerminalAlone() throws IOException {
        String log = log();
        CommandRun seen = CommandRun.of(Map.of(CommandRun.TERMINAL, "yes"), "", "simulate", "--workload", log);

        assertThat(seen.err()).contains("Simulating");
        assertThat(seen.out()).isEqualTo(run("simulate", "--workload", log).out());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--workload nope:x | --workload: \"nope:x\" (expected: swf:FILE, philly:FILE, gavel:FILE, openb:FILE)",
                "--workload LOG --policy slow | --policy: \"slow\" (expected: fcfs, sjf, f1, area, area-learned)",
                "--workload LOG --backfill some | --backfill: \"some\" (expected: none, strict, easy, easy-sjbf, easy++)",
                "--workload LOG --procs many | --procs: \"many\" (expected: a number from 1 to 2147483647)",
                "--workload LOG --procs 0 | --procs: \"0\" (expected: a number from 1 to 2147483647)",
                "--workload LOG --sequences 3x7 | --sequences: \"3x7\" (expected: 10x1024)",
                "--workload LOG --sequences 10x1024 | --sequences: \"3 jobs in the log\" (expected: at least 9874)",
                "--workload LOG --shake=-1 | --shake: \"-1\" (expected: a number from 0, or FROM-TO, at most 1000 of them)",
                "--workload LOG --shake 8-1 | --shake: \"8-1\" (expected: a number from 0, or FROM-TO, at most 1000 of them)",
                "--workload LOG --events late | --events: \"late\" (expected: together, each, expire-first)",
                "--workload LOG --plot curves.png | --plot: \"curves.png\" (expected: a file name that ends in .html or .svg)",
                "--workload LOG --plot /nonexistent/a.html | --plot: \"/nonexistent/a.html\" (expected: a file in a folder",
                "--workload LOG --seeds 1-2 | --seeds: not for workloads of form swf (expected: openb)",
                "--workload LOG --gpu-type v100 | --gpu-type: not for workloads of form swf (expected: gavel)",
                "--workload philly:x --sequences 10x1024 | --sequences: not for workloads of form philly (expected: swf)",
                "--workload gavel:/nonexistent/a --procs 4 | --throughputs: \"/nonexistent/simulation_throughputs.json\" "
                        + "(expected: a file of the steps per second that were measured for each kind of job)",
                "--workload LOG --cluster nodes:x | --cluster: not for workloads of form swf (expected: openb, philly, gavel)",
                "--workload philly:x --pack rack | --pack, --required: given without nodes (expected: --cluster nodes:FILE)",
                "--workload philly:x --cluster openb:y | --cluster: \"openb:y\" (expected: nodes:FILE)",
                "--workload swf:/nonexistent.swf | /nonexistent.swf: no such file",
                "--workload openb:/nonexistent.csv | --cluster: missing (expected: openb:NODES.csv)",
                "--workload openb:x --cluster openb:y --backfill easy | --backfill: not for workloads of form openb (expected: swf, philly, gavel)",
            })
    void exitsWithTwoWhenUsedWronglyAndSaysWhatIsExpected(String args, String message) throws IOException {
        CommandRun run = run(("simulate " + args.replace("LOG", log())).split(" "));

        assertThat(run.err()).startsWith("ssctl: USAGE: " + message);
        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void exitsWithOneForABrokenLineAndNamesIt() throws IOException {
        CommandRun run = run("simulate", "--workload", "swf:" + file("bad.swf", LOG + "5 x\n"));

        assertThat(run.code()).isEqualTo(ExitCode.REFUSED);
        assertThat(run.err())
                .startsWith("ssctl: INVALID_ARGUMENT: ")
                .contains("bad.swf:6: fields: \"2\" (expected: 18)");
    }

    @Test
    void namesThePlacementPoliciesThatThereAre() throws IOException {
        CommandRun run = run(
                "simulate",
                "--cluster",
                "openb:" + file("nodes.csv", NODES),
                "--workload",
                "openb:" + file("pods.csv", PODS),
                "--policy",
                "best");

        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err())
                .contains("--policy: \"best\" (expected: bestfit, ")
                .contains("surestate");
    }
}
