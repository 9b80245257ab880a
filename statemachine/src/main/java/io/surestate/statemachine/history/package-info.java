/** What is over: finished jobs, archived tasks and job events, read page by page from the store. */
@NullMarked
package io.surestate.statemachine.history;

import org.jspecify.annotations.NullMarked;
