package io.surestate.api;

/** Every bound of the system that a user or a peer can run into. Units stand at the end of each name. */
public final class Limits {
    /** One manifest or configuration file. */
    public static final int MANIFEST_BYTES_MAX = 1 << 20;
    /** Nesting of a manifest. */
    public static final int MANIFEST_DEPTH_MAX = 32;
    /** One gRPC message between clients, agents and servers, and one Raft message between servers. */
    public static final int MESSAGE_BYTES_MAX = 16 << 20;
    /** One client command, encoded. */
    public static final int COMMAND_BYTES_MAX = 8 << 20;
    /** Commands that share one log entry. */
    public static final int ENTRY_COMMANDS_MAX = 256;
    /** Bytes after which a log entry takes no further command. */
    public static final int ENTRY_BYTES_MAX = 3 << 20;
    /** Bytes of commands accepted by one server and not yet answered. */
    public static final long PENDING_BYTES_MAX = 64L << 20;
    /** Commands accepted by one server and not yet answered. */
    public static final int PENDING_COMMANDS_MAX = 20_000;

    public static final int NAME_CHARS_MAX = 253;
    public static final int LABEL_CHARS_MAX = 63;
    public static final int REQUEST_ID_CHARS_MAX = 64;
    public static final int REASON_CHARS_MAX = 1_024;

    public static final int GROUPS_PER_JOB_MAX = 1_000;
    public static final int TASKS_PER_GROUP_MAX = 10_000;
    /** Spare places of a group, of each slice where it is cut. */
    public static final int SPARES_PER_GROUP_MAX = 1_000;

    public static final int TASKS_PER_JOB_MAX = 10_000;
    public static final int COMMAND_ARGUMENTS_MAX = 1_024;
    public static final int COMMAND_CHARS_MAX = 128 << 10;
    public static final int ENV_PER_GROUP_MAX = 1_024;
    public static final int ENV_CHARS_MAX = 256 << 10;
    public static final int MOUNTS_PER_GROUP_MAX = 64;
    public static final int PRIORITY_ABSOLUTE_MAX = 1_000;
    public static final int ATTEMPTS_MAX = 1_000;
    public static final long BACKOFF_MILLIS_MAX = 600_000;
    public static final long CHECKPOINT_INTERVAL_MILLIS_MIN = 100;
    public static final long CHECKPOINT_INTERVAL_MILLIS_MAX = 7L * 24 * 3_600_000;
    public static final long CHECKPOINT_GRACE_MILLIS_MIN = 1_000;
    public static final long CHECKPOINT_GRACE_MILLIS_MAX = 600_000;
    public static final long CHECKPOINT_GRACE_MILLIS_DEFAULT = 30_000;
    public static final long CPU_MILLICORES_MAX = 1_024_000;
    public static final long MEMORY_BYTES_MAX = 1L << 50;
    public static final int DEVICES_PER_TASK_MAX = 1_024;
    public static final long KEEP_ROOM_AFTER_MILLIS_DEFAULT = 300_000;
    public static final long KEEP_ROOM_AFTER_MILLIS_MIN = 1_000;
    public static final long KEEP_ROOM_AFTER_MILLIS_MAX = 30L * 24 * 3_600_000;
    public static final long HOLD_DOWN_MILLIS_DEFAULT = 3_600_000;
    public static final long HOLD_DOWN_MILLIS_MIN = 1_000;
    public static final long HOLD_DOWN_MILLIS_MAX = 24L * 3_600_000;
    /** How long a device must be given out without falling ill for that it did so before to be forgotten. */
    public static final long DEVICE_FALLS_REMEMBERED_MILLIS = 24L * 3_600_000;

    public static final int ACCELERATOR_MODELS_MAX = 64;
    public static final int PRECISIONS_PER_MODEL_MAX = 16;
    public static final int CLASSES_PER_MODEL_MAX = 16;
    public static final long UNITS_PER_DEVICE_MAX = 1L << 40;
    /** Attempts that node losses may cost one job before it fails. */
    public static final int NODE_LOSSES_MAX = 1_000;
    /** Attempts that failures with ignored exit codes may cost one job before it fails. */
    public static final int IGNORED_FAILURES_MAX = 1_000;
    /** History lines of one job; checkpoint lines are dropped first when it is reached. */
    public static final int JOB_EVENTS_MAX = 10_000;

    public static final int LIVE_JOBS_MAX = 200_000;
    public static final int LIVE_TASKS_MAX = 1_000_000;
    /** Places that count, of tasks and under names. */
    public static final int LIVE_ALLOCATIONS_MAX = 1_000_000;

