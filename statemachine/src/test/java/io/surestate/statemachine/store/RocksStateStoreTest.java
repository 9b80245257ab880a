package io.surestate.statemachine.store;

import java.nio.file.Path;

class RocksStateStoreTest extends StateStoreContract {
    @Override
    StateStore open(Path live) {
        return RocksStateStore.open(live);
    }
}
