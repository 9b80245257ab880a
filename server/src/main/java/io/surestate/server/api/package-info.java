/** What all gRPC services share: refusals, freshness of reads, paging, forwarding to the leader, who may do what. */
@NullMarked
package io.surestate.server.api;

import org.jspecify.annotations.NullMarked;
