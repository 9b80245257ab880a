package io.surestate.testkit.check;

import io.surestate.api.v1.Hold;
import io.surestate.api.v1.HoldState;
import io.surestate.statemachine.AppliedEntry;
import io.surestate.statemachine.state.Change;
import java.util.Optional;
import java.util.TreeMap;

/** Holds end by themselves when their time is over, soon, and never before; once ended they stay so. One thread. */
public final class HoldRules {
    /** Within which a hold ends where nothing fails. */
    private static final long GRACE_MILLIS = 2_000;
    /** The same from the first entry after its time on, where faults may hold up its leader or what that leader proposes. */
    private static final long FAULTY_GRACE_MILLIS = 35_000;

    private final TreeMap<String, Hold> holds = new TreeMap<>();
    private final TreeMap<String, Long> overdueSince = new TreeMap<>();

    /**
     * The next entry.
     *
     * @param quiet nothing has failed for some time
     */
    public Optional<String> add(AppliedEntry entry, boolean quiet) {
        for (Change change : entry.changes()) {
            if (change instanceof Change.HoldPut put) {
                Optional<String> problem = changed(put.hold(), entry.timeMillis());
                if (problem.isPresent()) {
                    return problem;
                }
            }
        }
        return holds.values().stream()
                .filter(hold -> hold.getState() == HoldState.HOLD_STATE_STANDING)
                .filter(hold -> entry.timeMillis() >= hold.getExpiresMillis())
                .filter(hold -> tooLate(hold, entry.timeMillis(), quiet))
                .findFirst()
                .map(hold -> "hold " + hold.getId() + " stands at " + entry.timeMillis() + ", its time was over at "
                        + hold.getExpiresMillis());
    }

    private boolean tooLate(Hold hold, long nowMillis, boolean quiet) {
        overdueSince.putIfAbsent(hold.getId(), nowMillis);
        long since = quiet ? hold.getExpiresMillis() : overdueSince.getOrDefault(hold.getId(), nowMillis);
        return nowMillis > since + (quiet ? GRACE_MILLIS : FAULTY_GRACE_MILLIS);
    }

    private Optional<String> changed(Hold hold, long nowMillis) {
        Hold before = holds.put(hold.getId(), hold);
        if (before != null && before.getState() != HoldState.HOLD_STATE_STANDING) {
            return Optional.of("hold " + hold.getId() + " became " + hold.getState() + " after " + before.getState());
        }
        boolean early = hold.getState() == HoldState.HOLD_STATE_EXPIRED && nowMillis < hold.getExpiresMillis();
        boolean late = hold.getState() == HoldState.HOLD_STATE_CONFIRMED && nowMillis >= hold.getExpiresMillis();
        return early || late
                ? Optional.of("hold " + hold.getId() + " became " + hold.getState() + " at " + nowMillis
                        + ", its time is over at " + hold.getExpiresMillis())
                : Optional.empty();
    }
}
