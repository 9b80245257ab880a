/** Files that people write: quantities, the job dialect and process configuration. */
@NullMarked
package io.surestate.manifest;

import org.jspecify.annotations.NullMarked;
