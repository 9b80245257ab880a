"""own_scheduler.py: lists, holds, commits and watches, with nothing but generated stubs.

mkdir -p gen
protoc -I proto/src/main/protobuf --python_out=gen --grpc_python_out=gen --plugin=protoc-gen-grpc_python=$(which grpc_python_plugin) \\
    $(find proto/src/main/protobuf/surestate/api -name '*.proto')
PYTHONPATH=gen python3 testkit/src/test/python/own_scheduler.py HOST:PORT
"""
import sys
import time
import uuid

import grpc
from surestate.api.v1 import cluster_service_pb2, cluster_service_pb2_grpc
from surestate.api.v1 import job_pb2, jobs_service_pb2, jobs_service_pb2_grpc
from surestate.api.v1 import ledger_pb2, ledger_service_pb2, ledger_service_pb2_grpc
from surestate.api.v1 import node_pb2, request_pb2, resources_pb2
from surestate.api.v1 import watch_service_pb2, watch_service_pb2_grpc

NAME = "python"
GANG = "notebook-py"
CALL_SECONDS_MAX = 10
TRIES_MAX = 10
REMEMBERED_MILLIS = 600_000


def header(cluster):
    """Every change has an id, and a time until which it is remembered. Both are made once, before the first try."""
    now = cluster.GetStatus(cluster_service_pb2.GetStatusRequest(), timeout=CALL_SECONDS_MAX).time_millis
    return request_pb2.RequestHeader(request_id=uuid.uuid4().hex, expires_millis=now + REMEMBERED_MILLIS)


def change(call, request):
    """Sends the very same request until it is answered, a bounded number of times: under one id and expiry it takes effect once."""
    for tries in range(1, TRIES_MAX + 1):
        try:
            return call(request, timeout=CALL_SECONDS_MAX)
        except grpc.RpcError as lost:
            again = lost.code() in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)
            if not again or tries == TRIES_MAX:
                raise
            time.sleep(0.5)


def listed(watch):
    """Everything there is at one revision, then the stream goes on with what changes after it."""
    nodes, allocations = {}, {}
    for message in watch:
        for event in message.events:
            kind = event.WhichOneof("change")
            if kind == "node":
                nodes[event.node.name] = event.node
            elif kind == "allocation":
                allocations[event.allocation.id] = event.allocation
        if message.last_in_revision:
            return nodes, allocations, message.revision


def free_place(nodes, allocations, devices):
    """A node with so many free devices, one free core and a gibibyte; what is left of it is what it has, less what is on it."""
    for node in nodes.values():
        held = [a.claim for a in allocations.values() if a.node == node.name]
        quarantined = {q.ordinal for q in node.status.quarantined}
        taken = {d.ordinal for claim in held for d in claim.devices} | quarantined
        busy = {c.core_id for claim in held for c in claim.cores}
        cores = [c for numa in node.spec.numa for c in numa.core_ids if c not in busy]
        healthy = [d.ordinal for d in node.spec.devices if d.health == node_pb2.DEVICE_HEALTH_HEALTHY]
        ordinals = [ordinal for ordinal in healthy if ordinal not in taken]
        memory = node.spec.memory_bytes - sum(claim.memory_bytes for claim in held)
        ready = node.status.state == node_pb2.NODE_STATE_READY
        if ready and len(ordinals) >= devices and cores and memory >= 1 << 30:
            claim = ledger_pb2.Claim(
                cores=[ledger_pb2.CoreShare(core_id=cores[0], milli=1000)],
                memory_bytes=1 << 30,
                devices=[ledger_pb2.DeviceShare(ordinal=o, milli=1000) for o in ordinals[:devices]])
            return ledger_pb2.Placement(node=node.name, node_epoch=node.status.epoch, claim=claim)
    raise SystemExit("no node has room")


