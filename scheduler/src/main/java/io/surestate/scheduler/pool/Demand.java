package io.surestate.scheduler.pool;

/** How many devices a task asks for, in the coarse classes by which packing policies group tasks. */
public enum Demand {
    /** No device. */
    NONE(0),
    /** A share of one device. */
    SHARED(1),
    /** One whole device. */
    ONE(2),
    /** Two devices. */
    TWO(3),
    /** Three or four devices. */
    FOUR(4),
    /** Five to eight devices. */
    EIGHT(5),
    /** More devices. */
    MORE(6);

    /** How many classes there are. */
    static final int COUNT = 7;

    private final int slot;

    Demand(int slot) {
        this.slot = slot;
    }

    /** Its place in arrays by class. */
    int slot() {
        return slot;
    }

    /** The class of {@code count} distinct devices that give {@code milli} in all. */
    public static Demand of(int count, long milli) {
        if (count == 0) {
            return NONE;
        }
        if (count == 1) {
            return milli < DeviceAsk.WHOLE_MILLI ? SHARED : ONE;
        }
        if (count == 2) {
            return TWO;
        }
        if (count <= 4) {
            return FOUR;
        }
        return count <= 8 ? EIGHT : MORE;
    }

    /** The class of a task of that shape. */
    public static Demand of(Shape shape) {
        return of(shape.deviceCount(), shape.deviceMilli());
    }
}
