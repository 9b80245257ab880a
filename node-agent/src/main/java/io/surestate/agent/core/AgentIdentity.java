package io.surestate.agent.core;

import io.surestate.api.v1.Hello;
import io.surestate.api.v1.NodeSpec;

/**
 * Who this agent is and what its node has; what a hello says beside the inventory.
 *
 * @param nodeId made once and kept
 * @param bootId the kernel's
 * @param incarnation random per agent process
 */
public record AgentIdentity(
        String clusterId,
        String nodeName,
        String nodeId,
        String bootId,
        String incarnation,
        String version,
        NodeSpec spec) {
    Hello.Builder hello() {
        return Hello.newBuilder()
                .setClusterId(clusterId)
                .setNodeName(nodeName)
                .setNodeId(nodeId)
                .setBootId(bootId)
                .setIncarnation(incarnation)
                .setAgentVersion(version)
                .setSpec(spec);
    }
}
