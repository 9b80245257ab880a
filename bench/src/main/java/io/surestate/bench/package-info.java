/** Benchmarks and load generators. */
@NullMarked
package io.surestate.bench;

import org.jspecify.annotations.NullMarked;
