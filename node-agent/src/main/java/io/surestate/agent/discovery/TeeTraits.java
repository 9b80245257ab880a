package io.surestate.agent.discovery;

import io.surestate.api.v1.Label;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Trusted execution that this machine offers ({@code host}) or runs in ({@code guest}), by the processor's flags, the kernel's settings
 * and its device nodes together: a flag alone says what the processor could do. A label each, as a machine may have several. Holds no
 * state.
 */
public final class TeeTraits {
    private static final String PREFIX = "surestate.io/tee-";
    private static final String HOST = "host";
    private static final String GUEST = "guest";

    private TeeTraits() {}

    /** In the order of their keys. */
    public static List<Label> read(Path sysfs, Path proc, Path dev) {
        Set<String> flags = flags(proc);
        List<Label> labels = new ArrayList<>();
        if (Files.exists(dev.resolve("sev-guest"))) {
            labels.add(label("sev-snp", GUEST));
        } else if (flags.contains("sev_snp") && on(sysfs, "kvm_amd", "sev_snp") && Files.exists(dev.resolve("sev"))) {
            labels.add(label("sev-snp", HOST));
        }
        if (flags.contains("sgx") && Files.exists(dev.resolve("sgx_enclave"))) {
            labels.add(label("sgx", HOST));
        }
        if (flags.contains("tdx_guest") && Files.exists(dev.resolve("tdx_guest"))) {
            labels.add(label("tdx", GUEST));
        } else if (on(sysfs, "kvm_intel", "tdx")) {
            labels.add(label("tdx", HOST));
        }
        return List.copyOf(labels);
    }

    private static boolean on(Path sysfs, String module, String parameter) {
        String value = SysfsFiles.text(sysfs.resolve("module/" + module + "/parameters/" + parameter));
        return value.equals("Y") || value.equals("1");
    }

    private static Set<String> flags(Path proc) {
        return SysfsFiles.text(proc.resolve("cpuinfo"))
                .lines()
                .filter(line -> line.startsWith("flags"))
                .findFirst()
                .map(line -> Arrays.asList(
                        line.substring(line.indexOf(':') + 1).strip().split(" ")))
                .<Set<String>>map(HashSet::new)
                .orElse(Set.of());
    }

    private static Label label(String kind, String role) {
        return Label.newBuilder().setKey(PREFIX + kind).setValue(role).build();
    }
}
