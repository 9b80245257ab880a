package io.surestate.manifest.hardware;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.surestate.api.v1.Device;
import io.surestate.api.v1.DeviceTelemetry;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceSignsTest {
    private static final String GPU = """
            <nvidia_smi_log>
              <attached_gpus>1</attached_gpus>
              <gpu id="00000000:0A:00.0">
                <product_name>NVIDIA H100</product_name>
                <uuid>GPU-a</uuid>
                <gpu_recovery_action>None</gpu_recovery_action>
                <pci><tx_util>500 KB/s</tx_util><rx_util>750 KB/s</rx_util></pci>
                <fb_memory_usage><total>81559 MiB</total><used>1024 MiB</used></fb_memory_usage>
                <utilization><gpu_util>87 %</gpu_util></utilization>
                <ecc_errors>
                  <volatile><sram_correctable>2</sram_correctable><dram_correctable>3</dram_correctable>
                    <sram_uncorrectable_parity>0</sram_uncorrectable_parity><dram_uncorrectable>0</dram_uncorrectable></volatile>
                  <aggregate><dram_uncorrectable>9</dram_uncorrectable></aggregate>
                </ecc_errors>
                <retired_pages><pending_retirement>No</pending_retirement></retired_pages>
                <remapped_rows><remapped_row_pending>No</remapped_row_pending><remapped_row_failure>No</remapped_row_failure></remapped_rows>
                <temperature><gpu_temp>64 C</gpu_temp></temperature>
                <gpu_power_readings><average_power_draw>N/A</average_power_draw><instant_power_draw>551.62 W</instant_power_draw>
                  <current_power_limit>700.00 W</current_power_limit></gpu_power_readings>
                <clocks><sm_clock>1980 MHz</sm_clock></clocks>
              </gpu>
            </nvidia_smi_log>
            """;

    private static final String ROCM = """
            {"card1": {"Device Name": "AMD Instinct MI300X OAM", "Unique ID": "0xb1", "PCI Bus": "0000:26:00.0",
              "VRAM Total Memory (B)": "206141652992", "VRAM Total Used Memory (B)": "297594880", "GPU use (%)": "42",
              "Temperature (Sensor junction) (C)": "61.0", "Current Socket Graphics Package Power (W)": "133.4",
              "Max Graphics Package Power (W)": "750.0", "sclk clock speed:": "(132Mhz)"},
             "card0": {"Card Series": "AMD Instinct MI300X OAM", "Unique ID": "N/A", "PCI Bus": "0000:0C:00.0",
              "VRAM Total Memory (B)": "206141652992"},
             "system": {"Driver version": "6.10"}}
            """;

    private static final String NPU = """
            +------------------------------------------------------------------------------------------------+
            | npu-smi 24.1.0                   Version: 24.1.0                                               |
            +---------------------------+---------------+----------------------------------------------------+
            | NPU   Name                | Health        | Power(W)    Temp(C)           Hugepages-Usage(page)|
            | Chip                      | Bus-Id        | AICore(%)   Memory-Usage(MB)  HBM-Usage(MB)        |
            +===========================+===============+====================================================+
            | 0     910B3               | OK            | 91.4        48                0    / 0             |
            | 0                         | 0000:C1:00.0  | 7           0    / 0          4335 / 65536         |
            +===========================+===============+====================================================+
            | 1     910B3               | Alarm         | 90.0        47                0    / 0             |
            | 0                         | 0000:C2:00.0  | 0           0    / 0          59351/ 65536         |
            +===========================+===============+====================================================+
            | NPU     Chip              | Process id    | Process name             | Process memory(MB)      |
            | No running processes found in NPU 0                                                            |
            """;

    @Test
    void readsHowAnNvidiaGpuIsDoing() {
        assertThat(signs(HardwareFormat.NVIDIA_SMI_XML, GPU))
                .containsExactly(new DeviceSigns(
                        "",
                        DeviceTelemetry.newBuilder()
                                .setUseMilli(870)
                                .setMemoryUsedBytes(1L << 30)
                                .setTemperatureCelsius(64)
                                .setPowerWatts(552)
                                .setPowerLimitWatts(700)
                                .setClockMhz(1980)
                                .setEccCorrected(5)
                                .setLinkBitsPerSecond(10_000_000)
                                .build()));
    }

    @ParameterizedTest
    @CsvSource({
        "<dram_uncorrectable>0, <dram_uncorrectable>4, uncorrectable memory errors: 4",
        "<pending_retirement>No, <pending_retirement>Yes, a page is to be retired",
        "<remapped_row_pending>No, <remapped_row_pending>Yes, a row is to be remapped",
        "<remapped_row_failure>No, <remapped_row_failure>Yes, row remapping failed",
        "<gpu_recovery_action>None, <gpu_recovery_action>Reset, the driver asks for recovery: Reset",
        "81559 MiB, GPU is lost, fell off the bus"
    })
    void tellsWhyAnNvidiaGpuMustNotBeGivenOut(String well, String ill, String reason) {
        assertThat(signs(HardwareFormat.NVIDIA_SMI_XML, GPU.replaceFirst(well, ill)))
                .extracting(DeviceSigns::ailment)
                .containsExactly(reason);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[N/A]", "ERR!", "-", "", "999999999999999999999999"})
    void aReadingThatIsNoNumberIsUnknown(String nonsense) {
        assertThat(signs(HardwareFormat.NVIDIA_SMI_XML, GPU.replace("64 C", nonsense))
                        .get(0)
                        .telemetry()
                        .getTemperatureCelsius())
                .isZero();
    }

    @Test
    void readsAmdCardsInTheOrderOfTheirNumbers() {
        Hardware read = Read.all(HardwareFormat.ROCM_SMI_JSON, ROCM);

        assertThat(read.nodes().get(0).getSpec().getDevicesList())
                .extracting(Device::getModel, Device::getHardwareId, Device::getPciAddress)
                .containsExactly(
                        tuple("AMD Instinct MI300X OAM", "0000:0c:00.0", "0000:0c:00.0"),
                        tuple("AMD Instinct MI300X OAM", "0xb1", "0000:26:00.0"));
        assertThat(read.signs().get(1).telemetry())
                .isEqualTo(DeviceTelemetry.newBuilder()
                        .setOrdinal(1)
                        .setUseMilli(420)
                        .setMemoryUsedBytes(297_594_880)
                        .setTemperatureCelsius(61)
                        .setPowerWatts(133)
                        .setPowerLimitWatts(750)
                        .setClockMhz(132)
                        .build());
    }

    @Test
    void readsAscendChipsAndWhichAreIll() {
        Hardware read = Read.all(HardwareFormat.NPU_SMI_INFO, NPU);

        assertThat(read.nodes().get(0).getSpec().getDevicesList())
                .extracting(Device::getModel, Device::getPciAddress, Device::getMemoryBytes)
                .containsExactly(
                        tuple("Ascend 910B3", "0000:c1:00.0", 64L << 30),
                        tuple("Ascend 910B3", "0000:c2:00.0", 64L << 30));
        assertThat(read.signs()).extracting(DeviceSigns::ailment).containsExactly("", "health: Alarm");
        assertThat(read.signs().get(0).telemetry())
                .isEqualTo(DeviceTelemetry.newBuilder()
                        .setUseMilli(70)
                        .setMemoryUsedBytes(4_335L << 20)
                        .setTemperatureCelsius(48)
                        .setPowerWatts(91)
                        .build());
    }

    @Test
    void refusesHalfOfAnOutput() {
        assertThat(Read.problem(HardwareFormat.NVIDIA_SMI_XML, GPU.substring(0, GPU.length() / 2)))
                .contains("not well-formed XML");
        assertThat(Read.problem(HardwareFormat.ROCM_SMI_JSON, ROCM.substring(0, ROCM.length() / 2)))
                .contains("not well-formed JSON");
        assertThat(Read.problem(HardwareFormat.ROCM_SMI_JSON, "WARNING")).contains("expected: ");
        assertThat(Read.problem(HardwareFormat.NPU_SMI_INFO, NPU.substring(0, NPU.indexOf("| 0                 "))))
                .contains("(expected: a line with its PCI address below)");
        assertThat(Read.problem(HardwareFormat.NPU_SMI_INFO, "")).contains("expected: the output of npu-smi info");
    }

    @ParameterizedTest
    @CsvSource({
        "qx-h100.xml, 8, 700",
        "qx-b200.xml, 8, 1000",
        "qx-gb200.xml, 4, 1200",
        "qx-a100.xml, 1, 400",
        "qx-t4.xml, 1, 70"
    })
    void readsRecordedMachinesAsWell(String file, int gpus, int limitWatts) {
        List<DeviceSigns> signs = signs(HardwareFormat.NVIDIA_SMI_XML, Read.real("nvidia-smi-qx/" + file));

        assertThat(signs).hasSize(gpus).allSatisfy(sign -> {
            assertThat(sign.ailment()).isEmpty();
            assertThat(sign.telemetry().getPowerLimitWatts()).isEqualTo(limitWatts);
            assertThat(sign.telemetry().getTemperatureCelsius()).isBetween(20, 60);
        });
    }

    private static List<DeviceSigns> signs(HardwareFormat format, String text) {
        return Read.all(format, text).signs();
    }
}
