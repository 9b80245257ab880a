package io.surestate.testkit.sim;

import io.surestate.agent.core.AgentCore;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * One agent process: the real core, polled. A frozen one does nothing and hears later what it was told. Counts its lease by itself, as
 * the protocol says it must be counted. One thread.
 */
final class SimAgent {
    private static final int HEARTBEATS_REMEMBERED_MAX = 256;

    private final SimNode node;
    private final SimWorld world;
    private final AgentCore core;
    private final SimAgentLink link;
    private final TreeMap<Long, Sent> sent = new TreeMap<>();
    private final List<Runnable> held = new ArrayList<>();
    private boolean gone;

    private record Sent(long trueMillis, long bootMillis) {}

    private boolean frozen;

    SimAgent(SimNode node, SimWorld world, java.util.function.Function<SimAgentLink, AgentCore> core) {
        this.node = node;
        this.world = world;
        this.link = new SimAgentLink(node, this, world);
        this.core = core.apply(link);
        poll();
    }

    AgentCore core() {
        return core;
    }

    SimAgentLink link() {
        return link;
    }

    boolean frozen() {
        return frozen;
    }

    private void poll() {
        world.events().after(world.settings().pollMillis(), "", () -> {
            if (!gone) {
                if (!frozen && !node.asleep()) {
                    core.poll(node.bootMillis());
                    world.tasks().believes(node, core.leaseDeadlineMillis());
                }
                poll();
            }
        });
    }

    /** Runs in this process, once it is not frozen; never if it is gone. */
    void run(Runnable work) {
        if (gone) {
            return;
        }
        if (frozen || node.asleep()) {
            held.add(work);
        } else {
            work.run();
        }
    }

    void freeze() {
        frozen = true;
    }

    void thaw() {
        frozen = false;
        wake();
    }

    /** What waited arrives now, if the process runs. */
    void wake() {
        List<Runnable> late = List.copyOf(held);
        held.clear();
        late.forEach(this::run);
    }

    void end() {
        gone = true;
        held.clear();
        link.processGone();
    }

    void heartbeatSent(long sequence) {
        sent.put(sequence, new Sent(world.events().nowMillis(), node.bootMillis()));
        if (sent.size() > HEARTBEATS_REMEMBERED_MAX) {
            sent.pollFirstEntry();
        }
    }

    /** When a heartbeat was sent, in true time; 0 = nothing is known of it. */
    long sentMillis(long sequence) {
        Sent heartbeat = sent.get(sequence);
        return heartbeat == null ? 0 : heartbeat.trueMillis;
    }

    /** A server grants a lease: it counts from the moment at which the heartbeat was sent. */
    void granted(long sequence, long leaseMillis) {
        Sent heartbeat = sent.get(sequence);
        if (heartbeat != null && !gone) {
            node.granted(heartbeat.bootMillis + leaseMillis);
        }
    }
}
