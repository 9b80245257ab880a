package io.surestate.server.api;

import io.surestate.api.Names;

/** Whose things a request is about. */
public final class Tenants {
    public static final String DEFAULT = "default";

    private Tenants() {}

    /** Empty = the default tenant; refuses what is no name. */
    public static String of(String asked) {
        String tenant = asked.isEmpty() ? DEFAULT : asked;
        Problems.require(Names.subdomainProblem("tenant", tenant));
        return tenant;
    }
}
