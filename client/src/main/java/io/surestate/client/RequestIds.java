package io.surestate.client;

import java.util.HexFormat;
import java.util.random.RandomGenerator;

/** Makes request ids: 128 random bits in hexadecimal. As safe between threads as its source of randomness. */
public final class RequestIds {
    private static final HexFormat HEX = HexFormat.of();

    private final RandomGenerator random;

    public RequestIds(RandomGenerator random) {
        this.random = random;
    }

    public String next() {
        return HEX.toHexDigits(random.nextLong()) + HEX.toHexDigits(random.nextLong());
    }
}
