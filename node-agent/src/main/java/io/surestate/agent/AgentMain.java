package io.surestate.agent;

import static io.surestate.agent.AgentConfig.set;

import io.surestate.agent.process.ProcessScans;
import io.surestate.agent.process.ProcessTable;
import io.surestate.api.Names;
import io.surestate.daemon.ServiceManager;
import io.surestate.manifest.config.ConfigException;
import io.surestate.manifest.config.ConfigFile;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code surestate-agent}: finds out what this node has, registers it and runs what the ledger places on it. */
@Command(
        name = "surestate-agent",
        mixinStandardHelpOptions = true,
        version = "surestate-agent 0.1.0",
        description = "Runs on each node: discovery, lease, tasks.",
        footer = {"", "Example:", "  surestate-agent --config /etc/surestate/agent.yaml"})
public final class AgentMain implements Callable<Integer> {
    private static final int USAGE = 2;
    private static final int REFUSED = 1;

    @Option(
            names = "--config",
            required = true,
            paramLabel = "FILE",
            description = "YAML configuration; several for several nodes in one process, to try things out")
    private List<Path> configs = List.of();

    @Option(
            names = "--keeper-unit",
            description = "Start no keeper: a unit of the service manager runs it (surestate-keeper.service)")
    private boolean keeperUnit;

    @Option(
            names = "--sysfs-root",
            paramLabel = "FOLDER",
            description = "Where the kernel shows its devices, instead of the configuration's sysfsRoot")
    private String sysfsRoot = "";

    @Option(names = "--print-config", description = "Print the effective configuration and exit")
    private boolean printConfig;

    private final PrintStream err;

    private AgentMain(PrintStream err) {
        this.err = err;
    }

    /** Runs until a signal ends it; SIGTERM leaves the tasks running and exits with 0. */
    public static void main(String[] args) {
        // Several programs may share one folder of jars, so the file has a name of its own.
        if (System.getProperty("logback.configurationFile") == null) {
            System.setProperty("logback.configurationFile", "logback-agent.xml");
        }
        System.exit(new CommandLine(new AgentMain(System.err)).execute(args));
    }

    @Override
    public Integer call() {
        List<AgentConfig> effective = new ArrayList<>();
        try {
            for (Path config : configs) {
                AgentConfig read = named(ConfigFile.read(config, AgentConfig.class));
                effective.add(sysfsRoot.isEmpty() ? read : read.rooted(sysfsRoot));
            }
        } catch (ConfigException | IllegalArgumentException e) {
            err.println("surestate-agent: " + e.getMessage());
            return USAGE;
        }
        if (printConfig) {
            effective.forEach(config -> System.out.print(ConfigFile.write(config)));
            return 0;
        }
        List<DataDir> dataDirs = new ArrayList<>();
        try {
            for (AgentConfig config : effective) {
                dataDirs.add(DataDir.open(Path.of(set(config.dataDir()))));
            }
            return run(effective, dataDirs, !keeperUnit);
        } catch (IOException | IllegalStateException | IllegalArgumentException e) {
            err.println("surestate-agent: " + e.getMessage());
            return REFUSED;
        }
    }

    private static Integer run(List<AgentConfig> configs, List<DataDir> dataDirs, boolean ownKeeper)
            throws IOException {
        Logger log = LoggerFactory.getLogger(AgentMain.class);
        ProcessScans scans = new ProcessScans(new ProcessTable(Path.of("/proc")), System::nanoTime);
        List<AgentProcess> processes = new ArrayList<>();
        for (int i = 0; i < configs.size(); i++) {
            log.info("event=configuration\n{}", ConfigFile.write(configs.get(i)));
            processes.add(
                    new AgentAssembly(configs.get(i), scans, ownKeeper, new SecureRandom()).assemble(dataDirs.get(i)));
        }
        ServiceManager manager = ServiceManager.ofThisProcess();
        CountDownLatch signalled = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            signalled.countDown();
                            manager.stopping();
                            processes.forEach(AgentProcess::close);
                            manager.close();
                            log.info("event=stopped tasks=left-running");
                            Runtime.getRuntime().halt(0);
                        },
                        "surestate-stop"));
        for (int i = 0; i < configs.size(); i++) {
            processes.get(i).start(manager);
            log.info(
                    "event=started node={} data_dir={}",
                    configs.get(i).nodeName(),
                    dataDirs.get(i).path());
        }
        // Whether a server answers is another matter: a machine that boots must not wait for the cluster.
        manager.ready("discovered, tasks re-attached");
        try {
            signalled.await();
            Thread.currentThread().join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return 0;
    }

    private static AgentConfig named(AgentConfig config) {
        if (!set(config.nodeName()).isEmpty()) {
            return config;
        }
        String hostname = Hostname.of(Path.of("/proc"));
        Optional<String> problem = Names.subdomainProblem("nodeName (from the host's name)", hostname);
        if (problem.isPresent()) {
            throw new IllegalArgumentException(problem.get());
        }
        return config.named(hostname);
    }
}
