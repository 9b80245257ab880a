/** Jobs and their gangs: submit, cancel, the task table, restart and end. */
@NullMarked
package io.surestate.statemachine.job;

import org.jspecify.annotations.NullMarked;
