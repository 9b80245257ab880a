package io.surestate.cli.ledger;

import io.surestate.api.v1.Hold;
import io.surestate.api.v1.LedgerGrpc;
import io.surestate.api.v1.ListHoldsRequest;
import io.surestate.api.v1.ListHoldsResponse;
import io.surestate.api.v1.PageRequest;
import io.surestate.cli.connect.Session;
import java.util.ArrayList;
import java.util.List;

/** All holds, over as many pages as it takes. */
final class HoldLists {
    private static final int PAGE_SIZE = 1_000;

    private HoldLists() {}

    /** Oldest first. */
    static List<Hold> all(Session session) {
        List<Hold> holds = new ArrayList<>();
        String token = "";
        do {
            ListHoldsRequest request = ListHoldsRequest.newBuilder()
                    .setTenant(session.tenant())
                    .setPage(PageRequest.newBuilder().setSize(PAGE_SIZE).setToken(token))
                    .build();
            ListHoldsResponse reply = session.call(LedgerGrpc.getListHoldsMethod(), request);
            holds.addAll(reply.getHoldsList());
            token = reply.getPage().getNextPageToken();
        } while (!token.isEmpty());
        return holds;
    }
}
