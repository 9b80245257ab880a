package io.surestate.agent.core;

import io.surestate.api.v1.AgentMessage;
import io.surestate.api.v1.Hello;
import io.surestate.api.v1.StatusReport;
import io.surestate.api.v1.TaskReport;
import java.util.ArrayList;
import java.util.List;

/** A link on which nothing is ever lost; the test plays the server. */
final class ScriptedLink implements AgentLink {
    final List<AgentMessage> sent = new ArrayList<>();
    final List<Long> closedAsFailed = new ArrayList<>();
    long stream;

    @Override
    public void open(long stream, Events events) {
        this.stream = stream;
    }

    @Override
    public void send(long stream, AgentMessage message) {
        sent.add(message);
    }

    @Override
    public void close(long stream, boolean failed) {
        if (failed) {
            closedAsFailed.add(stream);
        }
    }

    List<Hello> hellos() {
        return sent.stream()
                .filter(AgentMessage::hasHello)
                .map(AgentMessage::getHello)
                .toList();
    }

    List<AgentMessage> sent() {
        return sent;
    }

    List<Long> heartbeats() {
        return sent.stream()
                .filter(AgentMessage::hasHeartbeat)
                .map(message -> message.getHeartbeat().getSequence())
                .toList();
    }

    List<StatusReport> reports() {
        return sent.stream()
                .filter(AgentMessage::hasReport)
                .map(AgentMessage::getReport)
                .toList();
    }

    /** Everything said so far about one allocation, oldest first. */
    List<TaskReport> said(String allocationId) {
        return reports().stream()
                .flatMap(report -> report.getTasksList().stream())
                .filter(task -> task.getAllocationId().equals(allocationId))
                .toList();
    }
}