    public static final int NODES_MAX = 20_000;
    public static final int PLACEMENTS_PER_PLAN_MAX = 10_000;
    public static final int CORES_PER_NODE_MAX = 4_096;
    public static final int DEVICES_PER_NODE_MAX = 1_024;
    public static final int REPORTS_PER_MESSAGE_MAX = 10_000;

    public static final long REQUEST_TTL_MILLIS_DEFAULT = 600_000;
    public static final long REQUEST_TTL_MILLIS_MAX = 7L * 24 * 3_600_000;
    /** Outcomes kept for one tenant and principal. */
    public static final int REQUESTS_PER_PRINCIPAL_MAX = 100_000;

    /** Ids of acknowledged and sealed requests that are remembered for one tenant and principal. */
    public static final int USED_IDS_PER_PRINCIPAL_MAX = 1_000_000;
    /** Request ids that one message acknowledges. */
    public static final int ACKNOWLEDGED_PER_MESSAGE_MAX = 1_000;

    public static final long HOLD_TTL_MILLIS_MIN = 1_000;
    public static final long HOLD_TTL_MILLIS_MAX = 7L * 24 * 3_600_000;
    /** How long an ended hold can still be asked about, in cluster time. */
    public static final long HOLD_REMEMBERED_MILLIS = 3_600_000;
    /** Holds that stand or are remembered, for one tenant. */
    public static final int HOLDS_PER_TENANT_MAX = 10_000;

    public static final long DRAIN_DEADLINE_MILLIS_MIN = 1_000;
    public static final long DRAIN_DEADLINE_MILLIS_MAX = 30L * 24 * 3_600_000;
    /** Owners of places on a node that is being drained which are shown. */
    public static final int DRAIN_WAITS_SHOWN = 100;
    /** Gangs and names that one Tick stops on drained nodes. */
    public static final int DRAINED_PER_TICK_MAX = 100;

    public static final long FREEZE_MILLIS_MIN = 1_000;
    public static final long FREEZE_MILLIS_MAX = 24L * 3_600_000;
    /** Bandwidth of a link, bytes of a storage, a countable, or a share of them: exact also where numbers are doubles. */
    public static final long NAMED_AMOUNT_MAX = 1L << 53;
    /** Names of countables that a task may ask for, and models that a device request may list. */
    public static final int ALTERNATIVES_MAX = 64;

    public static final int OUTCOME_BYTES_MAX = 64 << 10;
    /** Holds ended, and outcomes and holds forgotten, by one Tick; of each so many. */
    public static final int EXPIRIES_PER_TICK_MAX = 1_000;

    public static final long LEASE_MILLIS_MIN = 2_000;
    public static final long LEASE_MILLIS_MAX = 3_600_000;
    public static final long LEASE_MILLIS_DEFAULT = 20_000;
    public static final long LEASE_MARGIN_MILLIS_DEFAULT = 2_000;
    public static final long HEARTBEAT_MILLIS_DEFAULT = 1_000;
    /** Heartbeats that may be missing before a node is suspected. */
    public static final int HEARTBEATS_MISSED_MAX = 3;
    /** Between the stop signal and the kill. */
    public static final long STOP_GRACE_MILLIS = 5_000;

    public static final int PAGE_SIZE_DEFAULT = 500;
    public static final int PAGE_SIZE_MAX = 5_000;
    /** Bytes after which a page takes no further item. */
    public static final int PAGE_BYTES_MAX = 4 << 20;
    /** Views that lists may be pinned to. */
    public static final int PINNED_VIEWS_MAX = 64;

    public static final long PINNED_VIEW_MILLIS_MAX = 60_000;
    /** Revisions whose digests are kept. */
    public static final int DIGESTS_KEPT = 4_096;
    /** Revisions of changes kept for watchers. */
    public static final int WATCH_REVISIONS_KEPT = 8_192;

    /** Changes in those revisions; a watcher's place is lost when either bound is passed. */
    public static final int WATCH_CHANGES_KEPT = 200_000;

    public static final int WATCHERS_MAX = 2_000;
    /** Events in one message of a watch; a message is also closed when it passes {@link #PAGE_BYTES_MAX}. */
    public static final int WATCH_EVENTS_PER_MESSAGE_MAX = 1_000;
    /** A watch that has nothing to say says so this often. */
    public static final long WATCH_MARK_MILLIS = 5_000;
    /** A watch that has passed revisions of which its filter lets nothing through says so after this long. */
    public static final long WATCH_PROGRESS_MILLIS = 1_000;
    /** A watcher that is about to lose its place and took nothing for so long is cut. */
    public static final long WATCH_STALL_MILLIS_MAX = 1_000;

