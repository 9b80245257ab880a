package io.surestate.statemachine.state;

import io.surestate.api.v1.JobSpec;
import io.surestate.api.v1.TaskGroup;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/** Where each task of a job stands in its list: groups in the order of the spec, then by index. Immutable. */
final class TaskLayout {
    private record Span(int first, int count) {}

    private final TreeMap<String, Span> spans = new TreeMap<>();
    private final int size;

    TaskLayout(JobSpec spec) {
        int next = 0;
        for (TaskGroup group : spec.getGroupsList()) {
            spans.put(group.getName(), new Span(next, group.getCount()));
            next += group.getCount();
        }
        size = next;
    }

    int size() {
        return size;
    }

    OptionalInt position(String group, int index) {
        return Optional.ofNullable(spans.get(group))
                .filter(span -> index >= 0 && index < span.count())
                .map(span -> OptionalInt.of(span.first() + index))
                .orElseGet(OptionalInt::empty);
    }
}
