@NullMarked
package io.surestate.agent.core;

import org.jspecify.annotations.NullMarked;
