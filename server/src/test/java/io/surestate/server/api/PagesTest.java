package io.surestate.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surestate.api.Limits;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.PageRequest;
import io.surestate.api.v1.ReadOptions;
import io.surestate.server.fixture.LoneServer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PagesTest {
    private static final ReadOptions STALE =
            ReadOptions.newBuilder().setStale(true).build();

    private final LoneServer server = LoneServer.leading();
    private long nanos;
    private final Pages pages =
            new Pages(new Reads(server.core().applyLoop().views(), server.core().readIndex()), () -> nanos);

    private Pages.Start first() {
        return pages.start(STALE, PageRequest.getDefaultInstance()).join();
    }

    private Pages.Start resume(String token) {
        return pages.start(STALE, PageRequest.newBuilder().setToken(token).build())
                .join();
    }

    private void expectRefused(String token, ErrorCode code) {
        assertThatThrownBy(() -> resume(token))
                .isInstanceOfSatisfying(
                        Refused.class,
                        refused -> assertThat(refused.detail().getCode()).isEqualTo(code));
    }

    @Test
    void everyPageIsOfTheRevisionOfTheFirst() {
        Pages.Start first = first();
        String token = pages.next(first, "key/with/slashes");
        server.submit(LoneServer.job("later", 1, 100));
        Pages.Start second = resume(token);
        assertThat(second.view()).isSameAs(first.view());
        assertThat(second.afterKey()).isEqualTo("key/with/slashes");
        assertThat(first().view().revision()).isGreaterThan(first.view().revision());
    }

    @Test
    void aTokenExpiresWithItsView() {
        String token = pages.next(first(), "k");
        nanos += (Limits.PINNED_VIEW_MILLIS_MAX + 1) * 1_000_000;
        expectRefused(token, ErrorCode.ERROR_CODE_PAGE_TOKEN_EXPIRED);
    }

    @Test
    void theOldestViewMakesRoomForTheNewest() {
        String oldest = pages.next(first(), "k");
        for (int i = 0; i < Limits.PINNED_VIEWS_MAX; i++) {
            server.submit(LoneServer.job("job-" + i, 1, 100));
            pages.next(first(), "k");
        }
        expectRefused(oldest, ErrorCode.ERROR_CODE_PAGE_TOKEN_EXPIRED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"%%%", "not-a-token", " ", "\u202e"})
    void aForeignTokenIsRefused(String token) {
        expectRefused(token, ErrorCode.ERROR_CODE_INVALID_ARGUMENT);
    }

    @Test
    void aTokenOfAnotherServersViewHasExpiredHere() {
        String token = Base64.getUrlEncoder().withoutPadding().encodeToString("999/k".getBytes(StandardCharsets.UTF_8));
        expectRefused(token, ErrorCode.ERROR_CODE_PAGE_TOKEN_EXPIRED);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE, Limits.PAGE_SIZE_MAX + 1, Integer.MAX_VALUE})
    void aSizeOutOfRangeIsRefused(int size) {
        assertThatThrownBy(() -> pages.start(
                        STALE, PageRequest.newBuilder().setSize(size).build()))
                .isInstanceOf(Refused.class)
                .hasMessageContaining("page.size: " + size);
    }
}
