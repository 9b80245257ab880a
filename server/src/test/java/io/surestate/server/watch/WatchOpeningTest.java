package io.surestate.server.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.WatchFilter;
import io.surestate.api.v1.WatchRequest;
import io.surestate.server.api.Reads;
import io.surestate.server.api.Refused;
import io.surestate.server.apply.Views;
import io.surestate.server.fixture.LoneServer;
import io.surestate.statemachine.state.Ids;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class WatchOpeningTest {
    private final LoneServer server = LoneServer.leading();
    private final Views views = server.core().applyLoop().views();
    private final WatchOpening opening = new WatchOpening(
            server.core().watchFeed(), new Reads(views, server.core().readIndex()), views);

    private void refused(WatchRequest.Builder request, ErrorCode code, String text) {
        refused(opening, request, code, text);
    }

    private static void refused(WatchOpening opening, WatchRequest.Builder request, ErrorCode code, String text) {
        assertThatThrownBy(() -> opening.watcher(request.build()).join()).satisfies(thrown -> {
            Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
            assertThat(cause).isInstanceOfSatisfying(Refused.class, refusal -> {
                assertThat(refusal.detail().getCode()).isEqualTo(code);
                assertThat(refusal.detail().getMessage()).startsWith(text);
            });
        });
    }

    private static WatchRequest.Builder filtered(WatchFilter.Builder filter) {
        return WatchRequest.newBuilder().setFilter(filter);
    }

    @Test
    void refusesWhatIsNoStartAndNamesTheField() {
        ErrorCode invalid = ErrorCode.ERROR_CODE_INVALID_ARGUMENT;
        refused(WatchRequest.newBuilder().setFromRevision(-1), invalid, "fromRevision: -1");
        refused(WatchRequest.newBuilder().setFromRevision(1).setInitialList(true), invalid, "initialList: true");
        refused(WatchRequest.newBuilder().setResumeToken("x").setInitialList(true), invalid, "initialList: true");
        refused(WatchRequest.newBuilder().setResumeToken("x").setFromRevision(1), invalid, "fromRevision: 1");
        for (String foreign : new String[] {"x", "%%", "AAAA", "MS8w", "MS8wLw", "a".repeat(5_000)}) {
            refused(WatchRequest.newBuilder().setResumeToken(foreign), invalid, "resumeToken: ");
        }
        refused(filtered(WatchFilter.newBuilder().setTenant("No Tenant")), invalid, "filter.tenant: ");
        refused(filtered(WatchFilter.newBuilder().setNode("../x")), invalid, "filter.node: ");
        refused(filtered(WatchFilter.newBuilder().setJobUid("my-job")), invalid, "filter.jobUid: ");
    }

    @Test
    void refusesAFilterThatNothingPasses() {
        ErrorCode invalid = ErrorCode.ERROR_CODE_INVALID_ARGUMENT;
        WatchFilter nodes = WatchFilter.newBuilder().setNodes(true).build();
        WatchFilter holds = WatchFilter.newBuilder().setHolds(true).build();
        String uid = Ids.of(1, 0);
        refused(filtered(nodes.toBuilder().setTenant("a")), invalid, "filter.nodes: beside filter.tenant");
        refused(filtered(nodes.toBuilder().setJobUid(uid)), invalid, "filter.nodes: beside filter.jobUid");
        refused(filtered(holds.toBuilder().setNode("n")), invalid, "filter.holds: beside filter.node");
        refused(filtered(holds.toBuilder().setJobUid(uid)), invalid, "filter.holds: beside filter.jobUid");
        refused(
                filtered(nodes.toBuilder().setHolds(true).setTenant("a").setNode("n")),
                invalid,
                "filter.nodes: beside filter.tenant");
    }

    @Test
    void acceptsAFilterThatOneKindPasses() {
        WatchFilter both =
                WatchFilter.newBuilder().setNodes(true).setHolds(true).build();
        for (WatchFilter.Builder some : List.of(
                both.toBuilder().setTenant("a"),
                both.toBuilder().setNode("n"),
                WatchFilter.newBuilder().setTenant("a").setNode("n"),
                WatchFilter.newBuilder().setNodes(true).setAllocations(true).setTenant("a"))) {
            assertThat(opening.watcher(filtered(some).build())).succeedsWithin(Duration.ofSeconds(30));
        }
    }

    @Test
    void aRevisionThatIsNotCommittedYetIsRefused() {
        long newest = views.newest().revision();
        refused(
                WatchRequest.newBuilder().setFromRevision(newest + 1),
                ErrorCode.ERROR_CODE_INVALID_ARGUMENT,
                "fromRevision: " + (newest + 1));
        refused(
                WatchRequest.newBuilder().setFromRevision(Long.MAX_VALUE),
                ErrorCode.ERROR_CODE_INVALID_ARGUMENT,
                "fromRevision: ");
        assertThat(opening.watcher(
                        WatchRequest.newBuilder().setFromRevision(newest).build()))
                .isCompleted();
    }

    @Test
    void aTokenOfAnotherHistoryIsRefusedAsSuch() {
        String token = new ResumeToken("other", views.newest().revision()).encode();
        refused(WatchRequest.newBuilder().setResumeToken(token), ErrorCode.ERROR_CODE_HISTORY_CHANGED, "resumeToken: ");
        String future = new ResumeToken("other", views.newest().revision() + 100).encode();
        refused(
                WatchRequest.newBuilder().setResumeToken(future),
                ErrorCode.ERROR_CODE_HISTORY_CHANGED,
                "resumeToken: ");
    }

    @Test
    void aClusterThatIsBeingSetUpGivesNoTokens() {
        LoneServer fresh = new LoneServer();
        Views none = fresh.core().applyLoop().views();
        WatchOpening early = new WatchOpening(
                fresh.core().watchFeed(), new Reads(none, fresh.core().readIndex()), none);
        refused(
                early,
                WatchRequest.newBuilder().setInitialList(true),
                ErrorCode.ERROR_CODE_UNAVAILABLE,
                "cluster: being set up");
        refused(early, WatchRequest.newBuilder(), ErrorCode.ERROR_CODE_UNAVAILABLE, "cluster: being set up");
    }

    @Test
    void withoutAQuorumOnlyWhatIsHereIsServed() {
        server.log().confirmReads(false);
        refused(WatchRequest.newBuilder().setInitialList(true), ErrorCode.ERROR_CODE_UNAVAILABLE, "read: ");
        refused(
                WatchRequest.newBuilder().setFromRevision(views.newest().revision() + 1),
                ErrorCode.ERROR_CODE_UNAVAILABLE,
                "read: ");
        assertThat(opening.watcher(WatchRequest.newBuilder().setFromRevision(1).build()))
                .isCompleted();
    }
}
