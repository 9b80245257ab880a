/** Tests of the manifest dialect. */
@NullMarked
package io.surestate.manifest.dialect;

import org.jspecify.annotations.NullMarked;
