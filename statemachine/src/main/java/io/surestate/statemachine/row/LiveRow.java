package io.surestate.statemachine.row;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.surestate.api.v1.ClusterMeta;
import io.surestate.log.v1.RequestKey;
import io.surestate.statemachine.state.ClusterState;
import io.surestate.statemachine.state.JobEntry;
import io.surestate.statemachine.state.NodeEntry;
import java.util.Optional;

/** Names one row of live state: where it lies in the store and where its value is in a {@link ClusterState}. */
sealed interface LiveRow {
    /** Tables in the order in which they are loaded. */
    int META = 1;

    int JOB = 2;
    int TASK = 3;
    int NODE = 4;
    int ALLOCATION = 5;
    int OUTCOME = 6;
    int HOLD = 7;

    ByteString key();

    /** Empty = the state has no such row. */
    Optional<? extends MessageLite> in(ClusterState state);

    record MetaRow() implements LiveRow {
        @Override
        public ByteString key() {
            return new KeyWriter(META).done();
        }

        @Override
        public Optional<? extends MessageLite> in(ClusterState state) {
            return Optional.of(state.meta()).filter(meta -> !meta.equals(ClusterMeta.getDefaultInstance()));
        }
    }

    record JobRow(String uid) implements LiveRow {
        @Override
        public ByteString key() {
            return new KeyWriter(JOB).text(uid).done();
        }

        @Override
        public Optional<? extends MessageLite> in(ClusterState state) {
            return state.job(uid).map(JobEntry::job);
        }
    }

    record TaskRow(String uid, String group, int index) implements LiveRow {
        @Override
        public ByteString key() {
            return new KeyWriter(TASK).text(uid).text(group).number(index).done();
        }

        @Override
        public Optional<? extends MessageLite> in(ClusterState state) {
            return state.job(uid).flatMap(entry -> entry.task(group, index));
        }
    }

    record NodeRow(String name) implements LiveRow {
        @Override
        public ByteString key() {
            return new KeyWriter(NODE).text(name).done();
        }

        @Override
        public Optional<? extends MessageLite> in(ClusterState state) {
            return state.node(name).map(NodeEntry::node);
        }
    }

    record AllocationRow(String node, String id) implements LiveRow {
        @Override
        public ByteString key() {
            return new KeyWriter(ALLOCATION).text(node).text(id).done();
        }

        @Override
        public Optional<? extends MessageLite> in(ClusterState state) {
            return state.allocation(node, id);
        }
    }

    record HoldRow(String id) implements LiveRow {
        @Override
        public ByteString key() {
            return new KeyWriter(HOLD).text(id).done();
        }

        @Override
        public Optional<? extends MessageLite> in(ClusterState state) {
            return state.hold(id);
        }
    }

    record OutcomeRow(RequestKey request) implements LiveRow {
        @Override
        public ByteString key() {
            return new KeyWriter(OUTCOME)
                    .text(request.getTenant())
                    .text(request.getPrincipal())
                    .text(request.getRequestId())
                    .done();
        }

        @Override
        public Optional<? extends MessageLite> in(ClusterState state) {
            return state.outcome(request);
        }
    }
}
