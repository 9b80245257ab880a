@NullMarked
package io.surestate.agent.output;

import org.jspecify.annotations.NullMarked;
