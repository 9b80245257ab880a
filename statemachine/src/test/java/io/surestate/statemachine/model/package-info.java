/**
 * A second, naive opinion on what every command comes to: plain mutable collections, everything counted anew each time, whole copies where
 * something may be taken back. Shares no code with the real core.
 */
package io.surestate.statemachine.model;
