/** Task output, sent to the server on streams of its own. */
@NullMarked
package io.surestate.agent.output;

import org.jspecify.annotations.NullMarked;
