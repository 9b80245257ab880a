package io.surestate.client;

import io.surestate.api.v1.WatchEvent;
import java.util.List;

/**
 * Told by a {@link ClusterView} what changed, on the view's own thread, one call at a time. While it works the view stands still, and
 * goes on afterwards without having lost anything.
 */
public interface ViewListener {
    /** One revision. Job events come here only; pictures do not keep them. */
    void changed(ClusterPicture now, List<WatchEvent> events);

    /** Everything was listed: at the start, and whenever changes were missed while no server could be reached for long. */
    default void listed(ClusterPicture now) {
        changed(now, List.of());
    }
}