    public static final int OUTPUT_CHUNK_BYTES_MAX = 64 << 10;
    /** One rotated part of one output of one attempt; two parts are kept. */
    public static final long OUTPUT_FILE_BYTES_MAX = 16L << 20;

    /** Attempts that the client makes for one call within its deadline. */
    public static final int CALL_ATTEMPTS_MAX = 200;

    public static final long CALL_BACKOFF_MILLIS_MIN = 20;
    public static final long CALL_BACKOFF_MILLIS_MAX = 500;
    /** Request ids that the client collects before it acknowledges their outcomes. */
    public static final int ACKNOWLEDGED_TOGETHER = 64;
    /** Messages of a watch that the client takes in before they are dealt with. */
    public static final int WATCH_MESSAGES_AHEAD_MAX = 4;
    /** A watch that is silent for so long is given up for another server; there is a mark every {@link #WATCH_MARK_MILLIS}. */
    public static final long WATCH_SILENCE_MILLIS_MAX = 3 * WATCH_MARK_MILLIS;
    /** No server served a watch for so long, counted from the first failure in a row: then it is said. Looking for one goes on. */
    public static final long WATCH_PATIENCE_MILLIS = 2_000;
    /** Leader hints that the client follows in a row without waiting. */
    public static final int LEADER_HINTS_FOLLOWED_MAX = 3;

    /** Agent: from the hello to the welcome, before another server is tried. */
    public static final long HELLO_MILLIS_MAX = 10_000;
    /** Agent: heartbeats in a row that may stay unanswered before the stream is given up. */
    public static final int HEARTBEATS_UNANSWERED_MAX = 5;

    public static final long AGENT_RECONNECT_MILLIS_MIN = 100;
    public static final long AGENT_RECONNECT_MILLIS_MAX = 3_000;
    /** Agent: before a report that was not acknowledged is sent again. */
    public static final long REPORT_RESEND_MILLIS = 5_000;
    /** Streams of task output that one agent serves at one time. */
    public static final int OUTPUT_STREAMS_MAX = 64;
    /** Commands that one agent runs within tasks at one time. */
    public static final int EXECS_PER_NODE_MAX = 16;
    /** Bytes of input or output of such a command in one message. */
    public static final int EXEC_CHUNK_BYTES_MAX = 64 << 10;

    public static final int TERMINAL_SIDE_MAX = 10_000;
    /** Ended attempts whose output an agent keeps, and the bytes of all of it. */
    public static final int OUTPUT_ATTEMPTS_KEPT = 64;

    public static final long OUTPUT_BYTES_KEPT = 256L << 20;
    /** Entries of one checkpoint folder that an agent looks at. */
    public static final int CHECKPOINT_ENTRIES_MAX = 10_000;
    /** Tasks that one node knows at one time, ended ones that the ledger still lists included. */
    public static final int TASKS_PER_NODE_MAX = 10_000;
    /** Nodes that one agent process simulates. */
    public static final int FAKE_NODES_MAX = NODES_MAX;
    /** Kinds of jobs whose run times a scheduling queue remembers. */
    public static final int RUN_KINDS_MAX = 100_000;
    /** Simulation: bytes of one trace, unpacked. */
    public static final long TRACE_BYTES_MAX = 2L << 30;
    /** Simulation: characters of one line of a trace. */
    public static final int TRACE_LINE_CHARS_MAX = 64 << 10;
    /** Simulation: jobs of one trace. */
    public static final int TRACE_JOBS_MAX = 10_000_000;

    /** One file that describes hardware. */
    public static final int HARDWARE_FILE_BYTES_MAX = 16 << 20;
    /** One line of such a file, where it has lines. */
    public static final int HARDWARE_LINE_CHARS_MAX = 64 << 10;
    /** Elements of such a file, and how deep they nest, where it is XML. */
    public static final int HARDWARE_ELEMENTS_MAX = 500_000;

    public static final int HARDWARE_DEPTH_MAX = 64;

    /** Conditions that an agent tells of its node at one time. */
    public static final int CONDITIONS_PER_NODE_MAX = 32;
    /** What a condition says. */
    public static final int CONDITION_REASON_CHARS_MAX = 256;
    /** What the leader's means and greatest values of readings cover. */
    public static final long TELEMETRY_WINDOW_MILLIS = 60_000;
    /** Plug-ins of one agent. */
    public static final int PLUGINS_MAX = 16;
    /** Agent: between two looks at its devices. */
    public static final long DEVICE_LOOK_MILLIS = 5_000;
    /** Agent: before it says hello again because its hardware is another; doubles while it keeps changing. */
    public static final long HELLO_AGAIN_MILLIS_MIN = 5_000;

    public static final long HELLO_AGAIN_MILLIS_MAX = 300_000;

    private Limits() {}
}
