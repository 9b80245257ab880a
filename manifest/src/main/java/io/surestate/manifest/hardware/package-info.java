/**
 * Hardware as tools and files describe it, into nodes of the API. Pure: text in, messages out. What a file does not say stays unknown;
 * what is derived is said in a note. Start at {@link io.surestate.manifest.hardware.HardwareFormat}.
 */
@NullMarked
package io.surestate.manifest.hardware;

import org.jspecify.annotations.NullMarked;
