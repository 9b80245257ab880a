package io.surestate.statemachine.model;

/** Nodes that are only planned. */
record NaivePlanned(NaiveState state) {
    String plan(String name) {
        if (state.nodes.containsKey(name)) {
            return "ALREADY_EXISTS";
        }
        state.planned.add(name);
        return "node " + name;
    }

    String remove(String name) {
        if (state.nodes.containsKey(name)) {
            return "ILLEGAL_STATE";
        }
        return state.planned.remove(name) ? "node " + name : "NOT_FOUND";
    }
}
