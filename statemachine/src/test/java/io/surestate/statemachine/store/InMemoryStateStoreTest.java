package io.surestate.statemachine.store;

import java.nio.file.Path;

class InMemoryStateStoreTest extends StateStoreContract {
    @Override
    StateStore open(Path live) {
        return InMemoryStateStore.open(live);
    }
}