def main(server):
    channel = grpc.insecure_channel(server)
    cluster = cluster_service_pb2_grpc.ClusterStub(channel)
    jobs = jobs_service_pb2_grpc.JobsStub(channel)
    ledger = ledger_service_pb2_grpc.LedgerStub(channel)
    watch = watch_service_pb2_grpc.WatchStub(channel).WatchChanges(
        watch_service_pb2.WatchRequest(initial_list=True))

    # List.
    nodes, allocations, revision = listed(watch)
    print(f"listed {len(nodes)} nodes at revision {revision}")

    # Hold, then confirm.
    place = free_place(nodes, allocations, devices=2)
    gang = ledger_pb2.GangPlacement(name=GANG, placements=[place])
    plan = ledger_pb2.Plan(scheduler=NAME, seen_revision=revision, gangs=[gang])
    held = change(ledger.HoldPlan, ledger_service_pb2.HoldPlanRequest(
        header=header(cluster), plan=plan, ttl_millis=30_000))
    if not held.HasField("hold"):
        raise SystemExit(f"not held: {held.conflicts}")
    confirmed = change(ledger.ConfirmHold, ledger_service_pb2.ConfirmHoldRequest(
        header=header(cluster), hold=held.hold.id))
    print("hold is", ledger_pb2.HoldState.Name(confirmed.hold.state))
    if confirmed.conflicts:
        raise SystemExit(f"not confirmed: {confirmed.conflicts}")
    try:
        run_job(cluster, jobs, ledger, watch, nodes, allocations)
    finally:
        # What stands under a name stays until it is released.
        released = change(ledger.ReleaseAllocations, ledger_service_pb2.ReleaseAllocationsRequest(
            header=header(cluster), name=GANG))
        print(f"released {released.released}")


def run_job(cluster, jobs, ledger, watch, nodes, allocations):
    # Commit a gang of a job that names this scheduler.
    resources = resources_pb2.Resources(
        cpu_millicores=1000, memory_bytes=1 << 30,
        devices=[resources_pb2.DeviceRequest(kind=resources_pb2.DEVICE_KIND_GPU, count=1)])
    group = job_pb2.TaskGroup(
        name="worker", count=1, resources=resources, command=["train"],
        env=[job_pb2.EnvVar(name="FAKE_RUN_MILLIS", value="200")])
    job = change(jobs.SubmitJob, jobs_service_pb2.SubmitJobRequest(
        header=header(cluster),
        job=job_pb2.Job(name="from-python", spec=job_pb2.JobSpec(scheduler=NAME, groups=[group])))).job

    # Watch: the plan is made from what the watch has told so far, and committed when the job is there.
    for message in watch:
        for event in message.events:
            kind = event.WhichOneof("change")
            if kind == "allocation":
                allocations[event.allocation.id] = event.allocation
            elif kind == "allocation_released":
                allocations.pop(event.allocation_released.id, None)
            elif kind == "node":
                nodes[event.node.name] = event.node
            elif kind == "job_removed" and event.job_removed == job.uid:
                print("job is over")
                return
            elif kind == "job" and event.job.uid == job.uid:
                job = event.job
                print("job is", job_pb2.JobPhase.Name(job.status.phase))
        if message.last_in_revision and job.status.phase == job_pb2.JOB_PHASE_PENDING and message.revision >= job.revision:
            place = free_place(nodes, allocations, devices=1)
            place.group, place.index = "worker", 0
            gang = ledger_pb2.GangPlacement(
                job_uid=job.uid, generation=job.generation, attempt=job.status.attempt, placements=[place])
            answer = change(ledger.CommitPlan, ledger_service_pb2.CommitPlanRequest(
                header=header(cluster),
                plan=ledger_pb2.Plan(scheduler=NAME, seen_revision=message.revision, gangs=[gang])))
            # With conflicts: go on watching, and decide again when what stood in the way has changed.
            print("committed" if answer.committed else f"conflicts: {len(answer.conflicts)}")


if __name__ == "__main__":
    main(sys.argv[1])
