/**
 * {@code ssctl simulate}: replays of traces in virtual time, without a server; and questions to a copy of a running cluster. Only this package knows the simulator; nothing of it is loaded
 * by other commands.
 */
@NullMarked
package io.surestate.cli.simulate;

import org.jspecify.annotations.NullMarked;
