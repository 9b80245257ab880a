package io.surestate.cli.units;

import io.surestate.api.v1.AcceleratorModel;
import io.surestate.api.v1.ClusterGrpc;
import io.surestate.api.v1.GetStatusRequest;
import io.surestate.api.v1.SetAcceleratorRequest;
import io.surestate.cli.connect.Connection;
import io.surestate.cli.connect.Session;
import java.util.List;

/** The cluster's table of accelerator models, over the wire. */
final class UnitsTable {
    private final Connection connection;

    UnitsTable(Connection connection) {
        this.connection = connection;
    }

    List<AcceleratorModel> list() {
        try (Session session = connection.open()) {
            return session.call(ClusterGrpc.getGetStatusMethod(), GetStatusRequest.getDefaultInstance())
                    .getMeta()
                    .getAcceleratorsList();
        }
    }

    void set(AcceleratorModel accelerator, String requestId) {
        try (Session session = connection.open()) {
            session.call(
                    ClusterGrpc.getSetAcceleratorMethod(),
                    SetAcceleratorRequest.newBuilder()
                            .setHeader(session.header(requestId))
                            .setAccelerator(accelerator)
                            .build());
        }
    }
}
