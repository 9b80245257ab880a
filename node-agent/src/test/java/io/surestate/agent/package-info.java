@NullMarked
package io.surestate.agent;

import org.jspecify.annotations.NullMarked;
