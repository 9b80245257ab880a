package io.surestate.testkit.cluster;

import io.surestate.client.Endpoint;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A wire that can be cut: passes connections on to a server. While it is cut nothing passes, in neither direction, and new connections
 * hear nothing, as across a partitioned network. Thread-safe.
 */
public final class CuttableRelay implements AutoCloseable {
    private final ServerSocket listening;
    private final Endpoint target;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "relay");
        thread.setDaemon(true);
        return thread;
    });
    private volatile boolean cut;

    public CuttableRelay(Endpoint target) {
        this.target = target;
        try {
            listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        threads.execute(this::accept);
    }

    /** Where to connect instead of the target. */
    public Endpoint endpoint() {
        return Endpoint.parse("127.0.0.1:" + listening.getLocalPort());
    }

    /** What is on its way is lost; connections stay open and silent. */
    public void cut() {
        cut = true;
    }

    /** New connections pass again; those that were cut end. */
    public void join() {
        cut = false;
        open.forEach(CuttableRelay::end);
        open.clear();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                connect(listening.accept());
            } catch (IOException closed) {
                // This relay is closed.
            }
        }
    }

    private void connect(Socket near) {
        try {
            Socket far = new Socket(target.host(), target.port());
            open.add(near);
            open.add(far);
            threads.execute(() -> pass(near, far));
            threads.execute(() -> pass(far, near));
        } catch (IOException notThere) {
            // As if nobody listened here either.
            end(near);
        }
    }

    private void pass(Socket from, Socket to) {
        byte[] buffer = new byte[8192];
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                if (!cut) {
                    out.write(buffer, 0, read);
                    out.flush();
                }
            }
        } catch (IOException ended) {
            // The other end sees its connection end as well.
        }
        end(from);
        end(to);
    }

    private static void end(Socket socket) {
        try {
            socket.close();
        } catch (IOException alreadyClosed) {
            // That is what was wanted.
        }
    }

    @Override
    public void close() {
        end();
        open.forEach(CuttableRelay::end);
        threads.shutdownNow();
    }

    private void end() {
        try {
            listening.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
