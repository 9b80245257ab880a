package io.surestate.scheduler.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CuttingStockTest {
    @Test
    void aSizeOfWhichTwoFillADeviceCostsHalfOfOne() {
        assertThat(new CuttingStock(new int[] {470}).prices(new double[] {10})[0])
                .isCloseTo(0.5, within(1e-6));
    }

    @Test
    void whatFitsIntoGapsThatAreLeftAnywayCostsNothing() {
        double[] prices = new CuttingStock(new int[] {160, 810}).prices(new double[] {1, 10});
        assertThat(prices[0]).isCloseTo(0, within(1e-6));
        assertThat(prices[1]).isCloseTo(1, within(1e-6));
    }

    @Test
    void noPatternIsPricedAboveADevice() {
        int[] sizes = {110, 230, 320, 470, 550, 650};
        double[] prices = new CuttingStock(sizes).prices(new double[] {5, 9, 30, 40, 20, 25});
        assertThat(prices[5] + prices[2]).isLessThanOrEqualTo(1 + 1e-6);
        assertThat(2 * prices[3]).isLessThanOrEqualTo(1 + 1e-6);
        assertThat(prices[1] * 2 + prices[2] + prices[0] * 2).isLessThanOrEqualTo(1 + 1e-6);
    }

    @Test
    void sizesNobodyAskedForAreWorthTheirSize() {
        SizePrices none = new SizePrices(new TreeMap<>(), new Random(1));
        assertThat(none.worth(330)).isEqualTo(330);
        assertThat(none.worth(1000)).isEqualTo(1000);
    }
}
