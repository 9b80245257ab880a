package io.surestate.agent.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.surestate.api.v1.Device;
import io.surestate.api.v1.Label;
import io.surestate.api.v1.Nic;
import io.surestate.api.v1.Storage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A tree of files in the place of the kernel's. */
class SysfsTest {
    @TempDir
    Path root;

    @Test
    void findsCardsWithSpeedRdmaAndPlaceButNoVirtualOnes() throws IOException {
        write("devices/pci/0000:3b:00.0/numa_node", "1");
        write("devices/pci/0000:3b:00.0/infiniband/mlx5_0/ports/1/rate", "400 Gb/sec (4X NDR)");
        write("class/net/ib0/speed", "-1");
        link("class/net/ib0/device", "devices/pci/0000:3b:00.0");
        link("class/infiniband/mlx5_0", "devices/pci/0000:3b:00.0/infiniband/mlx5_0");
        link("devices/pci/0000:3b:00.0/infiniband/mlx5_0/device", "devices/pci/0000:3b:00.0");
        write("devices/pci/0000:01:00.0/numa_node", "0");
        write("class/net/eth0/speed", "25000");
        link("class/net/eth0/device", "devices/pci/0000:01:00.0");
        write("class/net/docker0/speed", "10000");
        write("class/net/lo/mtu", "1");
        write("devices/pci/0000:81:00.0/infiniband/mlx5_1/ports/1/rate", "200 Gb/sec (4X HDR)");
        link("class/infiniband/mlx5_1", "devices/pci/0000:81:00.0/infiniband/mlx5_1");
        link("devices/pci/0000:81:00.0/infiniband/mlx5_1/device", "devices/pci/0000:81:00.0");

        link("class/infiniband_verbs/uverbs3/device", "devices/pci/0000:3b:00.0");

        assertThat(SysfsNics.read(root))
                .extracting(Nic::getName, nic -> List.copyOf(nic.getFilesList()))
                .containsExactly(
                        tuple("eth0", List.of()),
                        tuple("ib0", List.of("/dev/infiniband/uverbs3", "/dev/infiniband/rdma_cm")),
                        tuple("mlx5_1", List.of()));
        assertThat(SysfsNics.read(root))
                .extracting(Nic::getName, Nic::getBitsPerSecond, Nic::getRdma, Nic::getPciAddress, Nic::getNumaNode)
                .containsExactly(
                        tuple("eth0", 25_000_000_000L, false, "0000:01:00.0", 0),
                        tuple("ib0", 400_000_000_000L, true, "0000:3b:00.0", 1),
                        tuple("mlx5_1", 200_000_000_000L, true, "0000:81:00.0", -1));
    }

    @Test
    void knowsWhatIsOpenedToUseAnAccelerator() throws IOException {
        write("proc/driver/nvidia/gpus/0000:18:00.0/information", "Model: \t NVIDIA H100\nDevice Minor: \t 5\n");
        link("class/drm/renderD129/device", "devices/pci/0000:22:00.0");
        write("devices/pci/0000:22:00.0/numa_node", "0");
        SysfsDevices devices = new SysfsDevices(root.resolve("proc"), root);
        assertThat(devices.files(device("NVIDIA", "0000:18:00.0")))
                .containsExactly("/dev/nvidia5", "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools", "/dev/nvidiactl");
        assertThat(devices.files(device("NVIDIA", "0000:19:00.0"))).isEmpty();
        assertThat(devices.files(device("NVIDIA", "../../../etc"))).isEmpty();
        assertThat(devices.files(device("AMD", "0000:22:00.0"))).containsExactly("/dev/dri/renderD129", "/dev/kfd");
        assertThat(devices.files(device("AMD", "0000:23:00.0"))).isEmpty();
        assertThat(devices.files(device("Huawei", "0000:22:00.0"))).isEmpty();
    }

    private static Device device(String vendor, String address) {
        return Device.newBuilder().setVendor(vendor).setPciAddress(address).build();
    }

    @Test
    void aMachineWithoutHardwareCardsHasItsVirtualOnes() throws IOException {
        write("class/net/eth0/speed", "10000");
        write("class/net/lo/mtu", "1");
        assertThat(SysfsNics.read(root)).extracting(Nic::getName).containsExactly("eth0");
    }

    @Test
    void findsDisksThatAreHardwareStayAndAreNotEmpty() throws IOException {
        disk("nvme0n1", 1_000, 0, 0);
        disk("sda", 2_000, 0, 1);
        disk("sdb", 3_000, 1, 1);
        disk("sdc", 0, 0, 0);
        write("block/loop0/size", "77");
        assertThat(SysfsStorage.read(root))
                .extracting(Storage::getName, Storage::getType, Storage::getCapacityBytes)
                .containsExactly(tuple("nvme0n1", "nvme", 512_000L), tuple("sda", "hdd", 1_024_000L));
    }

    @Test
    void trustedExecutionIsWhatFlagSettingAndDeviceSayTogether() throws IOException {
        write("proc/cpuinfo", "processor : 0\nflags\t\t: fpu sev sev_snp sgx tdx_guest\n");
        assertThat(traits()).isEmpty();
        write("module/kvm_amd/parameters/sev_snp", "Y");
        write("dev/sev", "");
        write("dev/sgx_enclave", "");
        assertThat(traits())
                .containsExactly(tuple("surestate.io/tee-sev-snp", "host"), tuple("surestate.io/tee-sgx", "host"));
        write("dev/sev-guest", "");
        write("dev/tdx_guest", "");
        assertThat(traits())
                .containsExactly(
                        tuple("surestate.io/tee-sev-snp", "guest"),
                        tuple("surestate.io/tee-sgx", "host"),
                        tuple("surestate.io/tee-tdx", "guest"));
    }

    private java.util.List<org.assertj.core.groups.Tuple> traits() {
        return TeeTraits.read(root, root.resolve("proc"), root.resolve("dev")).stream()
                .map((Label label) -> tuple(label.getKey(), label.getValue()))
                .toList();
    }

    private void disk(String name, long sectors, int removable, int rotational) throws IOException {
        write("block/" + name + "/size", Long.toString(sectors));
        write("block/" + name + "/removable", Integer.toString(removable));
        write("block/" + name + "/queue/rotational", Integer.toString(rotational));
        write("block/" + name + "/device/model", "X");
    }

    private void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text + "\n");
    }

    private void link(String from, String to) throws IOException {
        Path path = root.resolve(from);
        Files.createDirectories(path.getParent());
        Files.createDirectories(root.resolve(to));
        Files.createSymbolicLink(path, root.resolve(to));
    }
}
