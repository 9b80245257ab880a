package io.surestate.testkit.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.v1.ErrorCode;
import io.surestate.log.v1.Accepted;
import io.surestate.log.v1.Envelope;
import io.surestate.log.v1.LogEntry;
import io.surestate.log.v1.Outcome;
import io.surestate.log.v1.Rejected;
import io.surestate.log.v1.Released;
import io.surestate.log.v1.RequestKey;
import io.surestate.log.v1.RequestOutcome;
import io.surestate.log.v1.SealRequest;
import io.surestate.statemachine.AppliedEntry;
import io.surestate.statemachine.CommittedEntry;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RequestRulesTest {
    private static final Outcome DONE =
            Outcome.newBuilder().setAccepted(Accepted.getDefaultInstance()).build();
    private static final Outcome OTHER =
            Outcome.newBuilder().setReleased(Released.newBuilder().setCount(1)).build();
    private static final Outcome SEALED = Outcome.newBuilder()
            .setRequest(RequestOutcome.newBuilder().setSealed(true))
            .build();

    private final RequestRules rules = new RequestRules();
    private long index;

    private Optional<String> entry(Envelope.Builder command, Outcome outcome) {
        LogEntry entry = LogEntry.newBuilder().addCommands(command).build();
        return rules.add(
                CommittedEntry.of(1, ++index, entry), new AppliedEntry(index, 10, List.of(outcome), List.of()));
    }

    private Optional<String> ask(Outcome outcome) {
        return entry(
                Envelope.newBuilder()
                        .setRequest(RequestKey.newBuilder().setRequestId("r"))
                        .setExpiresMillis(100),
                outcome);
    }

    private Optional<String> seal(Outcome outcome) {
        return entry(
                Envelope.newBuilder().setSealRequest(SealRequest.newBuilder().setRequestId("r")), outcome);
    }

    private static Outcome refused(ErrorCode code) {
        return Outcome.newBuilder()
                .setRejected(Rejected.newBuilder().setCode(code))
                .build();
    }

    @Test
    void theSameOutcomeAgainIsRight() {
        assertThat(ask(DONE)).isEmpty();
        assertThat(ask(DONE)).isEmpty();
        assertThat(ask(OTHER)).isPresent();
    }

    @Test
    void whatWasSealedMustNotTakeEffect() {
        assertThat(seal(SEALED)).isEmpty();
        assertThat(ask(refused(ErrorCode.ERROR_CODE_REQUEST_SEALED))).isEmpty();
        assertThat(ask(DONE)).isPresent();
    }

    @Test
    void whatTookEffectMustNotBeCalledSealed() {
        assertThat(ask(DONE)).isEmpty();
        assertThat(seal(SEALED)).isPresent();
    }

    @Test
    void nothingIsRefusedAsSettledThatIsNot() {
        assertThat(ask(refused(ErrorCode.ERROR_CODE_REQUEST_SEALED))).isPresent();
        assertThat(ask(refused(ErrorCode.ERROR_CODE_REQUEST_ACKNOWLEDGED))).isPresent();
    }
}
