package io.surestate.testkit.log;

/** What lies between the members of a group. Called and calling back under the rules of whoever made it: one thread, or one lock. */
public interface Network {
    /**
     * Carries a message. Exactly one of the two is run, now or later.
     *
     * @param arrival to be run where the message arrives
     * @param lost to be run at the sender once it gives up waiting
     */
    void send(String from, String to, Runnable arrival, Runnable lost);

    /** Whether messages can pass both ways at this moment. */
    boolean connected(String one, String other);

    /** Everything arrives at once. */
    static Network immediate() {
        return new Network() {
            @Override
            public void send(String from, String to, Runnable arrival, Runnable lost) {
                arrival.run();
            }

            @Override
            public boolean connected(String one, String other) {
                return true;
            }
        };
    }
}
