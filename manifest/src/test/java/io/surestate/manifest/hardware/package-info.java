/** Tests of the manifest hardware. */
@NullMarked
package io.surestate.manifest.hardware;

import org.jspecify.annotations.NullMarked;
