/** Commands about servers, the ledger and the cluster as a whole. */
@NullMarked
package io.surestate.cli.cluster;

import org.jspecify.annotations.NullMarked;
