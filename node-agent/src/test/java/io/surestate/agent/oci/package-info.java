/** Tests of images, with layouts written by hand. */
@NullMarked
package io.surestate.agent.oci;

import org.jspecify.annotations.NullMarked;
