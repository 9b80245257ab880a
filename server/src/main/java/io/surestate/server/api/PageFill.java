package io.surestate.server.api;

import com.google.protobuf.Message;
import io.surestate.api.Limits;

/** Counts what goes into a page: it is full at its size, or when it would grow past what one message should hold. One page, one thread. */
public final class PageFill {
    private final int size;
    private int count;
    private long bytes;

    public PageFill(Pages.Start start) {
        this.size = start.size();
    }

    /** Whether another item has to wait for the next page. A page takes at least one. */
    public boolean full() {
        return count >= size || (count > 0 && bytes > Limits.PAGE_BYTES_MAX);
    }

    public void add(Message item) {
        count++;
        bytes += item.getSerializedSize();
    }
}
