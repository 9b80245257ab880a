package io.surestate.agent.core;

import io.surestate.agent.core.Session.Greeting;
import io.surestate.agent.core.Session.Idle;
import io.surestate.agent.core.Session.Serving;
import io.surestate.agent.driver.KnownTask;
import io.surestate.agent.driver.TaskDriver;
import io.surestate.agent.driver.TaskStates;
import io.surestate.agent.keeper.GuardedTask;
import io.surestate.agent.keeper.Keeper;
import io.surestate.api.Limits;
import io.surestate.api.v1.AgentMessage;
import io.surestate.api.v1.DesiredState;
import io.surestate.api.v1.DesiredTask;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.ErrorDetail;
import io.surestate.api.v1.Heartbeat;
import io.surestate.api.v1.HeartbeatAck;
import io.surestate.api.v1.Hello;
import io.surestate.api.v1.ServerMessage;
import io.surestate.api.v1.TaskReport;
import io.surestate.api.v1.Welcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agent's side of the conversation with the leader: hello, heartbeats and lease, desired state, reports. One thread only; it
 * has no clock and no thread of its own, so a simulation can drive it.
 *
 * <p>Level-triggered throughout. A lost message, stream or leader costs time, never correctness: whoever leads next hears the whole
 * inventory and says everything that it wants.
 */
public final class AgentCore implements AgentLink.Events {
    private static final Logger LOG = LoggerFactory.getLogger(AgentCore.class);
    private static final int BACKOFF_DOUBLINGS_MAX = 10;

    private final AgentIdentity identity;
    private final AgentLink link;
    private final TaskDriver driver;
    private final Keeper keeper;
    private final OutputService output;
    private final Supplier<NodePicture> picture;
    private final Supplier<Optional<TelemetrySample>> telemetry;
    private final RandomGenerator random;
    private final Reconciler reconciler;
    private final Reports reports = new Reports();
    private final Lease lease;
    private final HelloPace pace = new HelloPace();

    private Session session;
    private DesiredState lastDesired = DesiredState.getDefaultInstance();
    private List<GuardedTask> guarded = List.of();
    private long guardedDeadlineMillis = -1;
    private long lastStream;
    private int failures;
    private int hintsFollowed;
    private boolean keeperAlive;
    private long telemetryTold;

    /**
     * Everything that the core works with, beside who it is.
     *
     * @param picture what is known of the node now
     * @param telemetry the newest reading of how the machine is doing; empty = unknown
     */
    public record Parts(
            AgentLink link,
            TaskDriver driver,
            Keeper keeper,
            OutputService output,
            Supplier<NodePicture> picture,
            Supplier<Optional<TelemetrySample>> telemetry,
            RandomGenerator random) {}

    /** @param firstOpenMillis when to open the first stream, on the boot clock */
    public AgentCore(AgentIdentity identity, Parts parts, long firstOpenMillis) {
        this.identity = identity;
        this.link = parts.link();
        this.driver = parts.driver();
        this.keeper = parts.keeper();
        this.output = parts.output();
        this.picture = parts.picture();
        this.telemetry = parts.telemetry();
        this.random = parts.random();
        this.reconciler = new Reconciler(driver);
        this.lease = new Lease(keeper.lastDeadlineMillis());
        this.session = new Idle(firstOpenMillis);
    }

    /**
     * Lets time pass; to be called every few ten milliseconds.
     *
     * @param nowMillis on the boot clock
     */
    public void poll(long nowMillis) {
        keeperAlive = keeper.alive(nowMillis);
        driver.poll(nowMillis);
        endLease(nowMillis);
        converse(nowMillis);
        guard(List.of());
    }

