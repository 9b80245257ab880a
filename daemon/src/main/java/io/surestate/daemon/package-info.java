/** What server and agent have in common as programs that a machine runs: a folder of their own, and a service manager that watches them. */
@NullMarked
package io.surestate.daemon;

import org.jspecify.annotations.NullMarked;
