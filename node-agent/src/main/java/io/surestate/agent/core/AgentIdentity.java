package io.surestate.agent.core;

import io.surestate.api.v1.Hello;

/**
 * Who this agent is: what all its hellos have in common.
 *
 * @param nodeId made once and kept
 * @param bootId the kernel's
 * @param incarnation random per agent process
 */
public record AgentIdentity(
        String clusterId, String nodeName, String nodeId, String bootId, String incarnation, String version) {
    Hello.Builder hello() {
        return Hello.newBuilder()
                .setClusterId(clusterId)
                .setNodeName(nodeName)
                .setNodeId(nodeId)
                .setBootId(bootId)
                .setIncarnation(incarnation)
                .setAgentVersion(version);
    }
}
