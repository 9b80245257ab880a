package io.surestate.server;

import io.surestate.daemon.ServiceManager;
import io.surestate.manifest.config.ConfigException;
import io.surestate.manifest.config.ConfigFile;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code surestated}: runs one server until it is told to stop. */
@Command(
        name = "surestated",
        mixinStandardHelpOptions = true,
        versionProvider = ServerMain.BuildVersion.class,
        description = "Runs one server of a Surestate cluster.",
        footer = {
            "",
            "Exit codes: 0 stopped by a signal, 2 configuration or data folder refused, 70 the state cannot go on.",
            "",
            "Example, first start of a new cluster on each server:",
            "  surestated --config /etc/surestate/surestated.yaml --bootstrap",
            "ever after:",
            "  surestated --config /etc/surestate/surestated.yaml",
            "or, under systemd, once on each server:",
            "  sudo -u surestate surestated --config /etc/surestate/surestated.yaml --init",
            "  systemctl enable --now surestated"
        })
public final class ServerMain implements Callable<Integer> {
    /** The state cannot go on; restarting replays from the newest snapshot. */
    private static final int EXIT_FAULT = 70;

    private static final int EXIT_USAGE = 2;
    private static final Logger LOG = LoggerFactory.getLogger(ServerMain.class);

    @Option(names = "--config", required = true, paramLabel = "FILE", description = "Configuration file (YAML).")
    private Path configFile = Path.of("");

    @Option(
            names = "--bootstrap",
            description = "First start of a new cluster: take an empty data folder as a new voter's.")
    private boolean bootstrap;

    @Option(
            names = "--init",
            description =
                    "Take an empty data folder as a new voter's, as --bootstrap does, and exit: before the first start by a"
                            + " service manager.")
    private boolean init;

    @Option(names = "--print-config", description = "Print the effective configuration and exit.")
    private boolean printConfig;

    public static void main(String[] args) {
        System.exit(new CommandLine(new ServerMain()).execute(args));
    }

    @Override
    public Integer call() throws InterruptedException {
        SLF4JBridgeHandler.removeHandlersForRootLogger();
        SLF4JBridgeHandler.install();
        try {
            ServerConfig config = ConfigFile.read(configFile, ServerConfig.class);
            if (printConfig) {
                System.out.print(ConfigFile.write(config));
                return 0;
            }
            if (init) {
                DataDir.open(config, true).close();
                System.out.println(config.dataDir() + " is ready for the first start of " + config.serverId());
                return 0;
            }
            return run(config);
        } catch (ConfigException refused) {
            System.err.println("surestated: " + refused.getMessage());
            return EXIT_USAGE;
        } catch (RuntimeException cannotStart) {
            LOG.error(
                    "action=start result=failed reason=\"{}\" exit={}",
                    rootCause(cannotStart),
                    EXIT_FAULT,
                    cannotStart);
            System.err.println(
                    "surestated: cannot start: " + rootCause(cannotStart) + " (expected: a whole data folder; if a file"
                            + " is damaged, restore the folder or remove this server from the cluster and join it anew)");
            return EXIT_FAULT;
        }
    }

    private int run(ServerConfig config) throws InterruptedException {
        LOG.info("action=start version={} configuration:\n{}", Version.current(), ConfigFile.write(config));
        CountDownLatch stop = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> awaitStop(stop, stopped), "surestate-signal"));
        try (ServiceManager manager = ServiceManager.ofThisProcess();
                ServerAssembly server = new ServerAssembly(config, bootstrap, ServerMain::die)) {
            server.start(manager);
            manager.ready("serves; looks for the others");
            LOG.info(
                    "action=listen client={} peer={} http={}",
                    config.self().client(),
                    config.self().peer(),
                    config.http());
            stop.await();
            LOG.info("action=stop");
            manager.stopping();
        } finally {
            stopped.countDown();
        }
        return 0;
    }

    /** The process ends when the hook returns, so the hook waits for the clean stop; a stop by signal is a success. */
    private static void awaitStop(CountDownLatch stop, CountDownLatch stopped) {
        if (stopped.getCount() == 0) {
            return;
        }
        stop.countDown();
        try {
            stopped.await();
            Runtime.getRuntime().halt(0);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    /** No clean stop: what is in memory may be wrong. The disk holds only what was whole. */
    private static void die(Throwable fault) {
        LOG.error("action=die exit={} reason=\"{}\"", EXIT_FAULT, fault.toString(), fault);
        Runtime.getRuntime().halt(EXIT_FAULT);
    }

    private static String rootCause(Throwable failure) {
        Throwable deepest = failure;
        while (deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        return deepest.toString();
    }

    /** For {@code --version}. */
    static final class BuildVersion implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"surestated " + Version.current()};
        }
    }
}
