package io.surestate.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.ErrorDetail;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointTest {
    @ParameterizedTest
    @ValueSource(strings = {"localhost:7300", "10.0.0.1:1", "[::1]:65535"})
    void isWrittenAsItWasRead(String text) {
        assertThat(Endpoint.parse(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "host", "host:", ":1", "host:0", "host:65536", "host:-1", "::1:7300", "host:x"})
    void refusesWhatIsNoEndpoint(String text) {
        assertThatThrownBy(() -> Endpoint.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected: host:port");
    }

    @Test
    void readsAList() {
        assertThat(Endpoint.parseList("a:1, b:2")).containsExactly(new Endpoint("a", 1), new Endpoint("b", 2));
    }

    @Test
    void aServerThatFailedIsLeftOnceHoweverManyCallersSaySo() {
        Endpoints endpoints = new Endpoints(List.of(new Endpoint("a", 1), new Endpoint("b", 2), new Endpoint("c", 3)));
        endpoints.failed(new Endpoint("a", 1));
        endpoints.failed(new Endpoint("a", 1));
        assertThat(endpoints.current()).isEqualTo(new Endpoint("b", 2));
    }

    @Test
    void aHintedServerThatFailsGivesWayToTheList() {
        Endpoints endpoints = new Endpoints(List.of(new Endpoint("a", 1)));
        assertThat(endpoints.hint("x:9")).isTrue();
        assertThat(endpoints.hint("not an endpoint")).isFalse();
        endpoints.failed(new Endpoint("x", 9));
        assertThat(endpoints.current()).isEqualTo(new Endpoint("a", 1));
    }

    @Test
    void requestIdsAreThirtyTwoHexadecimalDigits() {
        RequestIds ids = new RequestIds(new Random(1));
        assertThat(ids.next()).matches("[0-9a-f]{32}").isNotEqualTo(ids.next());
    }

    @Test
    void aHintBackToTheServerThatDidNotAnswerIsNotFollowed() {
        Endpoint dead = Endpoint.parse("a:1");
        Endpoint follower = Endpoint.parse("b:2");
        Endpoint other = Endpoint.parse("c:3");
        Endpoints endpoints = new Endpoints(List.of(dead, follower, other));
        ErrorDetail silence = ErrorDetail.newBuilder()
                .setCode(ErrorCode.ERROR_CODE_UNAVAILABLE)
                .build();
        ErrorDetail oldLeader = ErrorDetail.newBuilder()
                .setCode(ErrorCode.ERROR_CODE_NOT_LEADER)
                .setLeaderHint("a:1")
                .build();

        assertThat(endpoints.moveOn(dead, silence)).isFalse();
        assertThat(endpoints.current()).isEqualTo(follower);
        assertThat(endpoints.moveOn(follower, oldLeader)).isFalse();
        assertThat(endpoints.current()).isEqualTo(other);
        assertThat(endpoints.moveOn(other, oldLeader)).isFalse();
        assertThat(endpoints.current()).isEqualTo(dead);
        assertThat(endpoints.moveOn(follower, oldLeader)).isFalse();
    }
}
