@NullMarked
package io.surestate.agent.fake;

import org.jspecify.annotations.NullMarked;
