"""Lists, holds, commits and watches, with nothing but generated stubs.

protoc -I proto/src/main/protobuf --python_out=gen --grpc_python_out=gen --plugin=protoc-gen-grpc_python=$(which grpc_python_plugin) \\
    $(find proto/src/main/protobuf/surestate/api -name '*.proto')
PYTHONPATH=gen python3 own_scheduler.py HOST:PORT
"""
import sys
import uuid

import grpc
from surestate.api.v1 import job_pb2, jobs_service_pb2, jobs_service_pb2_grpc
from surestate.api.v1 import ledger_pb2, ledger_service_pb2, ledger_service_pb2_grpc
from surestate.api.v1 import node_pb2, request_pb2, resources_pb2
from surestate.api.v1 import watch_service_pb2, watch_service_pb2_grpc

NAME = "python"
CALL_SECONDS_MAX = 10


def header():
    """Every change has an id; sent again under the same id it takes effect once."""
    return request_pb2.RequestHeader(request_id=uuid.uuid4().hex)


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
        ordinals = [d.ordinal for d in node.spec.devices if d.ordinal not in taken]
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
    jobs = jobs_service_pb2_grpc.JobsStub(channel)
    ledger = ledger_service_pb2_grpc.LedgerStub(channel)
    watch = watch_service_pb2_grpc.WatchStub(channel).WatchChanges(
        watch_service_pb2.WatchRequest(initial_list=True))

    # List.
    nodes, allocations, revision = listed(watch)
    print(f"listed {len(nodes)} nodes at revision {revision}")

    # Hold, then confirm.
    place = free_place(nodes, allocations, devices=2)
    gang = ledger_pb2.GangPlacement(name="notebook-py", placements=[place])
    plan = ledger_pb2.Plan(scheduler=NAME, seen_revision=revision, gangs=[gang])
    held = ledger.HoldPlan(
        ledger_service_pb2.HoldPlanRequest(header=header(), plan=plan, ttl_millis=30_000), timeout=CALL_SECONDS_MAX)
    if not held.HasField("hold"):
        raise SystemExit(f"not held: {held.conflicts}")
    confirmed = ledger.ConfirmHold(
        ledger_service_pb2.ConfirmHoldRequest(header=header(), hold=held.hold.id), timeout=CALL_SECONDS_MAX)
    print("hold is", ledger_pb2.HoldState.Name(confirmed.hold.state))

    # Commit a gang of a job that names this scheduler.
    resources = resources_pb2.Resources(
        cpu_millicores=1000, memory_bytes=1 << 30,
        devices=[resources_pb2.DeviceRequest(kind=resources_pb2.DEVICE_KIND_GPU, count=1)])
    group = job_pb2.TaskGroup(
        name="worker", count=1, resources=resources, command=["train"],
        env=[job_pb2.EnvVar(name="FAKE_RUN_MILLIS", value="200")])
    job = jobs.SubmitJob(jobs_service_pb2.SubmitJobRequest(
        header=header(),
        job=job_pb2.Job(name="from-python", spec=job_pb2.JobSpec(scheduler=NAME, groups=[group]))),
        timeout=CALL_SECONDS_MAX).job

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
            answer = ledger.CommitPlan(ledger_service_pb2.CommitPlanRequest(
                header=header(),
                plan=ledger_pb2.Plan(scheduler=NAME, seen_revision=message.revision, gangs=[gang])),
                timeout=CALL_SECONDS_MAX)
            # With conflicts: go on watching, and decide again when what stood in the way has changed.
            print("committed" if answer.committed else f"conflicts: {len(answer.conflicts)}")


if __name__ == "__main__":
    main(sys.argv[1])
