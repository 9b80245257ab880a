package io.surestate.cli.node;

import io.surestate.api.v1.DrainWait;
import io.surestate.api.v1.ErrorCategory;
import io.surestate.api.v1.GetNodeRequest;
import io.surestate.api.v1.GetNodeResponse;
import io.surestate.api.v1.NodesGrpc;
import io.surestate.cli.CliContext;
import io.surestate.cli.CliException;
import io.surestate.cli.connect.Session;
import io.surestate.client.SurestateException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** How far a drain is: on a terminal one line that changes, elsewhere a line whenever it does. One thread. */
final class DrainProgress {
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final int WAITS_SHOWN = 3;

    private final CliContext context;
    private final Session session;
    private final List<String> nodes;
    private String shown = "";

    DrainProgress(CliContext context, Session session, List<String> nodes) {
        this.context = context;
        this.session = session;
        this.nodes = nodes;
    }

    /** Says where it stands. */
    void show() {
        for (String node : nodes) {
            GetNodeResponse reply = look(node);
            int left = reply.getUsage().getAllocations();
            context.out()
                    .println(node
                            + (left == 0
                                    ? " is drained: nothing is left on it"
                                    : " is draining; " + left + " allocations are left: " + waits(reply)));
        }
    }

    /** Comes back when nothing is left; a node that somebody undrains meanwhile ends it as refused. */
    void await() {
        List<String> left = new ArrayList<>(nodes);
        while (!left.isEmpty()) {
            try {
                left.removeIf(this::isEmpty);
            } catch (SurestateException e) {
                if (e.category() != ErrorCategory.ERROR_CATEGORY_UNAVAILABLE) {
                    throw e;
                }
                tell("no server answers: " + e.getMessage());
            }
            if (left.isEmpty()) {
                break;
            }
            context.pause().sleep(LOOK);
            if (Thread.currentThread().isInterrupted()) {
                throw CliException.refused("INTERRUPTED: stopped waiting; the drain goes on");
            }
        }
        endLine();
        show();
    }

    private boolean isEmpty(String node) {
        GetNodeResponse reply = look(node);
        int left = reply.getUsage().getAllocations();
        if (left == 0) {
            return true;
        }
        if (!reply.getNode().getStatus().getCordon().getDrain()) {
            throw CliException.refused("NOT_DRAINING: " + node + " (expected: draining; somebody took the drain back)");
        }
        tell(node + ": " + left + " allocations left: " + waits(reply));
        return false;
    }

    private GetNodeResponse look(String node) {
        return session.call(
                NodesGrpc.getGetNodeMethod(),
                GetNodeRequest.newBuilder().setName(node).build());
    }

    private static String waits(GetNodeResponse reply) {
        List<String> words = reply.getDrainWaitsList().stream()
                .limit(WAITS_SHOWN)
                .map(DrainProgress::words)
                .toList();
        int more = reply.getDrainWaitsCount() - words.size();
        return String.join("; ", words) + (more > 0 ? "; and " + more + " more" : "");
    }

    /** {@code job train (tenant default), 2 allocations: no other place: ...}. */
    static String words(DrainWait wait) {
        return wait.getWhat() + ", " + wait.getAllocations()
                + (wait.getAllocations() == 1 ? " allocation" : " allocations")
                + (wait.getReason().isEmpty() ? "" : ": " + wait.getReason());
    }

    private void tell(String line) {
        if (context.errorIsTerminal().getAsBoolean()) {
            context.err().print("\r\u001b[K" + line);
            context.err().flush();
        } else if (!line.equals(shown)) {
            context.err().println(line);
        }
        shown = line;
    }

    private void endLine() {
        if (!shown.isEmpty() && context.errorIsTerminal().getAsBoolean()) {
            context.err().println();
        }
    }
}
