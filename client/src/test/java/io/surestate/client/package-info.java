@NullMarked
package io.surestate.client;

import org.jspecify.annotations.NullMarked;
