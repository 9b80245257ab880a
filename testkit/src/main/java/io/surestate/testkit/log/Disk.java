package io.surestate.testkit.log;

/** When what members wrote is safe, and what a crash leaves of the rest. Called under the rules of whoever made it. */
public interface Disk {
    /** Forces all that a member wrote so far; {@code done} runs once it is safe. */
    void force(String member, Runnable done);

    /** How many of that many entries, written and not forced, are still there after a crash: the first ones. */
    long kept(long unforced);

    /** Everything is safe at once. */
    static Disk immediate() {
        return new Disk() {
            @Override
            public void force(String member, Runnable done) {
                done.run();
            }

            @Override
            public long kept(long unforced) {
                return unforced;
            }
        };
    }
}
