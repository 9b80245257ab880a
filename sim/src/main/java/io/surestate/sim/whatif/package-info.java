/**
 * What would happen to a cluster, asked of a copy of it. Start at {@link io.surestate.sim.whatif.WhatIf}. No clock and no thread.
 */
@NullMarked
package io.surestate.sim.whatif;

import org.jspecify.annotations.NullMarked;
