package io.surestate.server.http;

import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.surestate.server.apply.ApplyListeners;
import io.surestate.server.apply.ApplyLoop;
import io.surestate.server.apply.Views;
import io.surestate.server.commit.GroupCommit;
import io.surestate.server.log.ReplicatedLog;
import io.surestate.statemachine.AppliedEntry;
import io.surestate.statemachine.StateView;
import io.surestate.statemachine.state.Counts;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** What a server measures about itself. No meter has a label that grows with users, jobs or nodes. */
public final class Meters implements ApplyListeners, AutoCloseable {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics gc = new JvmGcMetrics();
    private final DistributionSummary commandsPerEntry = DistributionSummary.builder("surestate.entry.commands")
            .description("Commands that shared one log entry")
            .register(registry);

    public Meters() {
        gc.bindTo(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
    }

    /** Adds what is read off the parts when somebody looks. */
    public void bind(ReplicatedLog log, ApplyLoop applyLoop, GroupCommit commit) {
        Views views = applyLoop.views();
        gauge(
                "surestate.leader",
                "1 while this server leads",
                log,
                l -> l.leadership().leading() ? 1 : 0);
        gauge(
                "surestate.term",
                "Term as this server knows it",
                log,
                l -> l.leadership().term());
        gauge(
                "surestate.revision",
                "Newest applied log index",
                views,
                v -> v.newest().revision());
        gauge("surestate.apply.backlog", "Committed entries not applied yet", applyLoop, ApplyLoop::backlog);
        gauge("surestate.commands.pending", "Commands accepted and not answered", commit, GroupCommit::pending);
        count(views, "surestate.jobs.pending", "Jobs that wait to be placed", Counts::pendingJobs);
        count(views, "surestate.jobs.running", "Jobs that hold their places", Counts::runningJobs);
        count(views, "surestate.jobs.stopping", "Jobs that are being stopped", Counts::stoppingJobs);
        count(views, "surestate.tasks", "Tasks of live jobs", Counts::liveTasks);
        count(views, "surestate.nodes", "Registered nodes", Counts::nodes);
        count(views, "surestate.allocations", "Live allocations", Counts::allocations);
        count(views, "surestate.request.outcomes", "Request outcomes kept", Counts::outcomes);
    }

    private void count(Views views, String name, String description, ToDoubleFunction<Counts> what) {
        gauge(
                name,
                description,
                views,
                v -> what.applyAsDouble(v.newest().state().counts()));
    }

    private <T> void gauge(String name, String description, T of, ToDoubleFunction<T> what) {
        Gauge.builder(name, of, what)
                .description(description)
                .strongReference(true)
                .register(registry);
    }

    @Override
    public void applied(List<AppliedEntry> entries) {
        entries.forEach(entry -> commandsPerEntry.record(entry.outcomes().size()));
    }

    @Override
    public void restored(StateView view) {
        // Counts are read off the view when somebody looks.
    }

    /** Everything in the Prometheus text format. */
    public String scrape() {
        return registry.scrape();
    }

    @Override
    public void close() {
        gc.close();
        registry.close();
    }
}
