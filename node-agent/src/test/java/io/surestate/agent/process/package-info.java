@NullMarked
package io.surestate.agent.process;

import org.jspecify.annotations.NullMarked;
