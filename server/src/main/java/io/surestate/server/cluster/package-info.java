/** The cluster about itself: status, servers, digests. */
@NullMarked
package io.surestate.server.cluster;

import org.jspecify.annotations.NullMarked;
