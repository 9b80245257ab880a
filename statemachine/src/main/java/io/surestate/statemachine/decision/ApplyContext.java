package io.surestate.statemachine.decision;

/**
 * What a decision knows beside state and command.
 *
 * @param index log index of the entry
 * @param term term in which the log holds the entry
 * @param timeMillis cluster time of the entry, never less than the state's
 * @param firstOrdinal ordinal of the first id that the command may make
 */
public record ApplyContext(long index, long term, long timeMillis, int firstOrdinal) {}
