@NullMarked
package io.surestate.agent.driver;

import org.jspecify.annotations.NullMarked;
