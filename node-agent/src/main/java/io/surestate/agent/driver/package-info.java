/** What runs tasks on a node: one interface, one rule for what a lease's end does. */
@NullMarked
package io.surestate.agent.driver;

import org.jspecify.annotations.NullMarked;
