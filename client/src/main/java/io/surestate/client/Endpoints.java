package io.surestate.client;

import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.ErrorDetail;
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
    /** Did not answer lately; others still name it as the leader until they elect another. */
    private Optional<Endpoint> silent = Optional.empty();

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

    /**
     * {@code asked} did not serve. Follows its hint, unless that leads back to the server that did not answer before; else moves on along
     * the list.
     *
     * @return whether a hint is followed
     */
    public synchronized boolean moveOn(Endpoint asked, ErrorDetail why) {
        if (why.getCode() != ErrorCode.ERROR_CODE_NOT_LEADER) {
            silent = Optional.of(asked);
        }
        boolean back = silent.isPresent() && silent.equals(Endpoint.read(why.getLeaderHint()));
        if (!back && hint(why.getLeaderHint())) {
            return true;
        }
        failed(asked);
        if (silent.equals(Optional.of(current()))) {
            // Its turn in the list has come again: it may be back.
            silent = Optional.empty();
        }
        return false;
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
