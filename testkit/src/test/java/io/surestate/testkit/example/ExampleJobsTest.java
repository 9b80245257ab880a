package io.surestate.testkit.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.v1.Job;
import io.surestate.manifest.dialect.ManifestReader;
import io.surestate.server.job.JobAdmission;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the repository shows as a job file is one. */
class ExampleJobsTest {
    @Test
    void everyExampleIsReadAndAdmitted() throws IOException {
        List<Path> examples;
        try (Stream<Path> files = Files.list(Repository.file("conf/examples"))) {
            examples = files.toList();
        }
        assertThat(examples).hasSizeGreaterThanOrEqualTo(3);
        for (Path example : examples) {
            Job job = new ManifestReader().readJob(example.toString(), Files.readString(example));
            assertThat(JobAdmission.admit(job, "default", "anonymous").getSpec().getGroupsCount())
                    .as(example.toString())
                    .isPositive();
        }
    }
}
