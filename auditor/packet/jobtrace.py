"""Traces of a job's packets: from the hosts on which the job may run, marked as the job and the NIC mark them."""

from collections.abc import Iterator
from dataclasses import replace

from auditor.fabric.job_settings import JobSettings, list_nodes
from auditor.fabric.route import Graph
from auditor.intent import Intents, TrafficKind
from auditor.model.fabric import Attached, Fabric
from auditor.packet.jobpackets import find_jobs, list_job_packets
from auditor.packet.trace import NoPath, Trace, find_host_nics, list_sent_packets, pair_nics, trace_packet
from auditor.util.natsort import natural
from auditor.util.values import dataclass

_SHOWN = 4


def trace_job(fabric: Fabric, intents: Intents, job: str, a: str, b: str) -> tuple[Trace, ...]:
    """Return the traces of a job's packets from host *a* to host *b* and back.

    Without *a* they begin at the first host on which the job may run. Raises NoPath.
    """
    settings = _find_job(fabric, job)
    nodes = {node.name: node for node in list_nodes(fabric, settings)}
    goal = find_host_nics(fabric, b)
    first = a or next((name for name in sorted(nodes, key=natural) if name != goal[0].device.name), "")
    if not first:
        raise NoPath(f"no dump of a host on which {settings.name} may run, other than {b}")
    start = tuple(nic for nic in find_host_nics(fabric, first) if _is_used(nic, settings))
    if not start:
        raise NoPath(f"{settings.name} uses no RoCE NIC of {first}")
    tracer = _Tracer(Graph(fabric), intents, settings, frozenset({*nodes, start[0].device.name}))
    pairs = pair_nics(tracer.graph, start, goal)
    found = tuple(trace for near, far in pairs for ends in ((near, far), (far, near)) for trace in tracer.trace(*ends))
    if not found:
        raise NoPath(f"no way from {first} to {b} is known: LLDP on either side or a links file would tell the cables")
    return found


def _find_job(fabric: Fabric, job: str) -> JobSettings:
    found = find_jobs(fabric, job)
    if len(found) == 1:
        return found[0]
    names = sorted({each.name for each in found or ()}, key=natural)
    if not names:
        raise NoPath(f"no job {job!r} among the dumps")
    listed = "; ".join(names[:_SHOWN])
    raise NoPath(f"{len(names)} jobs are named {job!r}; expected one of: {listed}")


def _is_used(nic: Attached, settings: JobSettings) -> bool:
    own = nic.port.config.nic
    return own is not None and any(True for _ in list_job_packets(settings, own, nic.port.rdma))


@dataclass(frozen=True, slots=True)
class _Tracer:
    """What traces of one job share; `nodes` are the names of its hosts."""

    graph: Graph
    intents: Intents
    settings: JobSettings
    nodes: frozenset[str]

    def trace(self, start: Attached, goal: Attached) -> Iterator[Trace]:
        """Yield the traces of what one NIC sends: the job's packets in place of RDMA, if its host is one of the job."""
        intent = self.intents.of(start.device.own_name)
        is_own = start.device.name in self.nodes
        rdma = intent.of_kind(TrafficKind.RDMA)
        nic, device = start.port.config.nic, start.port.rdma
        for packet in list_job_packets(self.settings, nic, device) if nic and rdma and is_own else ():
            meant = rdma[0]
            name, family = f"{meant.name} of {packet.library}", packet.family or meant.family
            sent = replace(meant, name=name, dscp=packet.dscp, family=family)
            yield replace(trace_packet(self.graph, start, goal, sent, self.intents), job=packet)
        for each in list_sent_packets(start, intent):
            if each.kind is TrafficKind.CNP or not is_own:
                yield trace_packet(self.graph, start, goal, each, self.intents)
