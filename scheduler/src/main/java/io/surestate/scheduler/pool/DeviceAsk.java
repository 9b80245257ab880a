package io.surestate.scheduler.pool;

import io.surestate.api.Names;
import io.surestate.api.v1.DeviceKind;
import java.util.List;

/**
 * Devices that one task asks for: each of {@code count} distinct devices gives {@code milli}. Immutable.
 *
 * @param kind what kind of device
 * @param models any of these models, sorted; empty = any model of the kind
 * @param count distinct devices, at least 1
 * @param milli thousandths of each device, 1-1000
 */
public record DeviceAsk(DeviceKind kind, List<String> models, int count, int milli) {
    /** A whole device, in thousandths. */
    public static final int WHOLE_MILLI = 1000;

    public DeviceAsk {
        models = models.stream().distinct().sorted().toList();
        if (count < 1) {
            throw new IllegalArgumentException(Names.message("count", Integer.toString(count), "at least 1"));
        }
        if (milli < 1 || milli > WHOLE_MILLI) {
            throw new IllegalArgumentException(Names.message("milli", Integer.toString(milli), "1-1000"));
        }
    }

    /** Whether a device of that class will do. */
    public boolean accepts(DeviceClass device) {
        return device.kind() == kind && (models.isEmpty() || models.contains(device.model()));
    }

    /** Everything asked, in thousandths of a device. */
    public long totalMilli() {
        return (long) count * milli;
    }
}
