package io.surestate.server.watch;

import io.surestate.api.v1.Job;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.WatchEvent;
import io.surestate.api.v1.WatchFilter;
import io.surestate.statemachine.state.Change;
import java.util.ArrayList;
import java.util.List;

/** Turns changes into what a watcher sees, and drops what its filter does not let through. Pure. */
final class WatchEvents {
    private WatchEvents() {}

    static List<WatchEvent> of(List<Change> changes, WatchFilter filter) {
        List<WatchEvent> events = new ArrayList<>();
        for (Change change : changes) {
            change.accept(new Translation(filter, events));
        }
        return events;
    }

    private record Translation(WatchFilter filter, List<WatchEvent> out) implements Change.Visitor<Boolean> {
        private boolean all() {
            return !filter.getJobs() && !filter.getNodes() && !filter.getAllocations();
        }

        private boolean job(String uid) {
            return (all() || filter.getJobs()) && aboutJob(uid);
        }

        private boolean aboutJob(String uid) {
            return filter.getJobUid().isEmpty() || filter.getJobUid().equals(uid);
        }

        private boolean allocation(String uid) {
            return (all() || filter.getAllocations()) && aboutJob(uid);
        }

        @Override
        public Boolean meta(Change.MetaPut change) {
            return false;
        }

        @Override
        public Boolean job(Change.JobPut change) {
            return job(change.job().getUid())
                    && out.add(WatchEvent.newBuilder().setJob(change.job()).build());
        }

        @Override
        public Boolean jobFinished(Change.JobFinished change) {
            Job job = change.job();
            if (!job(job.getUid())) {
                return false;
            }
            out.add(WatchEvent.newBuilder().setJob(job).build());
            for (Task task : change.tasks()) {
                out.add(WatchEvent.newBuilder().setTask(task).build());
            }
            return out.add(WatchEvent.newBuilder().setJobRemoved(job.getUid()).build());
        }

        @Override
        public Boolean jobEvent(Change.JobEventAppended change) {
            return job(change.event().getJobUid())
                    && out.add(
                            WatchEvent.newBuilder().setJobEvent(change.event()).build());
        }

        @Override
        public Boolean task(Change.TaskPut change) {
            return job(change.task().getJobUid())
                    && out.add(WatchEvent.newBuilder().setTask(change.task()).build());
        }

        @Override
        public Boolean taskArchived(Change.TaskArchived change) {
            return false;
        }

        @Override
        public Boolean node(Change.NodePut change) {
            boolean wanted = (all() || filter.getNodes()) && filter.getJobUid().isEmpty();
            return wanted
                    && out.add(WatchEvent.newBuilder().setNode(change.node()).build());
        }

        @Override
        public Boolean allocation(Change.AllocationPut change) {
            return allocation(change.allocation().getTask().getJobUid())
                    && out.add(WatchEvent.newBuilder()
                            .setAllocation(change.allocation())
                            .build());
        }

        @Override
        public Boolean allocationRemoved(Change.AllocationRemoved change) {
            return allocation(change.allocation().getTask().getJobUid())
                    && out.add(WatchEvent.newBuilder()
                            .setAllocationReleased(change.allocation())
                            .build());
        }

        @Override
        public Boolean hold(Change.HoldPut change) {
            return false;
        }

        @Override
        public Boolean holdRemoved(Change.HoldRemoved change) {
            return false;
        }

        @Override
        public Boolean outcome(Change.OutcomePut change) {
            return false;
        }

        @Override
        public Boolean outcomeRemoved(Change.OutcomeRemoved change) {
            return false;
        }
    }
}
