package io.surestate.bench;

import io.surestate.client.SurestateException;
import io.surestate.testkit.cluster.Api;
import io.surestate.testkit.cluster.ClusterLayout;
import io.surestate.testkit.cluster.ProcessCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Time from SIGKILL of the leader to the next acknowledged submit through any survivor, on three server processes without other load.
 * Argument: trials. Election timeouts are those of {@link ClusterLayout}, 500-1000 ms.
 */
public final class FailoverTime {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private FailoverTime() {}

    public static void main(String[] args) throws IOException {
        int trials = args.length == 0 ? 10 : Integer.parseInt(args[0]);
        Path folder = Files.createTempDirectory("surestate-failover");
        ClusterLayout layout = ClusterLayout.of(folder, 3);
        List<Long> millis = new ArrayList<>();
        try (ProcessCluster cluster = ProcessCluster.start(layout);
                Api api = Api.of(layout)) {
            for (int trial = 0; trial < trials; trial++) {
                for (int i = 0; i < 200; i++) {
                    submit(api, "warm-" + trial + "-" + i);
                }
                int leader = Integer.parseInt(api.status().getLeaderId().substring(1)) - 1;
                long killed = System.nanoTime();
                cluster.killServer(leader);
                submit(api, "after-" + trial);
                millis.add((System.nanoTime() - killed) / NANOS_PER_MILLI);
                cluster.restartServer(leader);
            }
        }
        Collections.sort(millis);
        System.out.printf(
                "leader kill to next commit: min %d median %d max %d ms, %d trials%n",
                millis.get(0), millis.get(millis.size() / 2), millis.get(millis.size() - 1), millis.size());
    }

    /** The client itself repeats until it is answered, under one request id. */
    private static void submit(Api api, String name) {
        try {
            api.submit(Api.shellJob(name, 1, "true"), name);
        } catch (SurestateException refused) {
            throw new IllegalStateException(name, refused);
        }
    }
}
