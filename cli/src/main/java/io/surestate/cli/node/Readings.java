package io.surestate.cli.node;

import io.surestate.api.v1.DeviceTelemetry;
import io.surestate.api.v1.ListTelemetryRequest;
import io.surestate.api.v1.ListTelemetryResponse;
import io.surestate.api.v1.NodeTelemetry;
import io.surestate.api.v1.NodesGrpc;
import io.surestate.api.v1.PageRequest;
import io.surestate.api.v1.Telemetry;
import io.surestate.cli.connect.Session;
import io.surestate.cli.output.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** How nodes and devices are doing, asked for and in words. Holds no state. */
final class Readings {
    private static final int PAGE_SIZE = 1_000;
    private static final double MILLI_PER_PERCENT = 10;
    private static final long MILLIS_PER_SECOND = 1_000;

    private Readings() {}

    /**
     * Ordered by name.
     *
     * @param name of one node; empty = all
     */
    static List<NodeTelemetry> of(Session session, String name) {
        List<NodeTelemetry> nodes = new ArrayList<>();
        String token = "";
        do {
            ListTelemetryRequest request = ListTelemetryRequest.newBuilder()
                    .setName(name)
                    .setPage(PageRequest.newBuilder().setSize(PAGE_SIZE).setToken(token))
                    .build();
            ListTelemetryResponse reply = session.call(NodesGrpc.getListTelemetryMethod(), request);
            nodes.addAll(reply.getNodesList());
            token = reply.getPage().getNextPageToken();
        } while (!token.isEmpty());
        return nodes;
    }

    /** A line a node, means of the last minute and greatest values behind a slash. */
    static Table nodes(List<NodeTelemetry> nodes) {
        Table table = new Table(
                "NAME", "LOAD", "MEMORY", "NETWORK", "DEVICES", "DEVICE USE", "TEMPERATURE", "POWER", "STRAIN", "AGE");
        for (NodeTelemetry node : nodes) {
            Telemetry mean = node.getMean();
            Telemetry max = node.getMax();
            table.row(
                    node.getNode(),
                    percents(mean.getLoadMilli(), max.getLoadMilli()),
                    NodeText.bytes(node.getLast().getMemoryUsedBytes()),
                    percents(mean.getNetworkMilli(), max.getNetworkMilli()),
                    mean.getDevicesCount(),
                    percents(use(mean), use(max)),
                    celsius(mean.getTemperatureCelsius(), max.getTemperatureCelsius()),
                    percents(mean.getPowerMilli(), max.getPowerMilli()),
                    node.getStrain(),
                    node.getAgeMillis() / MILLIS_PER_SECOND + "s");
        }
        return table;
    }

    private static int use(Telemetry of) {
        return (int) of.getDevicesList().stream()
                .mapToInt(DeviceTelemetry::getUseMilli)
                .average()
                .orElse(0);
    }

    /** A line a device. */
    static Table devices(NodeTelemetry node) {
        Table table = new Table(
                "DEVICE", "USE", "MEMORY", "TEMPERATURE", "POWER", "CLOCK", "LINK", "ECC CORRECTED", "ECC UNCORRECTED");
        for (int i = 0; i < node.getLast().getDevicesCount(); i++) {
            DeviceTelemetry last = node.getLast().getDevices(i);
            DeviceTelemetry mean = node.getMean().getDevices(i);
            DeviceTelemetry max = node.getMax().getDevices(i);
            table.row(
                    last.getOrdinal(),
                    percents(mean.getUseMilli(), max.getUseMilli()),
                    NodeText.bytes(last.getMemoryUsedBytes()),
                    celsius(mean.getTemperatureCelsius(), max.getTemperatureCelsius()),
                    watts(last),
                    last.getClockMhz() == 0 ? "" : last.getClockMhz() + " MHz",
                    NodeText.rate(mean.getLinkBitsPerSecond()),
                    last.getEccCorrected(),
                    last.getEccUncorrected());
        }
        return table;
    }

    /** One device in a few words: {@code 87%, 64 C, 551 of 700 W}. */
    static String words(DeviceTelemetry device) {
        List<String> words = new ArrayList<>();
        words.add("use " + percent(device.getUseMilli()));
        words.add(NodeText.bytes(device.getMemoryUsedBytes()) + " in use");
        if (device.getTemperatureCelsius() > 0) {
            words.add(device.getTemperatureCelsius() + " C");
        }
        if (device.getPowerWatts() > 0) {
            words.add(watts(device));
        }
        if (device.getEccUncorrected() > 0) {
            words.add(device.getEccUncorrected() + " uncorrectable errors");
        }
        return String.join(", ", words);
    }

    private static String watts(DeviceTelemetry device) {
        return device.getPowerWatts() == 0
                ? ""
                : device.getPowerWatts()
                        + (device.getPowerLimitWatts() == 0 ? "" : " of " + device.getPowerLimitWatts()) + " W";
    }

    private static String celsius(int mean, int max) {
        return max == 0 ? "" : mean + "/" + max + " C";
    }

    private static String percents(int mean, int max) {
        return percent(mean) + "/" + percent(max);
    }

    private static String percent(int milli) {
        return String.format(Locale.ROOT, "%.0f%%", milli / MILLI_PER_PERCENT);
    }
}
