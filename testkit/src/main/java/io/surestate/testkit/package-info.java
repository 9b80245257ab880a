/** Clusters for tests: simulated, in one JVM and of real processes. Never shipped. */
@NullMarked
package io.surestate.testkit;

import org.jspecify.annotations.NullMarked;
