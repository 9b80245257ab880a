package io.surestate.server.leader;

/** One kind of leader work. All calls come on the leader loop; nothing here may block. */
public interface LeaderDuty {
    /** Leadership of this term is certain and everything before it is applied. Starts from scratch. */
    void begin(long term);

    /** Time passed, or something was applied. */
    void poll();

    /** Leadership is over: forget everything, propose nothing more. */
    void end();
}
