package io.surestate.server.api;

/**
 * What every gRPC service works with.
 *
 * @param reads finds a state as fresh as a request asks for
 * @param pages keeps lists at one revision
 * @param leader passes on what only the leader answers
 * @param authorizer stands before everything
 */
public record ApiContext(Reads reads, Pages pages, LeaderCalls leader, Authorizer authorizer) {}
