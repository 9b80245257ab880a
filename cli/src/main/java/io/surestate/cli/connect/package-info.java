/** Which cluster is asked, and how: options, their sources and the session that calls go through. */
@NullMarked
package io.surestate.cli.connect;

import org.jspecify.annotations.NullMarked;
