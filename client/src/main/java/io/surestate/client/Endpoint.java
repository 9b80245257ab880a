package io.surestate.client;

import io.surestate.api.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where a server listens for clients. Immutable.
 *
 * @param host name or address; an IPv6 address without brackets
 * @param port 1-65535
 */
public record Endpoint(String host, int port) {
    private static final String FORM = "host:port";
    private static final int PORT_MAX = 65_535;

    public Endpoint {
        if (host.isBlank()) {
            throw new IllegalArgumentException(Names.message("host", host, "a host name or address"));
        }
        if (port < 1 || port > PORT_MAX) {
            throw new IllegalArgumentException(Names.message("port", Integer.toString(port), "1-65535"));
        }
    }

    /** Reads {@code host:port} or {@code [v6]:port}. */
    public static Endpoint parse(String text) {
        return read(text)
                .orElseThrow(
                        () -> new IllegalArgumentException(Names.message("server", text, FORM + ", port 1-65535")));
    }

    /** Reads {@code host:port[,host:port...]}. */
    public static List<Endpoint> parseList(String text) {
        List<Endpoint> endpoints = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            endpoints.add(parse(part.strip()));
        }
        return List.copyOf(endpoints);
    }

    /** As {@link #parse}, for text from a peer that may be empty or wrong. */
    static Optional<Endpoint> read(String text) {
        int colon = text.lastIndexOf(':');
        if (colon <= 0) {
            return Optional.empty();
        }
        String host = text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        } else if (host.indexOf(':') >= 0) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Endpoint(host, Integer.parseInt(text.substring(colon + 1))));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    @Override
    public String toString() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}
