package io.surestate.testkit.mutant;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;

/** A whole project of its own, in which some classes are others: everything but the generated contract is loaded anew. */
final class MutantLoader extends ClassLoader {
    private static final String OWN = "io.surestate.";
    private static final String CONTRACT = "io.surestate.api.";
    private static final String LOG_CONTRACT = "io.surestate.log.";

    private final Map<String, byte[]> changed;

    MutantLoader(Map<String, byte[]> changed, ClassLoader parent) {
        super(parent);
        this.changed = Map.copyOf(changed);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        boolean shared =
                name.startsWith(CONTRACT) || name.startsWith(LOG_CONTRACT) || name.equals(Trial.class.getName());
        if (!name.startsWith(OWN) || shared) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            if (known != null) {
                return known;
            }
            byte[] bytes = bytes(name);
            return defineClass(name, bytes, 0, bytes.length);
        }
    }

    private byte[] bytes(String name) throws ClassNotFoundException {
        byte[] other = changed.get(name);
        if (other != null) {
            return other;
        }
        try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            return in.readAllBytes();
        } catch (IOException failed) {
            throw new ClassNotFoundException(name, failed);
        }
    }
}
