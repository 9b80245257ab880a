package io.surestate.testkit.sim;

import java.nio.file.Files;

/** temp */
public class SimMain {
    public static void main(String[] a) throws Exception {
        ((ch.qos.logback.classic.Logger) org.slf4j.LoggerFactory.getLogger("root")).setLevel(ch.qos.logback.classic.Level.valueOf(System.getProperty("lvl","OFF")));
        long bad = 0;
        for (long s = Long.parseLong(a[0]); s <= Long.parseLong(a[1]); s++) {
            long t = System.nanoTime();
            try {
                System.out.println(s + " " + Simulation.run(SimSettings.of(s), Files.createTempDirectory("sim")) + " " + (System.nanoTime() - t) / 1000000 + " ms");
            } catch (AssertionError e) {
                bad++;
                String m = e.getMessage();
                System.out.println("FAIL " + (a.length > 2 ? m : m.substring(0, Math.min(m.length(), 600))) + " " + (System.nanoTime() - t) / 1000000 + " ms");
                if (a.length > 2) e.getCause().printStackTrace(System.out);
            }
        }
        System.out.println("bad " + bad);
    }
}
