package io.surestate.server.watch;

import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Function;

/** The elements of many iterators in a row, each iterator made when its turn comes and none kept whole. Used by one thread at a time. */
final class Flattened<S, T> implements Iterator<T> {
    private final Iterator<S> sources;
    private final Function<S, Iterator<T>> open;
    private Iterator<T> current = Collections.emptyIterator();

    Flattened(Iterator<S> sources, Function<S, Iterator<T>> open) {
        this.sources = sources;
        this.open = open;
    }

    @Override
    public boolean hasNext() {
        while (!current.hasNext() && sources.hasNext()) {
            current = open.apply(sources.next());
        }
        return current.hasNext();
    }

    @Override
    public T next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return current.next();
    }
}
