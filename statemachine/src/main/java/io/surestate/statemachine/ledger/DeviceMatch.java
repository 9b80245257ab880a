package io.surestate.statemachine.ledger;

import io.surestate.api.v1.Device;
import io.surestate.api.v1.DeviceRequest;
import io.surestate.api.v1.DeviceShare;
import io.surestate.api.v1.NodeSpec;
import io.surestate.statemachine.state.Amounts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Whether claimed devices serve device requests one to one. Requests may overlap in what serves them ("any GPU" beside "an H100"), so that
 * it is a matching of two sides: each asked device looks for a claimed one, and moves those before it where that helps (Kuhn's algorithm).
 */
final class DeviceMatch {
    private static final int NOBODY = -1;

    private final List<DeviceRequest> wanted = new ArrayList<>();
    private final List<DeviceShare> claimed;
    /** By claimed device: what it is. */
    private final List<Device> devices;
    /** By claimed device: which of the wanted it serves. */
    private final int[] serves;

    private DeviceMatch(List<DeviceRequest> requests, List<DeviceShare> claimed, NodeSpec node) {
        requests.forEach(request -> {
            for (int i = 0; i < request.getCount(); i++) {
                wanted.add(request);
            }
        });
        this.claimed = claimed;
        this.devices = claimed.stream().map(share -> device(node, share)).toList();
        this.serves = new int[claimed.size()];
        Arrays.fill(serves, NOBODY);
    }

    /** Whether each claimed device serves one request and none is left over on either side. */
    static boolean exact(List<DeviceRequest> requests, List<DeviceShare> claimed, NodeSpec node) {
        DeviceMatch match = new DeviceMatch(requests, claimed, node);
        return match.wanted.size() == claimed.size() && match.all();
    }

    private boolean all() {
        for (int want = 0; want < wanted.size(); want++) {
            if (!assign(want, new boolean[serves.length])) {
                return false;
            }
        }
        return true;
    }

    private boolean assign(int want, boolean[] tried) {
        return takeIdle(want) || takeOver(want, tried);
    }

    private boolean takeIdle(int want) {
        for (int at = 0; at < serves.length; at++) {
            if (serves[at] == NOBODY && fits(at, wanted.get(want))) {
                serves[at] = want;
                return true;
            }
        }
        return false;
    }

    private boolean takeOver(int want, boolean[] tried) {
        for (int at = 0; at < serves.length; at++) {
            if (!tried[at] && fits(at, wanted.get(want))) {
                tried[at] = true;
                if (assign(serves[at], tried)) {
                    serves[at] = want;
                    return true;
                }
            }
        }
        return false;
    }

    private static Device device(NodeSpec node, DeviceShare share) {
        return node.getDevicesList().stream()
                .filter(device -> device.getOrdinal() == share.getOrdinal())
                .findFirst()
                .orElse(Device.getDefaultInstance());
    }

    private boolean fits(int at, DeviceRequest request) {
        int milli = request.getShareMilli() == 0 ? Amounts.WHOLE_MILLI : request.getShareMilli();
        return claimed.get(at).getMilli() == milli && fits(devices.get(at), request);
    }

    private static boolean fits(Device device, DeviceRequest request) {
        return device.getKind() == request.getKind()
                && (request.getModel().isEmpty() || device.getModel().equals(request.getModel()))
                && (request.getModelsCount() == 0 || request.getModelsList().contains(device.getModel()))
                && (request.getVendor().isEmpty() || device.getVendor().equals(request.getVendor()))
                && device.getMemoryBytes() >= request.getMemoryBytes()
                && device.getPartition().equals(request.getPartition());
    }
}
