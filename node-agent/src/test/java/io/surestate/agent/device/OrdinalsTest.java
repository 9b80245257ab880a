package io.surestate.agent.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.Limits;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OrdinalsTest {
    @Test
    void whoeverIsThereHasANumberOfItsOwnAndKeepsIt() {
        Random random = new Random(7);
        Ordinals ordinals = Ordinals.NONE;
        Map<String, Integer> first = new HashMap<>();
        for (int step = 0; step < 500; step++) {
            List<String> there = IntStream.range(0, 200)
                    .filter(device -> random.nextInt(4) == 0)
                    .mapToObj(device -> "gpu-" + device)
                    .toList();
            ordinals = ordinals.with(there, Set.of()).orElseThrow();
            Set<Integer> taken = new HashSet<>();
            for (String key : there) {
                int ordinal = ordinals.of(key).orElseThrow();
                assertThat(taken.add(ordinal)).isTrue();
                assertThat(first.computeIfAbsent(key, fresh -> ordinal)).isEqualTo(ordinal);
            }
        }
    }

    @Test
    void whenAllNumbersAreGivenThatOfTheDeviceThatWasAwayLongestIsTaken() {
        Ordinals ordinals = Ordinals.NONE;
        for (int device = 0; device < Limits.DEVICES_PER_NODE_MAX; device++) {
            ordinals = ordinals.with(List.of("stays", "mig-" + device), Set.of("kept"))
                    .orElseThrow();
        }
        int stays = ordinals.of("stays").orElseThrow();
        assertThat(ordinals.of("mig-0")).isEmpty();
        assertThat(ordinals.of("mig-1")).isPresent();
        assertThat(ordinals.with(List.of("stays", "new"), Set.of("mig-1"))
                        .orElseThrow()
                        .of("mig-1"))
                .isPresent();
        assertThat(ordinals.with(List.of("stays", "new"), Set.of())
                        .orElseThrow()
                        .of("stays"))
                .contains(stays);
    }

    @Test
    void moreDevicesThanNumbersAreRefused() {
        List<String> many = IntStream.rangeClosed(0, Limits.DEVICES_PER_NODE_MAX)
                .mapToObj(device -> "d" + device)
                .toList();
        assertThat(Ordinals.NONE.with(many, Set.of())).isEmpty();
        assertThat(Ordinals.NONE.with(many.subList(1, many.size()), Set.of())).isPresent();
    }
}
