/** Checkers of what a cluster did: they look at recorded facts and say what is wrong with them. */
@NullMarked
package io.surestate.testkit.check;

import org.jspecify.annotations.NullMarked;
