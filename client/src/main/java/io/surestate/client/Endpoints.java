package io.surestate.client;

import java.util.List;
import java.util.Optional;

/**
 * Which server to ask next: the last one that worked or was named as leader, else the next of the list. Safe between threads.
 *
 * <p>A hint may name a server that is not in the list; when it fails, the list takes over again.
 */
public final class Endpoints {
    private final List<Endpoint> listed;
    private int position;
    private Optional<Endpoint> hinted = Optional.empty();

    public Endpoints(List<Endpoint> listed) {
        if (listed.isEmpty()) {
            throw new IllegalArgumentException("servers: empty (expected: at least one host:port)");
        }
        this.listed = List.copyOf(listed);
    }

    public List<Endpoint> listed() {
        return listed;
    }

    public synchronized Endpoint current() {
        return hinted.orElse(listed.get(position));
    }

    /** A server named {@code leader} as the one to ask; ignored unless it is a {@code host:port}. True if it is another than now. */
    public synchronized boolean hint(String leader) {
        Optional<Endpoint> endpoint = Endpoint.read(leader);
        if (endpoint.isEmpty() || endpoint.get().equals(current())) {
            return false;
        }
        int index = listed.indexOf(endpoint.get());
        if (index >= 0) {
            position = index;
            hinted = Optional.empty();
        } else {
            hinted = endpoint;
        }
        return true;
    }

    /** {@code endpoint} did not serve: move on, unless another caller did already. */
    public synchronized void failed(Endpoint endpoint) {
        if (!endpoint.equals(current())) {
            return;
        }
        if (hinted.isPresent()) {
            hinted = Optional.empty();
        } else {
            position = (position + 1) % listed.size();
        }
    }
}
