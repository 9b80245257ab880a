/** surestated: wires the replicated log, the apply loop, leader duties and the API into one process. */
@NullMarked
package io.surestate.server;

import org.jspecify.annotations.NullMarked;
