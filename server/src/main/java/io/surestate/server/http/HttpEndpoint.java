package io.surestate.server.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Serves {@code /metrics} (Prometheus text), {@code /metrics/nodes} (the same of each node; many lines, on the leader only),
 * {@code /healthz} (the process lives) and {@code /readyz} (it can answer). GET only.
 */
public final class HttpEndpoint implements AutoCloseable {
    private static final int BACKLOG = 16;
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

    private final HttpServer server;

    public HttpEndpoint(
            InetSocketAddress address,
            Supplier<String> metrics,
            Supplier<String> nodeMetrics,
            BooleanSupplier ready,
            Executor executor) {
        try {
            server = HttpServer.create(address, BACKLOG);
        } catch (IOException cannotListen) {
            throw new UncheckedIOException("http: " + address + ": " + cannotListen.getMessage(), cannotListen);
        }
        server.setExecutor(executor);
        server.createContext("/metrics", exchange -> answer(exchange, 200, PROMETHEUS, metrics.get()));
        server.createContext("/metrics/nodes", exchange -> answer(exchange, 200, PROMETHEUS, nodeMetrics.get()));
        server.createContext("/healthz", exchange -> answer(exchange, 200, TEXT, "ok\n"));
        server.createContext("/readyz", exchange -> {
            boolean can = ready.getAsBoolean();
            answer(exchange, can ? 200 : 503, TEXT, can ? "ready\n" : "no leader known\n");
        });
    }

    public void start() {
        server.start();
    }

    public int port() {
        return server.getAddress().getPort();
    }

    private static void answer(HttpExchange exchange, int status, String type, String text) throws IOException {
        try (exchange) {
            if (!exchange.getRequestMethod().equals("GET")) {
                exchange.sendResponseHeaders(405, -1);
                return;
            }
            byte[] body = text.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
