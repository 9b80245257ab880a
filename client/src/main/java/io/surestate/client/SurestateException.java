package io.surestate.client;

import io.surestate.api.ErrorCodes;
import io.surestate.api.v1.ErrorCategory;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.ErrorDetail;

/** A call that was refused or could not be finished; says who can mend it and whether it may have taken effect. */
public final class SurestateException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorDetail detail;
    private final String requestId;

    /** @param requestId the mutation's request id, empty for reads */
    public SurestateException(ErrorDetail detail, String requestId, Throwable cause) {
        super(describe(detail, requestId), cause);
        this.detail = detail;
        this.requestId = requestId;
    }

    public ErrorDetail detail() {
        return detail;
    }

    public ErrorCode code() {
        return detail.getCode();
    }

    public ErrorCategory category() {
        return detail.getCategory();
    }

    /**
     * The request may or may not have taken effect. Ask with {@link #requestId} ({@code Requests.GetOutcome}, {@code ssctl request get}),
     * or send the same request again under the same id.
     */
    public boolean outcomeUnknown() {
        return detail.getOutcomeUnknown();
    }

    /** Empty for reads. */
    public String requestId() {
        return requestId;
    }

    private static String describe(ErrorDetail detail, String requestId) {
        String text = ErrorCodes.shortName(detail.getCode()) + ": " + detail.getMessage();
        return detail.getOutcomeUnknown() && !requestId.isEmpty()
                ? text + " (outcome unknown; ask for it: ssctl request get " + requestId + ")"
                : text;
    }
}
