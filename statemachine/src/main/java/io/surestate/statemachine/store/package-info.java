/**
 * Where rows lie: one ordered key space per {@link io.surestate.statemachine.store.Family}, written by atomic batches, and
 * snapshot folders made of it. The only package that knows RocksDB.
 */
@NullMarked
package io.surestate.statemachine.store;

import org.jspecify.annotations.NullMarked;
