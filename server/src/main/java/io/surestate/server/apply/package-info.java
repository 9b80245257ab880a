/**
 * From committed entries to published views: {@link io.surestate.server.apply.ApplyLoop} decides and applies in groups on one thread,
 * {@link io.surestate.server.apply.Views} publishes what readers, watchers and leader duties look at.
 */
@NullMarked
package io.surestate.server.apply;

import org.jspecify.annotations.NullMarked;
