@NullMarked
package io.surestate.agent.device;

import org.jspecify.annotations.NullMarked;
