package io.surestate.statemachine.cluster;

import io.surestate.api.Limits;
import io.surestate.api.Names;
import io.surestate.api.v1.AcceleratorModel;
import io.surestate.api.v1.ClusterMeta;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.PrecisionUnits;
import io.surestate.log.v1.Outcome;
import io.surestate.log.v1.SetAccelerator;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.decision.Outcomes;
import io.surestate.statemachine.state.Change;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** Keeps the table of accelerator models: one is described, described anew, or forgotten. */
public final class SetAcceleratorHandler {
    public Outcome decide(Draft draft, SetAccelerator command) {
        AcceleratorModel asked = command.getAccelerator();
        return problem(asked)
                .map(message -> Outcomes.rejected(ErrorCode.ERROR_CODE_INVALID_ARGUMENT, message))
                .orElseGet(() -> set(draft, asked));
    }

    private static Optional<String> problem(AcceleratorModel asked) {
        boolean printable = asked.getModel().chars().noneMatch(Character::isISOControl);
        if (asked.getModel().isBlank() || asked.getModel().length() > Limits.NAME_CHARS_MAX || !printable) {
            return Optional.of(Names.message(
                    "model", asked.getModel(), "a name of 1 to " + Limits.NAME_CHARS_MAX + " printable characters"));
        }
        return counts(asked).or(() -> units(asked)).or(() -> classes(asked));
    }

    private static Optional<String> counts(AcceleratorModel asked) {
        boolean many = asked.getUnitsCount() > Limits.PRECISIONS_PER_MODEL_MAX
                || asked.getClassesCount() > Limits.CLASSES_PER_MODEL_MAX;
        return many
                ? Optional.of("units, classes: " + asked.getUnitsCount() + ", " + asked.getClassesCount()
                        + " (expected: at most " + Limits.PRECISIONS_PER_MODEL_MAX + " and "
                        + Limits.CLASSES_PER_MODEL_MAX + ")")
                : Optional.empty();
    }

    private static Optional<String> units(AcceleratorModel asked) {
        for (PrecisionUnits units : asked.getUnitsList()) {
            Optional<String> name = Names.labelProblem("precision", units.getPrecision());
            if (name.isPresent()) {
                return name;
            }
            if (units.getUnits() < 1 || units.getUnits() > Limits.UNITS_PER_DEVICE_MAX) {
                return Optional.of(Names.message(
                        units.getPrecision(),
                        Long.toString(units.getUnits()),
                        "1 to " + Limits.UNITS_PER_DEVICE_MAX + " units"));
            }
        }
        return Optional.empty();
    }

    private static Optional<String> classes(AcceleratorModel asked) {
        return asked.getClassesList().stream()
                .flatMap(name -> Names.labelProblem("class", name).stream())
                .findFirst();
    }

    private static Outcome set(Draft draft, AcceleratorModel asked) {
        ClusterMeta meta = draft.state().meta();
        TreeMap<String, AcceleratorModel> models = new TreeMap<>();
        meta.getAcceleratorsList().forEach(model -> models.put(model.getModel(), model));
        if (asked.getUnitsCount() == 0 && asked.getClassesCount() == 0) {
            models.remove(asked.getModel());
        } else {
            models.put(asked.getModel(), sorted(asked));
        }
        if (models.size() > Limits.ACCELERATOR_MODELS_MAX) {
            return Outcomes.rejected(
                    ErrorCode.ERROR_CODE_INVALID_ARGUMENT,
                    "accelerator models",
                    Integer.toString(models.size()),
                    "at most " + Limits.ACCELERATOR_MODELS_MAX + "; remove one first");
        }
        ClusterMeta done = meta.toBuilder()
                .clearAccelerators()
                .addAllAccelerators(models.values())
                .build();
        draft.add(new Change.MetaPut(done));
        return Outcomes.meta(done);
    }

    /** Of a precision that is given twice the last counts. */
    private static AcceleratorModel sorted(AcceleratorModel asked) {
        TreeMap<String, PrecisionUnits> units = new TreeMap<>();
        asked.getUnitsList().forEach(one -> units.put(one.getPrecision(), one));
        List<String> classes =
                asked.getClassesList().stream().sorted().distinct().toList();
        return AcceleratorModel.newBuilder()
                .setModel(asked.getModel())
                .addAllUnits(units.values())
                .addAllClasses(classes)
                .build();
    }
}
