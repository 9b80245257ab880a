package io.surestate.agent.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NodeListTest {
    @Test
    void numbersInARowAreARange() {
        assertThat(NodeList.of(List.of("n1", "n2", "n3", "n7", "m2"))).isEqualTo("n[1-3,7],m2");
    }

    @Test
    void leadingZerosStay() {
        assertThat(NodeList.of(List.of("n08", "n09", "n10", "n11"))).isEqualTo("n[08-11]");
        assertThat(NodeList.of(List.of("n8", "n9", "n10"))).isEqualTo("n[8-10]");
        assertThat(NodeList.of(List.of("n99", "n0100"))).isEqualTo("n[99,0100]");
    }

    @Test
    void theOrderIsKept() {
        assertThat(NodeList.of(List.of("n3", "n1", "n2", "gpu-a.rack", "n3"))).isEqualTo("n[3,1-2],gpu-a.rack,n3");
    }

    @Test
    void oneNameStaysAsItIs() {
        assertThat(NodeList.of(List.of("n1"))).isEqualTo("n1");
        assertThat(NodeList.of(List.of())).isEmpty();
    }
}
