package io.surestate.agent.process;

import io.surestate.api.v1.CoreShare;
import io.surestate.api.v1.DesiredTask;
import io.surestate.api.v1.Gang;
import io.surestate.api.v1.GangNode;
import io.surestate.api.v1.Rank;
import io.surestate.api.v1.TaskRef;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a task is told of its gang, by the names that programs look for: torchrun's and Slurm's. Pure; none for a task without a rank.
 */
final class RankVariables {
    private static final int MILLI = 1_000;
    /** The kernel takes no variable of 128 KiB; a list that comes near is left to the host file. */
    private static final int LIST_CHARS_MAX = 64 << 10;

    private static final int ORDINAL_BITS = 8;
    private static final int HEXADECIMAL = 16;
    private static final Pattern UID = Pattern.compile("([0-9a-f]{1,13})-([0-9a-f]{1,2})");

    private RankVariables() {}

    static Map<String, String> of(DesiredTask task, PortRange masterPorts) {
        Map<String, String> env = new LinkedHashMap<>();
        if (task.hasRank() && task.hasGang()) {
            torch(env, task, masterPorts);
            slurm(env, task);
        }
        return env;
    }

    private static void torch(Map<String, String> env, DesiredTask task, PortRange masterPorts) {
        Gang gang = task.getGang();
        Rank rank = task.getRank();
        env.put("RANK", text(rank.getGlobal()));
        env.put("WORLD_SIZE", text(gang.getTasks()));
        env.put("LOCAL_RANK", text(rank.getLocal()));
        env.put("LOCAL_WORLD_SIZE", text(gang.getNodes(rank.getNode()).getSlots()));
        env.put("NODE_RANK", text(rank.getNode()));
        env.put("GROUP_RANK", text(rank.getNode()));
        env.put("GROUP_WORLD_SIZE", text(gang.getNodesCount()));
        env.put("MASTER_ADDR", address(gang.getNodes(0)));
        env.put("MASTER_PORT", text(masterPorts.pick(gang.getJobUid() + "/" + gang.getAttempt())));
    }

    private static void slurm(Map<String, String> env, DesiredTask task) {
        Gang gang = task.getGang();
        Rank rank = task.getRank();
        TaskRef ref = task.getAllocation().getTask();
        for (String name : List.of("SLURM_JOB_ID", "SLURM_JOBID")) {
            env.put(name, jobNumber(ref.getJobUid()));
        }
        env.put("SLURM_JOB_NAME", task.getJobName());
        env.put("SLURM_RESTART_COUNT", text(ref.getAttempt() - 1));
        env.put("SLURM_STEP_ID", "0");
        env.put("SLURM_PROCID", text(rank.getGlobal()));
        env.put("SLURM_LOCALID", text(rank.getLocal()));
        env.put("SLURM_NODEID", text(rank.getNode()));
        env.put("SLURMD_NODENAME", gang.getNodes(rank.getNode()).getName());
        for (String name : List.of("SLURM_NTASKS", "SLURM_NPROCS", "SLURM_STEP_NUM_TASKS")) {
            env.put(name, text(gang.getTasks()));
        }
        for (String name : List.of("SLURM_NNODES", "SLURM_JOB_NUM_NODES", "SLURM_STEP_NUM_NODES")) {
            env.put(name, text(gang.getNodesCount()));
        }
        for (String name : List.of("SLURM_TASKS_PER_NODE", "SLURM_STEP_TASKS_PER_NODE")) {
            bounded(env, name, tasksPerNode(gang));
        }
        String nodes =
                NodeList.of(gang.getNodesList().stream().map(GangNode::getName).toList());
        for (String name : List.of("SLURM_JOB_NODELIST", "SLURM_NODELIST", "SLURM_STEP_NODELIST")) {
            bounded(env, name, nodes);
        }
        env.put("SLURM_CPUS_PER_TASK", text(processors(task)));
    }

    private static void bounded(Map<String, String> env, String name, String list) {
        if (list.length() <= LIST_CHARS_MAX) {
            env.put(name, list);
        }
    }

    static String address(GangNode node) {
        return node.getAddress().isEmpty() ? node.getName() : node.getAddress();
    }

    /** Such as {@code 8(x3),4}. */
    private static String tasksPerNode(Gang gang) {
        List<String> parts = new ArrayList<>();
        int at = 0;
        while (at < gang.getNodesCount()) {
            int slots = gang.getNodes(at).getSlots();
            int end = at;
            while (end < gang.getNodesCount() && gang.getNodes(end).getSlots() == slots) {
                end++;
            }
            parts.add(end - at == 1 ? text(slots) : slots + "(x" + (end - at) + ")");
            at = end;
        }
        return String.join(",", parts);
    }

    /** Slurm's job ids are numbers: the uid as one. */
    private static String jobNumber(String uid) {
        Matcher matcher = UID.matcher(uid);
        return matcher.matches()
                ? Long.toString((Long.parseLong(matcher.group(1), HEXADECIMAL) << ORDINAL_BITS)
                        + Long.parseLong(matcher.group(2), HEXADECIMAL))
                : uid;
    }

    private static int processors(DesiredTask task) {
        int milli = task.getAllocation().getClaim().getCoresList().stream()
                .mapToInt(CoreShare::getMilli)
                .sum();
        return Math.max(1, (milli + MILLI - 1) / MILLI);
    }

    private static String text(int number) {
        return Integer.toString(number);
    }
}
