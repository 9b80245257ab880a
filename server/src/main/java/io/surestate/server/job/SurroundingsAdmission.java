package io.surestate.server.job;

import io.surestate.api.ImageName;
import io.surestate.api.Limits;
import io.surestate.api.Names;
import io.surestate.api.v1.Mount;
import io.surestate.api.v1.NetworkMode;
import io.surestate.api.v1.TaskGroup;
import io.surestate.server.api.Problems;
import java.util.HashSet;
import java.util.Set;

/** Checks what tasks ask of the place they run in: image, mounts, network, account. What the node allows its agent knows. */
final class SurroundingsAdmission {
    private static final String IMAGE_FORM =
            "an absolute path without .., of a folder or an image layout, as PATH, PATH:TAG or PATH@sha256:DIGEST";

    private SurroundingsAdmission() {}

    static void check(String at, TaskGroup asked) {
        if (!asked.getImage().isEmpty() && ImageName.parse(asked.getImage()).isEmpty()) {
            throw Problems.invalid(Names.message(at + ".image", asked.getImage(), IMAGE_FORM));
        }
        JobAdmission.known(at + ".network", asked.getNetwork(), NetworkMode.UNRECOGNIZED);
        if (!asked.getUser().isEmpty()) {
            Problems.require(Names.accountProblem(at + ".user", asked.getUser()));
        }
        Problems.range(at + ".mounts", asked.getMountsCount(), 0, Limits.MOUNTS_PER_GROUP_MAX);
        if (asked.getMountsCount() > 0 && asked.getImage().isEmpty()) {
            throw Problems.invalid(at + ".mounts: " + asked.getMountsCount() + " (expected: none without an image)");
        }
        Set<String> targets = new HashSet<>();
        for (Mount mount : asked.getMountsList()) {
            if (mount.getSource().isEmpty()) {
                throw Problems.invalid(Names.message(at + ".mounts.source", "", "an absolute path"));
            }
            JobAdmission.absolutePath(at + ".mounts.source", mount.getSource());
            JobAdmission.absolutePath(at + ".mounts.target", mount.getTarget());
            String target = mount.getTarget().isEmpty() ? mount.getSource() : mount.getTarget();
            if (!targets.add(target)) {
                throw Problems.invalid(Names.message(at + ".mounts.target", target, "each target once"));
            }
        }
    }
}
