package io.surestate.scheduler.fabric;

import io.surestate.scheduler.pool.NodeSet;

/**
 * One domain of one level. Immutable.
 *
 * @param level such as {@code rack}
 * @param path all names from the outermost level down to this domain, such as {@code hall=h1/rack=r7}: two racks of one name in different
 *     halls are two domains
 * @param nodes indices in the pool
 */
public record FabricDomain(String level, String path, NodeSet nodes) {}
