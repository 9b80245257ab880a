package io.surestate.server.node;

import io.surestate.api.Limits;
import io.surestate.api.Names;
import io.surestate.api.v1.Device;
import io.surestate.api.v1.DeviceReport;
import io.surestate.api.v1.DeviceTelemetry;
import io.surestate.api.v1.Hello;
import io.surestate.api.v1.Label;
import io.surestate.api.v1.NodeCondition;
import io.surestate.api.v1.NodeConditionList;
import io.surestate.api.v1.NodeSpec;
import io.surestate.api.v1.NumaNode;
import io.surestate.api.v1.StatusReport;
import io.surestate.api.v1.TaskReport;
import io.surestate.api.v1.Telemetry;
import io.surestate.server.api.Problems;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Checks what an agent says before any of it is proposed. Pure; refuses with the field, the value and what is expected. */
final class NodeAdmission {
    private NodeAdmission() {}

    static void check(Hello hello) {
        Problems.require(Names.subdomainProblem("nodeName", hello.getNodeName()));
        token("nodeId", hello.getNodeId());
        token("bootId", hello.getBootId());
        token("incarnation", hello.getIncarnation());
        length("agentVersion", hello.getAgentVersion());
        range("inventory", hello.getInventoryCount(), Limits.REPORTS_PER_MESSAGE_MAX);
        hello.getInventoryList().forEach(NodeAdmission::check);
        devicesTold("devices", hello.getDevicesList());
        conditions("conditions", hello.getConditions());
        check(hello.getSpec());
    }

    static void check(StatusReport report) {
        range("report.tasks", report.getTasksCount(), Limits.REPORTS_PER_MESSAGE_MAX);
        range("report.sequence", report.getSequence(), Long.MAX_VALUE);
        report.getTasksList().forEach(NodeAdmission::check);
        devicesTold("report.devices", report.getDevicesList());
        conditions("report.conditions", report.getConditions());
    }

    static void check(Telemetry telemetry) {
        range("telemetry.devices", telemetry.getDevicesCount(), Limits.DEVICES_PER_NODE_MAX);
        for (DeviceTelemetry device : telemetry.getDevicesList()) {
            range("telemetry.devices.ordinal", device.getOrdinal(), Limits.DEVICES_PER_NODE_MAX);
        }
    }

    private static void devicesTold(String field, List<DeviceReport> devices) {
        range(field, devices.size(), Limits.DEVICES_PER_NODE_MAX);
        devices.forEach(device -> length(field + ".reason", device.getReason()));
    }

    private static void conditions(String field, NodeConditionList told) {
        range(field, told.getConditionsCount(), Limits.CONDITIONS_PER_NODE_MAX);
        for (NodeCondition condition : told.getConditionsList()) {
            token(field + ".name", condition.getName());
            Problems.length(field + ".reason", condition.getReason(), Limits.CONDITION_REASON_CHARS_MAX);
        }
    }

    private static void check(TaskReport report) {
        length("report.allocationId", report.getAllocationId());
        length("report.reason", report.getReason());
        range("report.checkpointStep", report.getCheckpointStep(), Long.MAX_VALUE);
        range("report.pid", report.getPid(), Long.MAX_VALUE);
    }

    private static void check(NodeSpec spec) {
        range("spec.memory", spec.getMemoryBytes(), Limits.MEMORY_BYTES_MAX);
        Problems.length("spec.address", spec.getAddress(), Limits.NAME_CHARS_MAX);
        range("spec.labels", spec.getLabelsCount(), Limits.ENV_PER_GROUP_MAX);
        range("spec.domains", spec.getDomainsCount(), Limits.MANIFEST_DEPTH_MAX);
        range("spec.nics", spec.getNicsCount(), Limits.DEVICES_PER_NODE_MAX);
        range("spec.storage", spec.getStorageCount(), Limits.DEVICES_PER_NODE_MAX);
        range("spec.links", spec.getLinksCount(), (long) Limits.DEVICES_PER_NODE_MAX * Limits.LABEL_CHARS_MAX);
        range("spec.countables", spec.getCountablesCount(), Limits.ENV_PER_GROUP_MAX);
        for (Label label : spec.getLabelsList()) {
            length("spec.labels", label.getKey());
            length("spec.labels", label.getValue());
        }
        cores(spec.getNumaList());
        devices(spec.getDevicesList());
    }

    private static void cores(List<NumaNode> numa) {
        Set<Integer> ids = new HashSet<>();
        for (NumaNode place : numa) {
            range("spec.numa.memory", place.getMemoryBytes(), Limits.MEMORY_BYTES_MAX);
            range("spec.numa.coreIds", (long) ids.size() + place.getCoreIdsCount(), Limits.CORES_PER_NODE_MAX);
            for (int core : place.getCoreIdsList()) {
                range("spec.numa.coreIds", core, Integer.MAX_VALUE);
                once("spec.numa.coreIds", ids, core);
            }
        }
    }

    private static void devices(List<Device> devices) {
        range("spec.devices", devices.size(), Limits.DEVICES_PER_NODE_MAX);
        Set<Integer> ordinals = new HashSet<>();
        for (Device device : devices) {
            range("spec.devices.ordinal", device.getOrdinal(), Limits.DEVICES_PER_NODE_MAX);
            once("spec.devices.ordinal", ordinals, device.getOrdinal());
            range("spec.devices.memory", device.getMemoryBytes(), Limits.MEMORY_BYTES_MAX);
            length("spec.devices.model", device.getModel());
            length("spec.devices.vendor", device.getVendor());
            length("spec.devices.hardwareId", device.getHardwareId());
        }
    }

    private static void once(String field, Set<Integer> seen, int value) {
        if (!seen.add(value)) {
            throw Problems.invalid(field + ": " + value + " (expected: each once)");
        }
    }

    private static void token(String field, String value) {
        if (value.isEmpty() || value.length() > Limits.NAME_CHARS_MAX) {
            throw Problems.invalid(Names.message(field, value, "1-" + Limits.NAME_CHARS_MAX + " characters"));
        }
    }

    private static void length(String field, String value) {
        Problems.length(field, value, Limits.REASON_CHARS_MAX);
    }

    private static void range(String field, long value, long max) {
        Problems.range(field, value, 0, max);
    }
}
