package io.surestate.statemachine.state;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.ClusterMeta;
import io.surestate.api.v1.Hold;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobEvent;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.Task;
import io.surestate.log.v1.RequestKey;
import io.surestate.log.v1.RequestOutcome;
import java.util.List;

/** The only vocabulary of mutation. State, rows, digest and watches all follow from the same list of these. */
public sealed interface Change {
    /** Answers for each kind of change; a new kind does not compile until everyone has an answer. */
    interface Visitor<R> {
        R meta(MetaPut change);

        R job(JobPut change);

        R jobFinished(JobFinished change);

        R jobEvent(JobEventAppended change);

        R task(TaskPut change);

        R taskArchived(TaskArchived change);

        R node(NodePut change);

        R nodeRemoved(NodeRemoved change);

        R allocation(AllocationPut change);

        R allocationRemoved(AllocationRemoved change);

        R hold(HoldPut change);

        R holdRemoved(HoldRemoved change);

        R outcome(OutcomePut change);

        R outcomeRemoved(OutcomeRemoved change);
    }

    <R> R accept(Visitor<R> visitor);

    /** The cluster's own record: time, settings, counters. */
    record MetaPut(ClusterMeta meta) implements Change {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.meta(this);
        }
    }

    /** A live job is new or changed. A new one is followed by a {@link TaskPut} for each of its tasks. */
    record JobPut(Job job) implements Change {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.job(this);
        }
    }

    /** A job ended: it and its last tasks leave live state and go to history. */
    record JobFinished(Job job, List<Task> tasks) implements Change {
        public JobFinished {
            tasks = List.copyOf(tasks);
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.jobFinished(this);
        }
    }

    /** A line of a job's history; ordinals of one job count from 0. */
    record JobEventAppended(JobEvent event, int ordinal) implements Change {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.jobEvent(this);
        }
    }

    /** A task of a live job's current attempt is new or changed. */
    record TaskPut(Task task) implements Change {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.task(this);
        }
    }

    /** A task of an attempt that is over goes to history; its place in the live job is taken by the next attempt's. */
    record TaskArchived(Task task) implements Change {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.taskArchived(this);
        }
    }

    record NodePut(Node node) implements Change {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.node(this);
        }
    }

    /** A node on which nothing is held is forgotten. */
    record NodeRemoved(String name) implements Change {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.nodeRemoved(this);
        }
    }

    record AllocationPut(Allocation allocation) implements Change {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.allocation(this);
        }
    }

    /** What it held is free; the allocation is given as it last was. */
    record AllocationRemoved(Allocation allocation) implements Change {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.allocationRemoved(this);
        }
    }

    /** A hold is new, or it ended. */
    record HoldPut(Hold hold) implements Change {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.hold(this);
        }
    }

    /** An ended hold is no longer remembered. */
    record HoldRemoved(String id) implements Change {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.holdRemoved(this);
        }
    }

    record OutcomePut(RequestOutcome outcome) implements Change {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.outcome(this);
        }
    }

    record OutcomeRemoved(RequestKey key) implements Change {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.outcomeRemoved(this);
        }
    }
}
