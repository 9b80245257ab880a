package io.surestate.server.api;

/** The one hook that stands before every proposal and read: may this principal do that in this tenant? Refuses by {@link Refused}. */
public interface Authorizer {
    /** Principal of every caller until callers are authenticated. */
    String ANONYMOUS = "anonymous";

    /** What a caller wants to do. */
    enum Action {
        READ,
        SUBMIT_JOB,
        CANCEL_JOB,
        RESIZE_JOB,
        COMMIT_PLAN,
        RELEASE,
        SETTLE_REQUEST,
        FENCE_NODE,
        CORDON_NODE,
        PLAN_NODE,
        FREEZE_CLUSTER,
        SET_ACCELERATOR,
        READ_OUTPUT,
        EXEC,
        CONNECT_AGENT
    }

    void check(String principal, String tenant, Action action);

    /** The tenant that a caller names, empty = the default one, once the caller may do that there. */
    default String tenant(String asked, Action action) {
        String tenant = Tenants.of(asked);
        check(ANONYMOUS, tenant, action);
        return tenant;
    }

    /** Lets everybody do everything. */
    static Authorizer allowAll() {
        return (principal, tenant, action) -> {};
    }
}
