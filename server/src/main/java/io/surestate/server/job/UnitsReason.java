package io.surestate.server.job;

import io.surestate.api.v1.AcceleratorModel;
import io.surestate.api.v1.ClusterMeta;
import io.surestate.api.v1.DeviceRequest;
import io.surestate.api.v1.JobSpec;
import java.util.List;
import java.util.Optional;

/** Why no model in the cluster's table serves a job that asks for a class or for compute units, for people. */
final class UnitsReason {
    private UnitsReason() {}

    static String of(ClusterMeta meta, JobSpec spec) {
        return spec.getGroupsList().stream()
                .flatMap(group -> group.getResources().getDevicesList().stream()
                        .flatMap(line -> of(meta, line).stream().map(why -> "group " + group.getName() + ": " + why)))
                .findFirst()
                .orElse("no one model of the table serves all groups");
    }

    private static Optional<String> of(ClusterMeta meta, DeviceRequest line) {
        List<AcceleratorModel> models = meta.getAcceleratorsList();
        boolean noClass = !line.getDeviceClass().isEmpty()
                && models.stream().noneMatch(model -> model.getClassesList().contains(line.getDeviceClass()));
        if (noClass) {
            return Optional.of("no model is of class " + line.getDeviceClass()
                    + " (expected: ssctl units set MODEL --class " + line.getDeviceClass() + ")");
        }
        boolean noUnits = line.getUnits() > 0
                && models.stream()
                        .flatMap(model -> model.getUnitsList().stream())
                        .noneMatch(units -> units.getPrecision().equals(line.getPrecision()));
        if (noUnits) {
            return Optional.of("no model has " + line.getPrecision()
                    + " units (expected: ssctl units set MODEL --units " + line.getPrecision() + "=N)");
        }
        return line.getUnits() > 0
                ? Optional.of("no model that is asked for has " + line.getUnits() + " " + line.getPrecision()
                        + " units with the devices that one task may have")
                : Optional.empty();
    }
}
