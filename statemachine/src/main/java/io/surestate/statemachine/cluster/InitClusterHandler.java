package io.surestate.statemachine.cluster;

import io.surestate.api.Limits;
import io.surestate.api.v1.ClusterMeta;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.Settings;
import io.surestate.log.v1.InitCluster;
import io.surestate.log.v1.Outcome;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.decision.FeatureLevels;
import io.surestate.statemachine.decision.Outcomes;
import io.surestate.statemachine.state.Change;
import java.util.Optional;

/** The first command of a new cluster; it takes effect once. */
public final class InitClusterHandler {
    public Outcome decide(Draft draft, InitCluster command) {
        if (draft.state().initialised()) {
            return Outcomes.rejected(
                    ErrorCode.ERROR_CODE_ILLEGAL_STATE,
                    "cluster id",
                    command.getClusterId(),
                    "no bootstrap of the existing cluster "
                            + draft.state().meta().getClusterId());
        }
        if (command.getClusterId().isEmpty() || command.getHistoryId().isEmpty()) {
            return Outcomes.rejected(
                    ErrorCode.ERROR_CODE_INVALID_ARGUMENT, "cluster id", command.getClusterId(), "two ids, not empty");
        }
        Settings settings = defaulted(command.getSettings());
        return problem(settings).orElseGet(() -> init(draft, command, settings));
    }

    private static Outcome init(Draft draft, InitCluster command, Settings settings) {
        draft.add(new Change.MetaPut(ClusterMeta.newBuilder()
                .setClusterId(command.getClusterId())
                .setHistoryId(command.getHistoryId())
                .setFeatureLevel(FeatureLevels.FIRST)
                .setTimeMillis(draft.timeMillis())
                .setSettings(settings)
                .build()));
        return Outcomes.accepted();
    }

    private static Settings defaulted(Settings asked) {
        return Settings.newBuilder()
                .setLeaseMillis(orDefault(asked.getLeaseMillis(), Limits.LEASE_MILLIS_DEFAULT))
                .setLeaseMarginMillis(orDefault(asked.getLeaseMarginMillis(), Limits.LEASE_MARGIN_MILLIS_DEFAULT))
                .setHeartbeatMillis(orDefault(asked.getHeartbeatMillis(), Limits.HEARTBEAT_MILLIS_DEFAULT))
                .setKeepRoomAfterMillis(
                        orDefault(asked.getKeepRoomAfterMillis(), Limits.KEEP_ROOM_AFTER_MILLIS_DEFAULT))
                .setHoldDownMillis(orDefault(asked.getHoldDownMillis(), Limits.HOLD_DOWN_MILLIS_DEFAULT))
                .build();
    }

    private static Optional<Outcome> problem(Settings settings) {
        return outside("lease", settings.getLeaseMillis(), Limits.LEASE_MILLIS_MIN, Limits.LEASE_MILLIS_MAX)
                .or(() -> outside("leaseMargin", settings.getLeaseMarginMillis(), 1, Limits.LEASE_MILLIS_MAX))
                .or(() -> outside("heartbeat", settings.getHeartbeatMillis(), 1, settings.getLeaseMillis()))
                .or(() -> outside(
                        "keepRoomAfter",
                        settings.getKeepRoomAfterMillis(),
                        Limits.KEEP_ROOM_AFTER_MILLIS_MIN,
                        Limits.KEEP_ROOM_AFTER_MILLIS_MAX))
                .or(() -> outside(
                        "holdDown",
                        settings.getHoldDownMillis(),
                        Limits.HOLD_DOWN_MILLIS_MIN,
                        Limits.HOLD_DOWN_MILLIS_MAX));
    }

    private static Optional<Outcome> outside(String field, long millis, long least, long most) {
        return millis >= least && millis <= most
                ? Optional.empty()
                : Optional.of(Outcomes.rejected(
                        ErrorCode.ERROR_CODE_INVALID_ARGUMENT,
                        field,
                        Long.toString(millis),
                        least + " to " + most + " milliseconds"));
    }

    private static long orDefault(long asked, long byDefault) {
        return asked == 0 ? byDefault : asked;
    }
}
