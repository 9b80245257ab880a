package io.surestate.agent;

import static io.surestate.agent.AgentConfig.set;

import io.surestate.api.Names;
import io.surestate.manifest.config.ConfigException;
import io.surestate.manifest.config.ConfigFile;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.security.SecureRandom;
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
        description = "Runs on each node: discovery, lease, tasks.")
public final class AgentMain implements Callable<Integer> {
    private static final int USAGE = 2;
    private static final int REFUSED = 1;

    @Option(names = "--config", required = true, paramLabel = "FILE", description = "YAML configuration")
    private Path config = Path.of("");

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
        AgentConfig effective;
        try {
            effective = named(ConfigFile.read(config, AgentConfig.class));
        } catch (ConfigException | IllegalArgumentException e) {
            err.println("surestate-agent: " + e.getMessage());
            return USAGE;
        }
        if (printConfig) {
            System.out.print(ConfigFile.write(effective));
            return 0;
        }
        try (DataDir dataDir = DataDir.open(Path.of(set(effective.dataDir())))) {
            return run(effective, dataDir);
        } catch (IOException | IllegalStateException | IllegalArgumentException e) {
            err.println("surestate-agent: " + e.getMessage());
            return REFUSED;
        }
    }

    private static Integer run(AgentConfig config, DataDir dataDir) throws IOException {
        Logger log = LoggerFactory.getLogger(AgentMain.class);
        log.info("event=configuration\n{}", ConfigFile.write(config));
        AgentProcess process = new AgentAssembly(config, new SecureRandom()).assemble(dataDir);
        CountDownLatch signalled = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            signalled.countDown();
                            process.close();
                            log.info("event=stopped tasks=left-running");
                            Runtime.getRuntime().halt(0);
                        },
                        "surestate-stop"));
        process.start();
        log.info("event=started node={} data_dir={}", config.nodeName(), dataDir.path());
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
