package io.surestate.statemachine.history;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobEvent;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.TaskRef;
import io.surestate.statemachine.row.CorruptStateException;
import io.surestate.statemachine.row.HistoryRows;
import io.surestate.statemachine.store.Family;
import io.surestate.statemachine.store.StateStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * History as a store holds it, at one revision.
 *
 * @param revision rows written later are not seen
 */
public record StoredHistory(StateStore store, long revision) implements HistoryReader {
    @Override
    public Optional<Job> job(String uid) {
        return store.get(Family.HISTORY, HistoryRows.job(uid))
                .filter(this::visible)
                .map(value -> parse(Job.parser(), value));
    }

    @Override
    public Optional<Job> latest(String tenant, String name) {
        List<String> uids = new ArrayList<>();
        store.scanBack(Family.HISTORY, HistoryRows.named(tenant, name), ByteString.EMPTY, (key, value) -> {
            if (visible(value)) {
                uids.add(HistoryRows.content(value).toStringUtf8());
            }
            return uids.isEmpty();
        });
        return uids.stream().findFirst().flatMap(this::job);
    }

    @Override
    public List<Job> jobsBefore(String uid, int limit) {
        List<Job> page = new ArrayList<>();
        ByteString before = uid.isEmpty() ? ByteString.EMPTY : HistoryRows.job(uid);
        store.scanBack(Family.HISTORY, HistoryRows.jobs(), before, collect(page, Job.parser(), limit));
        return List.copyOf(page);
    }

    @Override
    public List<Task> tasks(String jobUid, TaskRef after, int limit) {
        ByteString from = after.getAttempt() == 0
                ? ByteString.EMPTY
                : justAfter(HistoryRows.task(jobUid, after.getAttempt(), after.getGroup(), after.getIndex()));
        List<Task> page = new ArrayList<>();
        store.scan(Family.HISTORY, HistoryRows.tasks(jobUid), from, collect(page, Task.parser(), limit));
        return List.copyOf(page);
    }

    @Override
    public List<JobEvent> events(String jobUid, int fromOrdinal, int limit) {
        List<JobEvent> page = new ArrayList<>();
        store.scan(
                Family.HISTORY,
                HistoryRows.events(jobUid),
                HistoryRows.event(jobUid, Math.max(0, fromOrdinal)),
                collect(page, JobEvent.parser(), limit));
        return List.copyOf(page);
    }

    @Override
    public List<Allocation> changesOf(String allocation, int limit) {
        List<Allocation> changes = new ArrayList<>();
        store.scan(
                Family.HISTORY,
                HistoryRows.allocation(allocation),
                ByteString.EMPTY,
                collect(changes, Allocation.parser(), limit));
        return List.copyOf(changes);
    }

    @Override
    public List<String> allocationsOfNode(String node, String after, int limit) {
        return ids(
                HistoryRows.allocationsOfNode(node),
                after.isEmpty() ? ByteString.EMPTY : HistoryRows.allocationOfNode(node, after),
                limit);
    }

    @Override
    public List<String> allocationsOfJob(String uid, String after, int limit) {
        return ids(
                HistoryRows.allocationsOfJob(uid),
                after.isEmpty() ? ByteString.EMPTY : HistoryRows.allocationOfJob(uid, after),
                limit);
    }

    private List<String> ids(ByteString prefix, ByteString after, int limit) {
        List<String> page = new ArrayList<>();
        store.scan(Family.HISTORY, prefix, after.isEmpty() ? after : justAfter(after), (key, value) -> {
            if (page.size() < limit && visible(value)) {
                page.add(HistoryRows.content(value).toStringUtf8());
            }
            return page.size() < limit;
        });
        return List.copyOf(page);
    }

    private <M extends MessageLite> StateStore.RowVisitor collect(List<M> page, Parser<M> parser, int limit) {
        return (key, value) -> {
            if (page.size() < limit && visible(value)) {
                page.add(parse(parser, value));
            }
            return page.size() < limit;
        };
    }

    private boolean visible(ByteString value) {
        return HistoryRows.revision(value) <= revision;
    }

    private static ByteString justAfter(ByteString key) {
        return key.concat(ByteString.copyFrom(new byte[1]));
    }

    private static <M extends MessageLite> M parse(Parser<M> parser, ByteString value) {
        try {
            return parser.parseFrom(HistoryRows.content(value));
        } catch (InvalidProtocolBufferException unreadable) {
            throw new CorruptStateException(unreadable);
        }
    }
}
