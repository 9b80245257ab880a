package io.surestate.server.watch;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.Hold;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobEvent;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.WatchEvent;
import io.surestate.statemachine.StateView;
import io.surestate.statemachine.state.Change;
import io.surestate.statemachine.state.ClusterState;
import io.surestate.statemachine.state.JobEntry;
import io.surestate.statemachine.state.NodeEntry;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a watcher sees of changes and of a whole state, less what its scope does not let through. Made one by one as they are asked for,
 * so that nobody holds a large revision, or a whole state, a second time.
 */
final class WatchEvents {
    private WatchEvents() {}

    /** Events of these changes, in their order. */
    static Iterator<WatchEvent> of(List<Change> changes, WatchScope scope) {
        Translation translation = new Translation(scope);
        return new Flattened<>(changes.iterator(), change -> change.accept(translation));
    }

    /** Everything there is: nodes with their allocations, then holds, then jobs with their tasks. */
    static Iterator<WatchEvent> of(StateView view, WatchScope scope) {
        ClusterState state = view.state();
        Iterator<WatchEvent> nodes = new Flattened<>(nodes(state, scope).iterator(), entry -> ofNode(entry, scope));
        Iterator<WatchEvent> holds = state.holds().stream()
                .filter(scope::passes)
                .map(WatchEvents::event)
                .iterator();
        Iterator<WatchEvent> jobs = new Flattened<>(jobs(state, scope).iterator(), entry -> ofJob(entry, scope));
        return new Flattened<>(List.of(nodes, holds, jobs).iterator(), part -> part);
    }

    private static Collection<NodeEntry> nodes(ClusterState state, WatchScope scope) {
        if (!scope.nodes() && !scope.allocations()) {
            return List.of();
        }
        return scope.node().isEmpty()
                ? state.nodes()
                : state.node(scope.node()).stream().toList();
    }

    private static Collection<JobEntry> jobs(ClusterState state, WatchScope scope) {
        if (!scope.jobs()) {
            return List.of();
        }
        return scope.jobUid().isEmpty()
                ? state.jobs()
                : state.job(scope.jobUid()).stream().toList();
    }

    private static Iterator<WatchEvent> ofNode(NodeEntry entry, WatchScope scope) {
        Stream<WatchEvent> node = Stream.of(entry.node()).filter(scope::passes).map(WatchEvents::event);
        Stream<WatchEvent> held =
                entry.allocations().stream().filter(scope::passes).map(WatchEvents::event);
        return Stream.concat(node, held).iterator();
    }

    private static Iterator<WatchEvent> ofJob(JobEntry entry, WatchScope scope) {
        Stream<WatchEvent> job = Stream.of(entry.job()).filter(scope::passes).map(WatchEvents::event);
        Stream<WatchEvent> tasks = entry.tasks().stream().filter(scope::passes).map(WatchEvents::event);
        return Stream.concat(job, tasks).iterator();
    }

    private static WatchEvent event(Job job) {
        return WatchEvent.newBuilder().setJob(job).build();
    }

    private static WatchEvent event(Task task) {
        return WatchEvent.newBuilder().setTask(task).build();
    }

    private static WatchEvent event(JobEvent line) {
        return WatchEvent.newBuilder().setJobEvent(line).build();
    }

    private static WatchEvent event(Node node) {
        return WatchEvent.newBuilder().setNode(node).build();
    }

    private static WatchEvent event(Allocation allocation) {
        return WatchEvent.newBuilder().setAllocation(allocation).build();
    }

    private static WatchEvent event(Hold hold) {
        return WatchEvent.newBuilder().setHold(hold).build();
    }

    private record Translation(WatchScope scope) implements Change.Visitor<Iterator<WatchEvent>> {
        private static Iterator<WatchEvent> nothing() {
            return List.<WatchEvent>of().iterator();
        }

        private static Iterator<WatchEvent> one(boolean passes, WatchEvent event) {
            return passes ? List.of(event).iterator() : nothing();
        }

        @Override
        public Iterator<WatchEvent> meta(Change.MetaPut change) {
            return nothing();
        }

        @Override
        public Iterator<WatchEvent> job(Change.JobPut change) {
            return one(scope.passes(change.job()), event(change.job()));
        }

        @Override
        public Iterator<WatchEvent> jobFinished(Change.JobFinished change) {
            Job job = change.job();
            boolean passes = scope.passes(job);
            Stream<WatchEvent> last = Stream.of(job).filter(it -> passes).map(WatchEvents::event);
            Stream<WatchEvent> tasks =
                    change.tasks().stream().filter(scope::passes).map(WatchEvents::event);
            Stream<WatchEvent> removed = Stream.of(job)
                    .filter(it -> passes)
                    .map(it ->
                            WatchEvent.newBuilder().setJobRemoved(it.getUid()).build());
            return Stream.concat(Stream.concat(last, tasks), removed).iterator();
        }

        @Override
        public Iterator<WatchEvent> jobEvent(Change.JobEventAppended change) {
            return one(scope.passes(change.event()), event(change.event()));
        }

        @Override
        public Iterator<WatchEvent> task(Change.TaskPut change) {
            return one(scope.passes(change.task()), event(change.task()));
        }

        @Override
        public Iterator<WatchEvent> taskArchived(Change.TaskArchived change) {
            return nothing();
        }

        @Override
        public Iterator<WatchEvent> node(Change.NodePut change) {
            return one(scope.passes(change.node()), event(change.node()));
        }

        @Override
        public Iterator<WatchEvent> nodeRemoved(Change.NodeRemoved change) {
            return one(
                    scope.passesNode(change.name()),
                    WatchEvent.newBuilder().setNodeRemoved(change.name()).build());
        }

        @Override
        public Iterator<WatchEvent> allocation(Change.AllocationPut change) {
            return one(scope.passes(change.allocation()), event(change.allocation()));
        }

        @Override
        public Iterator<WatchEvent> allocationRemoved(Change.AllocationRemoved change) {
            return one(
                    scope.passes(change.allocation()),
                    WatchEvent.newBuilder()
                            .setAllocationReleased(change.allocation())
                            .build());
        }

        @Override
        public Iterator<WatchEvent> hold(Change.HoldPut change) {
            return one(scope.passes(change.hold()), event(change.hold()));
        }

        /** It had ended before, which was told then; now it is forgotten. */
        @Override
        public Iterator<WatchEvent> holdRemoved(Change.HoldRemoved change) {
            return nothing();
        }

        @Override
        public Iterator<WatchEvent> outcome(Change.OutcomePut change) {
            return nothing();
        }

        @Override
        public Iterator<WatchEvent> outcomeRemoved(Change.OutcomeRemoved change) {
            return nothing();
        }
    }
}
