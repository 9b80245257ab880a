package io.surestate.manifest.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonGenerator;
import io.surestate.api.v1.CheckpointPolicy;
import io.surestate.api.v1.Countable;
import io.surestate.api.v1.DeviceKind;
import io.surestate.api.v1.DeviceRequest;
import io.surestate.api.v1.EnvVar;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.JobSpec;
import io.surestate.api.v1.JobStatus;
import io.surestate.api.v1.JobType;
import io.surestate.api.v1.LeaseEnd;
import io.surestate.api.v1.Resources;
import io.surestate.api.v1.RetryPolicy;
import io.surestate.api.v1.TaskGroup;
import java.io.IOException;
import java.io.StringWriter;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class JobRoundTripTest {
    @Property(tries = 300)
    void yamlReadsBackToTheSameSpec(@ForAll("jobs") Job job) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = Documents.yaml(text)) {
            new ManifestWriter().write(job, out);
        }

        assertThat(new ManifestReader().readJob("text", text.toString()))
                .as("%s", text)
                .isEqualTo(asked(job));
    }

    @Property(tries = 300)
    void jsonReadsBackToTheSameSpec(@ForAll("jobs") Job job) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = Documents.json(text)) {
            new ManifestWriter().write(job, out);
        }

        assertThat(new ManifestReader().readJob("text", text.toString()))
                .as("%s", text)
                .isEqualTo(asked(job));
    }

    /** What a submit takes of a job. */
    private static Job asked(Job job) {
        return Job.newBuilder()
                .setName(job.getName())
                .setTenant(job.getTenant())
                .setSpec(job.getSpec())
                .build();
    }

    @Provide
    Arbitrary<Job> jobs() {
        return Combinators.combine(
                        texts(), texts(), specs(), Arbitraries.longs().between(0, Long.MAX_VALUE))
                .as((name, tenant, spec, number) -> Job.newBuilder()
                        .setName(name)
                        .setTenant(tenant)
                        .setUid(name)
                        .setGeneration(number)
                        .setCreatedMillis(number % 4_000_000_000_000L)
                        .setSpec(spec)
                        .setStatus(JobStatus.newBuilder()
                                .setPhase(JobPhase.JOB_PHASE_RUNNING)
                                .setReason(tenant))
                        .build());
    }

    private static Arbitrary<JobSpec> specs() {
        Arbitrary<JobSpec.Builder> base = Combinators.combine(
                        Arbitraries.of(JobType.JOB_TYPE_UNSPECIFIED, JobType.JOB_TYPE_HPC, JobType.JOB_TYPE_SERVICE),
                        Arbitraries.integers(),
                        texts(),
                        groups().list().ofMaxSize(3),
                        Arbitraries.of(LeaseEnd.LEASE_END_UNSPECIFIED, LeaseEnd.LEASE_END_KEEP))
                .as((type, priority, scheduler, groups, end) -> JobSpec.newBuilder()
                        .setType(type)
                        .setPriority(priority)
                        .setScheduler(scheduler)
                        .addAllGroups(groups)
                        .setOnLeaseEnd(end));
        return Combinators.combine(base, Arbitraries.integers().between(0, 3), amounts(), texts())
                .as((spec, present, millis, where) -> {
                    JobSpec.Builder whole = spec.clone();
                    if ((present & 1) != 0) {
                        whole.setRetry(
                                RetryPolicy.newBuilder().setMaxAttempts(present).setBackoffMillis(millis));
                    }
                    if ((present & 2) != 0) {
                        whole.setCheckpoint(CheckpointPolicy.newBuilder()
                                .setIntervalMillis(millis)
                                .setWhere(where));
                    }
                    return whole.build();
                });
    }

    private static Arbitrary<TaskGroup> groups() {
        return Combinators.combine(
                        texts(),
                        Arbitraries.integers(),
                        resources(),
                        texts().list().ofMaxSize(4),
                        Arbitraries.maps(texts(), texts()).ofMaxSize(4))
                .as((name, count, resources, command, env) -> {
                    TaskGroup.Builder group = TaskGroup.newBuilder()
                            .setName(name)
                            .setCount(count)
                            .setResources(resources)
                            .addAllCommand(command);
                    new TreeMap<>(env)
                            .forEach((key, value) -> group.addEnv(
                                    EnvVar.newBuilder().setName(key).setValue(value)));
                    return group.build();
                });
    }

    private static Arbitrary<Resources> resources() {
        Arbitrary<DeviceRequest> devices = Combinators.combine(
                        Arbitraries.of(DeviceKind.DEVICE_KIND_GPU, DeviceKind.DEVICE_KIND_QPU),
                        texts(),
                        Arbitraries.integers().between(0, 1_000))
                .as((kind, model, share) -> DeviceRequest.newBuilder()
                        .setKind(kind)
                        .setModel(model)
                        .setShareMilli(share)
                        .build());
        return Combinators.combine(
                        amounts(), amounts(), amounts(), devices.list().ofMaxSize(2), texts(), amounts())
                .as((cpu, memory, network, requested, countable, amount) -> Resources.newBuilder()
                        .setCpuMillicores(cpu)
                        .setMemoryBytes(memory)
                        .setNetworkBitsPerSecond(network)
                        .addAllDevices(requested)
                        .addCountables(Countable.newBuilder().setName(countable).setAmount(amount))
                        .build());
    }

    private static Arbitrary<Long> amounts() {
        return Arbitraries.longs().between(0, 1L << 50);
    }

    /** Ordinary words, words that YAML takes for something else, scripts, and anything at all. */
    private static Arbitrary<String> texts() {
        return Arbitraries.oneOf(
                Arbitraries.strings().alpha().ofMaxLength(8),
                Arbitraries.of(
                        "true",
                        "null",
                        "~",
                        "12",
                        "1e3",
                        "0x1F",
                        "1:30",
                        ".nan",
                        "2026-11-30",
                        "- a",
                        "a: b",
                        "a #b",
                        "*a",
                        "&a",
                        "!t",
                        "%",
                        "@",
                        "`",
                        "'",
                        "\"",
                        "yes",
                        "NO",
                        "",
                        " ",
                        " a",
                        "a ",
                        "<<",
                        "=",
                        "500m",
                        "2s",
                        "1_000",
                        "\u202e",
                        "\ud83d\ude80",
                        "\t",
                        "\r\n",
                        "\u0085",
                        "\u2028"),
                Arbitraries.strings().withChars("ab \n:#-'\"$").ofMaxLength(30),
                Arbitraries.of("set -e\n\n  echo a\necho b\n", "a\n", "a\nb", "\na", "  a\nb\n", "a \nb\n", "a\n\n\n"),
                Arbitraries.strings()
                        .all()
                        .ofMaxLength(6)
                        .map(text -> text.codePoints()
                                .filter(c -> c >= 0x20 && (c < 0xd800 || c > 0xdfff) && c < 0xfffe)
                                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                                .toString()));
    }
}
