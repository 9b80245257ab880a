package io.surestate.statemachine.state;

import io.surestate.api.Limits;
import io.surestate.api.v1.AcceleratorModel;
import io.surestate.api.v1.DeviceRequest;
import io.surestate.api.v1.JobSpec;
import io.surestate.api.v1.PrecisionUnits;
import io.surestate.api.v1.Resources;
import io.surestate.api.v1.TaskGroup;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The cluster's table of accelerator models, and what requests for classes and compute units come to by it. Immutable. */
public final class Accelerators {
    private final List<AcceleratorModel> models;

    Accelerators(List<AcceleratorModel> models) {
        this.models = models;
    }

    /** So many devices of a model, with so many units more than were asked for. */
    private record Option(String model, int count, long wasted) {}

    /** One way to meet what a task asks for; the model that serves its request for units, empty = it has none. */
    private record Way(String model, Resources resources) {}

    /**
     * What the request comes to with the table looked up: models instead of classes, a model and a count instead of units, the least wasteful
     * first. None = no model can serve it.
     */
    public List<Resources> alternatives(Resources asked) {
        return plain(asked)
                ? List.of(asked)
                : ways(asked).stream().map(Way::resources).toList();
    }

    /** As {@link #alternatives(Resources)} for all groups of a job, all of their units on one model. */
    public List<JobSpec> alternatives(JobSpec spec) {
        if (spec.getGroupsList().stream().allMatch(group -> plain(group.getResources()))) {
            return List.of(spec);
        }
        List<List<Way>> ways = spec.getGroupsList().stream()
                .map(group -> ways(group.getResources()))
                .toList();
        Stream<String> served = ways.stream()
                .flatMap(List::stream)
                .map(Way::model)
                .filter(model -> !model.isEmpty())
                .distinct();
        boolean units = spec.getGroupsList().stream()
                .anyMatch(group -> unitsLine(group.getResources()).isPresent());
        return (units ? served : Stream.of(""))
                .flatMap(model -> onModel(spec, ways, model).stream())
                .toList();
    }

    private static Optional<JobSpec> onModel(JobSpec spec, List<List<Way>> ways, String model) {
        List<TaskGroup> groups = new ArrayList<>();
        for (int i = 0; i < ways.size(); i++) {
            TaskGroup group = spec.getGroups(i);
            ways.get(i).stream()
                    .filter(way -> way.model().isEmpty() || way.model().equals(model))
                    .findFirst()
                    .ifPresent(way -> groups.add(
                            group.toBuilder().setResources(way.resources()).build()));
        }
        return groups.size() < ways.size()
                ? Optional.empty()
                : Optional.of(
                        spec.toBuilder().clearGroups().addAllGroups(groups).build());
    }

    private static boolean plain(Resources asked) {
        return asked.getDevicesList().stream()
                .allMatch(line -> line.getUnits() == 0 && line.getDeviceClass().isEmpty());
    }

    private static Optional<Integer> unitsLine(Resources asked) {
        return IntStream.range(0, asked.getDevicesCount())
                .filter(at -> asked.getDevices(at).getUnits() > 0)
                .boxed()
                .findFirst();
    }

    private List<Way> ways(Resources asked) {
        Resources.Builder named = asked.toBuilder();
        for (DeviceRequest.Builder line : named.getDevicesBuilderList()) {
            List<String> members = ofClass(line.getDeviceClass());
            if (!line.getDeviceClass().isEmpty() && members.isEmpty()) {
                return List.of();
            }
            line.addAllModels(members).clearDeviceClass();
        }
        Resources byModel = named.build();
        return unitsLine(asked)
                .map(at -> options(byModel.getDevices(at)).stream()
                        .map(option -> new Way(option.model(), counted(byModel, at, option)))
                        .toList())
                .orElseGet(() -> List.of(new Way("", byModel)));
    }

    private List<String> ofClass(String name) {
        return models.stream()
                .filter(model -> model.getClassesList().contains(name))
                .map(AcceleratorModel::getModel)
                .toList();
    }

    private static Resources counted(Resources asked, int at, Option option) {
        DeviceRequest line = asked.getDevices(at).toBuilder()
                .clearUnits()
                .clearPrecision()
                .clearModels()
                .setModel(option.model())
                .setCount(option.count())
                .build();
        return asked.toBuilder().setDevices(at, line).build();
    }

    private List<Option> options(DeviceRequest line) {
        return models.stream()
                .filter(model -> named(line, model.getModel()))
                .flatMap(model -> model.getUnitsList().stream()
                        .filter(units -> units.getPrecision().equals(line.getPrecision()))
                        .map(units -> option(model.getModel(), line.getUnits(), units)))
                .filter(option -> option.count() <= Limits.DEVICES_PER_TASK_MAX)
                .sorted(Comparator.comparingLong(Option::wasted).thenComparingInt(Option::count))
                .toList();
    }

    private static boolean named(DeviceRequest line, String model) {
        boolean any = line.getModel().isEmpty() && line.getModelsCount() == 0;
        return any || line.getModel().equals(model) || line.getModelsList().contains(model);
    }

    private static Option option(String model, long asked, PrecisionUnits units) {
        long count = Math.min((asked - 1) / units.getUnits() + 1, Limits.DEVICES_PER_TASK_MAX + 1L);
        return new Option(model, (int) count, count * units.getUnits() - asked);
    }
}
