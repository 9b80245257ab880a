package io.surestate.testkit.sim;

import io.surestate.api.Limits;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.WatchRequest;
import io.surestate.api.v1.WatchResponse;
import io.surestate.server.ServerCore;
import io.surestate.server.api.Reads;
import io.surestate.server.api.Refused;
import io.surestate.server.watch.WatchOpening;
import io.surestate.server.watch.WatchSink;
import io.surestate.server.watch.Watcher;
import io.surestate.statemachine.state.ClusterState;
import io.surestate.testkit.check.WatchReplay;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Follows everything by the servers' real watches: lists once, then goes on with resume tokens from server to server, and lists again only
 * where it is told that too much is gone. Now and then it reads slowly. One thread.
 */
final class SimWatcher {
    private static final long LOOK_MILLIS = 500;
    private static final int REOPENED_MILLIS_MAX = 1_000;
    private static final int MOVES_ONE_IN = 20;
    private static final int SLOW_ONE_IN = 200;
    private static final int SLOW_MILLIS_MAX = 3_000;
    private static final int COMPARED_ONE_IN = 16;

    private final String name;
    private final SimWorld world;
    private final WatchReplay replay;
    private Optional<Stream> present = Optional.empty();
    private String token = "";

    SimWatcher(String name, SimWorld world) {
        this.name = name;
        this.world = world;
        this.replay = new WatchReplay(world.invariants().history());
    }

    void begin() {
        reopen();
        look();
    }

    long revision() {
        return replay.revision();
    }

    Optional<String> differs(ClusterState state) {
        return replay.differs(state).map(what -> name + ": " + what);
    }

    private void look() {
        world.events().after(LOOK_MILLIS, "", () -> {
            present.filter(stream -> stream.dead() || world.random().nextInt(MOVES_ONE_IN) == 0)
                    .ifPresent(stream -> {
                        stream.over = true;
                        reopen();
                    });
            look();
        });
    }

    private void reopen() {
        present = Optional.empty();
        world.events().after(1 + world.random().nextInt(REOPENED_MILLIS_MAX), "", () -> {
            if (present.isEmpty()) {
                Stream stream = new Stream(world.pick(world.servers()));
                present = Optional.of(stream);
                stream.open();
            }
        });
    }

    private boolean isPresent(Stream stream) {
        return present.filter(now -> now == stream).isPresent();
    }

    private void received(Stream stream, WatchResponse message) {
        if (!isPresent(stream)) {
            return;
        }
        replay.add(message).ifPresent(what -> world.invariants().expect(false, name + ": " + what));
        if (!message.getResumeToken().isEmpty()) {
            token = message.getResumeToken();
        }
        if (message.getLastInRevision() && world.random().nextInt(COMPARED_ONE_IN) == 0) {
            world.invariants()
                    .recent(replay.revision())
                    .flatMap(this::differs)
                    .ifPresent(what -> world.invariants().expect(false, what));
        }
    }

    private void ended(Stream stream, Refused why) {
        if (!isPresent(stream)) {
            return;
        }
        ErrorCode code = why.detail().getCode();
        world.events().count("watch-" + code.name().replace("ERROR_CODE_", ""));
        switch (code) {
            case ERROR_CODE_COMPACTED -> token = "";
            case ERROR_CODE_RESOURCE_EXHAUSTED -> token = why.detail().getResumeToken();
            case ERROR_CODE_UNAVAILABLE, ERROR_CODE_NOT_LEADER -> {
                // Another server may know more.
            }
            default -> world.invariants().broken(name + " was refused: " + why.detail(), why);
        }
        reopen();
    }

    /** One watch on one server, of one of its lives. */
    private final class Stream implements WatchSink {
        private final SimServer server;
        private final int life;
        private boolean served;
        private boolean over;
        private boolean ended;
        private int ahead;
        private long lastMillis;
        private long heardMillis;

        Stream(SimServer server) {
            this.server = server;
            this.life = server.life();
            this.heardMillis = world.events().nowMillis();
        }

        /** The process of the server is gone, or nothing was heard for too long. */
        boolean dead() {
            return server.life() != life
                    || !server.runs()
                    || world.events().nowMillis() - heardMillis > Limits.WATCH_SILENCE_MILLIS_MAX;
        }

        void open() {
            world.events().note("watch " + name + " " + server.id() + (token.isEmpty() ? " list" : ""));
            replay.resumed();
            WatchRequest request = token.isEmpty()
                    ? WatchRequest.newBuilder().setInitialList(true).build()
                    : WatchRequest.newBuilder().setResumeToken(token).build();
            world.network().send(name, server.id(), () -> serve(request), () -> {});
        }

        private void serve(WatchRequest request) {
            Optional<ServerCore> core = server.core();
            if (served || over || core.isEmpty() || server.life() != life) {
                return;
            }
            served = true;
            opened(core.get(), request).whenComplete((watcher, failure) -> {
                if (failure == null) {
                    turns(watcher);
                } else if (failure instanceof Refused refused) {
                    end(refused);
                } else if (failure instanceof CompletionException wrapped
                        && wrapped.getCause() instanceof Refused refused) {
                    end(refused);
                } else {
                    world.invariants().broken(name + " was ended by a defect", failure);
                }
            });
        }

        private CompletableFuture<Watcher> opened(ServerCore core, WatchRequest request) {
            var views = core.applyLoop().views();
            try {
                return new WatchOpening(core.watchFeed(), new Reads(views, core.readIndex()), views).watcher(request);
            } catch (Refused refused) {
                return CompletableFuture.failedFuture(refused);
            }
        }

        private void turns(Watcher watcher) {
            if (over || ended || server.life() != life || !server.runs()) {
                return;
            }
            Watcher.Turn turn = watcher.turn(this, world.events().nowMillis() * 1_000_000);
            if (turn != Watcher.Turn.ENDED) {
                long pause =
                        turn == Watcher.Turn.AGAIN ? 1 : 20 + world.random().nextInt(60);
                world.events().after(pause, "", () -> world.network().at(server.id(), () -> turns(watcher)));
            }
        }

        @Override
        public boolean ready() {
            return ahead < Limits.WATCH_MESSAGES_AHEAD_MAX;
        }

        @Override
        public void send(WatchResponse message) {
            ahead++;
            pass(() -> {
                ahead--;
                heardMillis = world.events().nowMillis();
                received(this, message);
            });
        }

        @Override
        public void end(Refused why) {
            ended = true;
            pass(() -> ended(this, why));
        }

        /** Arrives in order, or the stream is over, of which the other end hears by silence. */
        private void pass(Runnable arrival) {
            if (over) {
                return;
            }
            if (!world.network().passes(server.id(), name)) {
                over = true;
                return;
            }
            int slow = world.random().nextInt(SLOW_ONE_IN) == 0 ? world.random().nextInt(SLOW_MILLIS_MAX) : 0;
            lastMillis = Math.max(
                    lastMillis + 1, world.events().nowMillis() + world.network().delayMillis() + slow);
            world.events().after(lastMillis - world.events().nowMillis(), "", arrival);
        }
    }
}