    private void converse(long nowMillis) {
        if (session instanceof Idle idle) {
            if (nowMillis >= idle.openMillis()) {
                greet(nowMillis);
            }
        } else if (session instanceof Greeting greeting) {
            if (nowMillis - greeting.sinceMillis() >= Limits.HELLO_MILLIS_MAX) {
                LOG.warn("event=hello-unanswered millis={}", Limits.HELLO_MILLIS_MAX);
                giveUp(greeting.stream(), nowMillis);
            }
        } else if (session instanceof Serving serving) {
            serve(serving, nowMillis);
        }
    }

    private void greet(long nowMillis) {
        long stream = ++lastStream;
        List<TaskReport> inventory = reconciler.reports();
        NodePicture now = picture.get();
        session = new Greeting(stream, nowMillis, inventory, now);
        telemetryTold = 0;
        link.open(stream, this);
        Hello.Builder hello =
                identity.hello().setSpec(now.spec()).addAllDevices(now.ill()).addAllInventory(inventory);
        if (now.conditions().getConditionsCount() > 0) {
            hello.setConditions(now.conditions());
        }
        link.send(stream, AgentMessage.newBuilder().setHello(hello).build());
    }

    private void serve(Serving serving, long nowMillis) {
        long patience = serving.heartbeatMillis() * Limits.HEARTBEATS_UNANSWERED_MAX;
        if (nowMillis - lease.oldestUnansweredMillis(nowMillis) >= patience) {
            LOG.warn("event=heartbeats-unanswered millis={}", patience);
            giveUp(serving.stream(), nowMillis);
            return;
        }
        NodePicture now = picture.get();
        boolean same = now.hasShapeOf(serving.picture());
        if (!same && pace.mayGreet(nowMillis)) {
            LOG.info("event=hardware-changed node={}", identity.nodeName());
            link.close(serving.stream(), false);
            lease.streamGone();
            greet(nowMillis);
            return;
        }
        if (nowMillis >= serving.nextHeartbeatMillis() && keeperAlive) {
            beat(same ? serving.seeing(now) : serving, nowMillis);
        }
        serving.desired()
                .ifPresent(
                        desired -> reconciler.reconcile(desired, task -> mayStart(task, nowMillis), reports::forget));
        reports.next(reconciler.reports(), now, nowMillis)
                .ifPresent(report -> link.send(
                        serving.stream(),
                        AgentMessage.newBuilder().setReport(report).build()));
    }

    private void beat(Serving serving, long nowMillis) {
        Heartbeat.Builder heartbeat = Heartbeat.newBuilder().setSequence(lease.sent(nowMillis));
        telemetry.get().filter(sample -> sample.number() != telemetryTold).ifPresent(sample -> {
            heartbeat.setTelemetry(sample.telemetry());
            telemetryTold = sample.number();
        });
        link.send(
                serving.stream(),
                AgentMessage.newBuilder().setHeartbeat(heartbeat).build());
        session = serving.beaten(nowMillis + serving.heartbeatMillis());
    }

    private boolean mayStart(DesiredTask task, long nowMillis) {
        if (!lease.valid(nowMillis)) {
            return false;
        }
        if (!TaskStates.stopsAtLeaseEnd(task)) {
            return true;
        }
        if (!keeperAlive) {
            return false;
        }
        guard(List.of(new GuardedTask(
                task.getAllocation().getId(), task.getAllocation().getEpoch())));
        return true;
    }

    /** Hands the keeper what has changed; what is about to start goes there first. */
    private void guard(List<GuardedTask> starting) {
        List<GuardedTask> now = new ArrayList<>();
        for (KnownTask task : reconciler.guarded(lastDesired)) {
            now.add(new GuardedTask(task.allocationId(), task.report().getEpoch()));
        }
        now.addAll(starting);
        if (guardedDeadlineMillis != lease.deadlineMillis() || !now.equals(guarded)) {
            keeper.update(lease.deadlineMillis(), now);
            guardedDeadlineMillis = lease.deadlineMillis();
            guarded = List.copyOf(now);
        }
    }

