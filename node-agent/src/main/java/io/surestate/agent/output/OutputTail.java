package io.surestate.agent.output;

import java.io.IOException;
import java.util.Optional;

/** Reads one output from an offset on, piece by piece. One thread only. */
final class OutputTail {
    private final OutputParts parts;
    private final long asked;
    private long position;
    private boolean placed;
    private boolean begun;

    /**
     * @param asked bytes from the start; negative = that many before the end
     */
    OutputTail(OutputParts parts, long asked) {
        this.parts = parts;
        this.asked = asked;
    }

    /** The next bytes; empty if there are none yet. */
    Optional<OutputParts.Piece> next() throws IOException {
        if (!placed) {
            position = parts.position(asked);
            placed = true;
        }
        Optional<OutputParts.Piece> piece = parts.read(position);
        piece.ifPresent(p -> {
            position = p.offset() + p.data().size();
            begun = true;
        });
        return piece;
    }

    boolean begun() {
        return begun;
    }
}
