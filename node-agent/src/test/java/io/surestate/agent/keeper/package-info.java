@NullMarked
package io.surestate.agent.keeper;

import org.jspecify.annotations.NullMarked;