    private void endLease(long nowMillis) {
        if (!lease.valid(nowMillis)) {
            for (KnownTask task : reconciler.guarded(lastDesired)) {
                driver.fence(task.allocationId());
            }
        }
    }

    @Override
    public void message(long stream, ServerMessage message, long nowMillis) {
        if (session instanceof Greeting greeting && greeting.stream() == stream && message.hasWelcome()) {
            welcomed(greeting, message.getWelcome(), nowMillis);
        } else if (session instanceof Serving serving && serving.stream() == stream) {
            switch (message.getBodyCase()) {
                case HEARTBEAT_ACK -> renew(message.getHeartbeatAck());
                case DESIRED -> desire(serving, message.getDesired());
                case REPORT_ACK -> reports.acknowledged(message.getReportAck().getSequence());
                case OUTPUT -> output.handle(message.getOutput());
                case EXEC -> output.handle(message.getExec());
                default -> LOG.warn("event=unexpected-message body={}", message.getBodyCase());
            }
        }
    }

    private void welcomed(Greeting greeting, Welcome welcome, long nowMillis) {
        LOG.info(
                "event=registered node={} epoch={} leader={}",
                identity.nodeName(),
                welcome.getEpoch(),
                welcome.getLeaderId());
        long heartbeat =
                welcome.getHeartbeatMillis() > 0 ? welcome.getHeartbeatMillis() : Limits.HEARTBEAT_MILLIS_DEFAULT;
        failures = 0;
        hintsFollowed = 0;
        reports.registered(welcome.getEpoch(), greeting.inventory(), greeting.picture());
        session = new Serving(
                greeting.stream(), welcome.getEpoch(), greeting.picture(), heartbeat, nowMillis, Optional.empty());
    }

    private void renew(HeartbeatAck ack) {
        lease.acknowledged(ack.getSequence(), ack.getLeaseMillis());
    }

    private void desire(Serving serving, DesiredState desired) {
        boolean newer = serving.desired()
                .map(old -> desired.getRevision() >= old.getRevision())
                .orElse(true);
        if (newer) {
            lastDesired = desired;
            session = serving.with(desired);
        }
    }

    @Override
    public void closed(long stream, ErrorDetail why, long nowMillis) {
        if (current() != stream) {
            return;
        }
        boolean hinted = why.getCode() == ErrorCode.ERROR_CODE_NOT_LEADER
                && !why.getLeaderHint().isEmpty()
                && hintsFollowed++ < Limits.LEADER_HINTS_FOLLOWED_MAX;
        if (!hinted) {
            LOG.warn("event=stream-ended code={} message=\"{}\"", why.getCode(), why.getMessage());
            hintsFollowed = 0;
        }
        lease.streamGone();
        session = new Idle(hinted ? nowMillis : nowMillis + backoffMillis());
    }

    private void giveUp(long stream, long nowMillis) {
        link.close(stream, true);
        lease.streamGone();
        session = new Idle(nowMillis + backoffMillis());
    }

    private long backoffMillis() {
        long full = Math.min(
                Limits.AGENT_RECONNECT_MILLIS_MAX,
                Limits.AGENT_RECONNECT_MILLIS_MIN << Math.min(failures++, BACKOFF_DOUBLINGS_MAX));
        return full / 2 + random.nextLong(full / 2 + 1);
    }

    private long current() {
        if (session instanceof Greeting greeting) {
            return greeting.stream();
        }
        return session instanceof Serving serving ? serving.stream() : 0;
    }

    /** Ends the conversation; tasks go on. */
    public void close() {
        if (current() != 0) {
            link.close(current(), false);
        }
        session = new Idle(Long.MAX_VALUE);
    }

    /** Registered with a leader, which answers. */
    public boolean serving() {
        return session instanceof Serving;
    }

    /** End of the lease on the boot clock; 0 = none yet. */
    public long leaseDeadlineMillis() {
        return lease.deadlineMillis();
    }
}
