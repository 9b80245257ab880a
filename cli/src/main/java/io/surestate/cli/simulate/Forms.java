package io.surestate.cli.simulate;

import java.util.List;

/** What people call the forms of workloads. */
final class Forms {
    static final String SWF = "swf";
    static final String PHILLY = "philly";
    static final String GAVEL = "gavel";
    static final String OPENB = "openb";

    static final List<String> ALL = List.of(SWF, PHILLY, GAVEL, OPENB);
    /** Jobs that queue. */
    static final List<String> QUEUES = List.of(SWF, PHILLY, GAVEL);

    /** Jobs that are gangs of GPUs. */
    static final List<String> GANGS = List.of(PHILLY, GAVEL);

    private Forms() {}
}
