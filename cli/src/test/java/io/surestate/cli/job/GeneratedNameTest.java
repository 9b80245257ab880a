package io.surestate.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.Names;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class GeneratedNameTest {
    @Property
    void isAlwaysAName(@ForAll String program, @ForAll long seed) {
        assertThat(Names.subdomainProblem("name", GeneratedName.of(program, new Random(seed))))
                .isEmpty();
    }
}
