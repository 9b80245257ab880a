package io.surestate.testkit.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** Loopback ports that were free a moment ago. */
public final class FreePorts {
    private FreePorts() {}

    /** All at once, so that they differ. */
    public static List<Integer> take(int count) {
        List<ServerSocket> held = new ArrayList<>();
        List<Integer> ports = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                held.add(socket);
                ports.add(socket.getLocalPort());
            }
            for (ServerSocket socket : held) {
                socket.close();
            }
            return ports;
        } catch (IOException noPort) {
            throw new UncheckedIOException(noPort);
        }
    }
}
