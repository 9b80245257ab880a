/**
 * Rows and digests: how changes become stored bytes, and how stored bytes become one number that servers compare.
 *
 * <p>Keys are a table byte followed by the parts of the key, each in a form that keeps their order. A history row's value begins
 * with the revision at which it was written.
 */
@NullMarked
package io.surestate.statemachine.row;

import org.jspecify.annotations.NullMarked;
