/** Real clusters for tests: {@link io.surestate.testkit.cluster.JvmCluster} in one JVM, {@link io.surestate.testkit.cluster.ProcessCluster} of processes. */
@NullMarked
package io.surestate.testkit.cluster;

import org.jspecify.annotations.NullMarked;
