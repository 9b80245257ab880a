package io.surestate.bench;

import io.surestate.testkit.cluster.Api;
import io.surestate.testkit.cluster.ClusterLayout;
import io.surestate.testkit.cluster.DeviceRace;
import io.surestate.testkit.cluster.ProcessCluster;
import java.io.IOException;
import java.nio.file.Files;

/**
 * Clients that race for 256 devices of 32 nodes on three server processes, with the leader killed halfway; every revision is checked from
 * the watch. Arguments: clients, commits of each (32 and 1,000). Each commit is followed by its release, so commands are twice as many.
 */
public final class DeviceRaceLoad {
    private static final int NODES = 32;
    private static final double NANOS_PER_SECOND = 1e9;

    private DeviceRaceLoad() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        int clients = args.length > 0 ? Integer.parseInt(args[0]) : 32;
        int commits = args.length > 1 ? Integer.parseInt(args[1]) : 1_000;
        ClusterLayout layout = ClusterLayout.of(Files.createTempDirectory("surestate-race"), 3);
        try (ProcessCluster cluster = ProcessCluster.start(layout);
                Api api = Api.of(layout)) {
            cluster.startFakeNodes("fake", NODES + "x8");
            ReadyNodes.await(api, NODES);
            int leader = Integer.parseInt(api.status().getLeaderId().substring(1)) - 1;
            DeviceRace.Result result = new DeviceRace(layout.endpoints()).run(clients, commits, () -> {
                cluster.killServer(leader);
                cluster.restartServer(leader);
            });
            double seconds = result.nanos() / NANOS_PER_SECOND;
            System.out.printf(
                    "%d clients, %d devices: %d commits and as many releases, %d refused, in %.1f s = %.0f commits/s;"
                            + " %d revisions seen, problems: %s%n",
                    clients,
                    8 * NODES,
                    result.committed(),
                    result.refused(),
                    seconds,
                    result.committed() / seconds,
                    result.revisionsSeen(),
                    result.problems());
        }
    }
}
