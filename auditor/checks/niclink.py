"""The Ethernet link of a NIC: the speed it runs at, against the fastest that its port supports."""

from collections.abc import Iterable, Iterator

from auditor.checks.base import Context, Params
from auditor.model.finding import Finding, Level, Related
from auditor.model.nic import Function
from auditor.model.port import PortConfig
from auditor.model.setting import Known, value_of
from auditor.packet.classify import takes_part
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class NicLink:
    """A NIC's link as it runs and as its port supports it, Gb/s."""

    runs: Known[float]
    supports: Known[float]
    is_for_rdma: bool


def list_nic_links(port: PortConfig, context: Context) -> Iterable[NicLink]:
    """Return NICs for RDMA whose link is up; on a host that does not tell which those are, all NICs."""
    nic, runs = port.nic, port.ethernet.speed_gbps
    if nic is None or value_of(nic.function) in {Function.VF, Function.BOND} or value_of(nic.link_up) is False:
        return ()
    is_for_rdma = takes_part(port)
    if not is_for_rdma and context.rdma_ports:
        return ()
    if not isinstance(runs, Known) or not isinstance(nic.max_speed_gbps, Known):
        return ()
    return (NicLink(runs, nic.max_speed_gbps, is_for_rdma),)


def link_below_nic_rate(given: NicLink, _params: Params, _context: Context) -> Iterator[Finding]:
    """A link that came up slower than the NIC can run halves what a GPU sends, without any error."""
    if given.runs.value >= given.supports.value:
        return
    message = f"the link runs at {given.runs.value:g} Gb/s, but the NIC's port supports {given.supports.value:g}"
    related = (Related("the fastest link mode", given.supports.where),) if given.supports.where else ()
    level = None if given.is_for_rdma else Level.NOTE
    yield Finding(message, given.runs.where, related=related, level=level)
