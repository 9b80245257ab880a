package io.surestate.server.api;

import io.surestate.api.Limits;
import io.surestate.api.Names;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.PageRequest;
import io.surestate.api.v1.ReadOptions;
import io.surestate.statemachine.StateView;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/**
 * Keeps every page of one list at one revision: a token names the view of the first page and the last key that was shown. The newest
 * {@link Limits#PINNED_VIEWS_MAX} views that lists began at are kept, each for {@link Limits#PINNED_VIEW_MILLIS_MAX}. Thread-safe.
 */
public final class Pages {
    private final Reads reads;
    private final LongSupplier monotonicNanos;
    private final Object lock = new Object();
    private final Deque<Pinned> pinned = new ArrayDeque<>();

    private record Pinned(StateView view, long sinceNanos) {}

    /** Where a page starts: after this key of this view. An empty key = from the beginning. */
    public record Start(StateView view, String afterKey, int size) {}

    public Pages(Reads reads, LongSupplier monotonicNanos) {
        this.reads = reads;
        this.monotonicNanos = monotonicNanos;
    }

    public CompletableFuture<Start> start(ReadOptions options, PageRequest page) {
        int size = size(page);
        return page.getToken().isEmpty()
                ? reads.view(options).thenApply(view -> new Start(view, "", size))
                : CompletableFuture.completedFuture(resume(page.getToken(), size));
    }

    /** Token for the page after this key; pins the view. */
    public String next(Start start, String lastKey) {
        synchronized (lock) {
            forgetOld();
            if (pinned.stream()
                    .noneMatch(pin -> pin.view.revision() == start.view().revision())) {
                if (pinned.size() >= Limits.PINNED_VIEWS_MAX) {
                    pinned.removeFirst();
                }
                pinned.addLast(new Pinned(start.view(), monotonicNanos.getAsLong()));
            }
        }
        String token = start.view().revision() + "/" + lastKey;
        return Base64.getUrlEncoder().withoutPadding().encodeToString(token.getBytes(StandardCharsets.UTF_8));
    }

    private Start resume(String token, int size) {
        String[] parts = decode(token).split("/", 2);
        long revision;
        try {
            revision = Long.parseLong(parts[0]);
        } catch (NumberFormatException foreign) {
            throw badToken(token);
        }
        if (parts.length != 2) {
            throw badToken(token);
        }
        synchronized (lock) {
            forgetOld();
            return pinned.stream()
                    .filter(pin -> pin.view.revision() == revision)
                    .findFirst()
                    .map(pin -> new Start(pin.view, parts[1], size))
                    .orElseThrow(() -> Refused.of(
                            ErrorCode.ERROR_CODE_PAGE_TOKEN_EXPIRED,
                            "page.token: of revision " + revision
                                    + " (expected: used on the server that gave it, within "
                                    + Limits.PINNED_VIEW_MILLIS_MAX / 1000 + " s; begin the list again)"));
        }
    }

    private void forgetOld() {
        long now = monotonicNanos.getAsLong();
        pinned.removeIf(pin -> now - pin.sinceNanos > Limits.PINNED_VIEW_MILLIS_MAX * 1_000_000);
    }

    private static int size(PageRequest page) {
        if (page.getSize() < 0 || page.getSize() > Limits.PAGE_SIZE_MAX) {
            throw Refused.of(
                    ErrorCode.ERROR_CODE_INVALID_ARGUMENT,
                    "page.size: " + page.getSize() + " (expected: 1-" + Limits.PAGE_SIZE_MAX + ", or 0 for "
                            + Limits.PAGE_SIZE_DEFAULT + ")");
        }
        return page.getSize() == 0 ? Limits.PAGE_SIZE_DEFAULT : page.getSize();
    }

    private static String decode(String token) {
        try {
            return new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException foreign) {
            throw badToken(token);
        }
    }

    private static Refused badToken(String token) {
        return Refused.of(
                ErrorCode.ERROR_CODE_INVALID_ARGUMENT,
                Names.message("page.token", token, "next_page_token of the page before"));
    }
}
