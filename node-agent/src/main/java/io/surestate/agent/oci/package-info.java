/** Images on the node's disk and what an OCI runtime is told of a task: start at {@link io.surestate.agent.oci.ImageStore} and {@link io.surestate.agent.oci.ContainerSpec}. */
@NullMarked
package io.surestate.agent.oci;

import org.jspecify.annotations.NullMarked;
