package io.surestate.scheduler;

import io.surestate.api.v1.Plan;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a scheduler decided.
 *
 * @param plan ready to be committed; without gangs where nothing fits
 * @param reasons for each gang that stays pending, by job uid: the constraint that holds it back and the smallest change that would help
 */
public record Schedule(Plan plan, Map<String, String> reasons) {
    /** Nothing to place, nothing to say. */
    public static final Schedule NOTHING = new Schedule(Plan.getDefaultInstance(), new LinkedHashMap<>());

    public Schedule {
        reasons = Collections.unmodifiableMap(new LinkedHashMap<>(reasons));
    }
}
