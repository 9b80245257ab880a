package io.surestate.cli.simulate;

import io.surestate.api.v1.Job;
import io.surestate.cli.CliException;
import io.surestate.sim.cluster.VirtualCluster;
import io.surestate.sim.whatif.JobFate;
import io.surestate.sim.whatif.WhatIf;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Questions to a copy of a running cluster. Used by one thread. */
final class LiveStudy {
    private final VirtualCluster cluster;
    private final WhatIf whatIf;
    private final long revision;
    private final List<JobFate> fates = new ArrayList<>();

    /** @param cluster changes with each question */
    LiveStudy(VirtualCluster cluster) {
        this.cluster = cluster;
        this.whatIf = new WhatIf(cluster);
        this.revision = cluster.revision();
    }

    /** Of the copy, before any question. */
    long revision() {
        return revision;
    }

    /** As if these nodes were gone. */
    void without(List<String> nodes) {
        for (String node : nodes) {
            Optional<String> problem = whatIf.problem(node);
            if (problem.isPresent()) {
                throw CliException.usage("--without: " + problem.get());
            }
        }
        fates.addAll(whatIf.without(nodes));
    }

    /** As if this job, which the servers checked, were submitted. */
    void submitted(Job checked) {
        fates.add(whatIf.submitted(checked));
    }

    /** What becomes of the jobs that were asked about. */
    List<JobFate> fates() {
        return List.copyOf(fates);
    }

    /** As it stands after the questions. */
    VirtualCluster cluster() {
        return cluster;
    }
}
