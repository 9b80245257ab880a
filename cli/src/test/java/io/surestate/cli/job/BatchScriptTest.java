package io.surestate.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.v1.DeviceRequest;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.TaskGroup;
import io.surestate.cli.CommandRun;
import io.surestate.cli.FakeCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BatchScriptTest {
    @TempDir
    private Path folder;

    private final FakeCluster cluster = new FakeCluster();

    @AfterEach
    void end() {
        cluster.close();
    }

    private CommandRun submit(String text, String... arguments) throws IOException {
        List<String> words = new ArrayList<>(List.of(
                "job",
                "submit",
                Files.writeString(folder.resolve("train.sh"), text).toString()));
        words.addAll(List.of(arguments));
        return CommandRun.of(cluster, words.toArray(String[]::new));
    }

    private Job submitted() {
        assertThat(cluster.submitted).hasSize(1);
        return cluster.submitted.get(0).getJob();
    }

    @Test
    void aScriptSaysWhatItNeeds() throws IOException {
        String text = """
                #!/bin/bash -e
                # a remark
                #SURESTATE --name train --count 4
                #SURESTATE --gpus 8 -e "GREETING=good day"

                echo "$GREETING"
                #SURESTATE --count 5
                """;
        assertThat(submit(text, "--", "--epochs", "3").code()).isZero();
        TaskGroup group = submitted().getSpec().getGroups(0);
        assertThat(submitted().getName()).isEqualTo("train");
        assertThat(group.getCount()).isEqualTo(4);
        assertThat(group.getResources().getDevicesList())
                .extracting(DeviceRequest::getCount)
                .containsExactly(8);
        assertThat(group.getEnv(0).getValue()).isEqualTo("good day");
        assertThat(group.getCommandList()).contains(text, "/bin/bash", "-e", "--epochs", "3");
    }

    @Test
    void itsTextRunsWithItsInterpreterAndItsArguments() throws IOException, InterruptedException {
        assertThat(submit("#!/bin/sh -u\nprintf '%s|' \"$@\" \"it's\" '$x'\n", "--", "a b", "c")
                        .code())
                .isZero();
        Process process = new ProcessBuilder(submitted().getSpec().getGroups(0).getCommandList())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("a b|c|it's|$x|");
        assertThat(process.waitFor()).isZero();
    }

    @Test
    void aMistakeIsNamedWithItsFileAndLine() throws IOException {
        CommandRun unknown = submit("#!/bin/sh\n\n#SURESTATE --colour red\n");
        assertThat(unknown.code()).isEqualTo(2);
        assertThat(unknown.err()).contains("train.sh, line 3: ").contains("--colour");
        assertThat(submit("#!/bin/sh\n#SURESTATE --count many\n").err()).contains("train.sh, line 2: ");
        assertThat(submit("#!/bin/sh\n#SURESTATE --name 'a\n").err())
                .contains("line 2: ")
                .contains("quotes closed");
        assertThat(submit("#!sh\n").err()).contains("line 1: ").contains("absolute path");
        assertThat(submit("#!/bin/sh\n" + "x".repeat(70_000)).err()).contains("at most 65536");
        assertThat(cluster.submitted).isEmpty();
    }

    @Test
    void aJobFileTakesNoArguments() throws IOException {
        assertThat(submit("name: a\n", "--", "x").err()).contains("is no script");
        assertThat(CommandRun.of(cluster, "job", "submit").err()).contains("FILE: missing");
    }
}
