package io.surestate.statemachine;

/** Hears of handlers that threw: a defect that an operator must know of. Called on the apply thread; must not throw. */
@FunctionalInterface
public interface FaultListener {
    void handlerFailed(long index, String command, RuntimeException fault);
}
