"""The PCI Express link of a NIC: what it was trained to, against what the NIC can do and the port needs."""

from collections.abc import Iterable, Iterator

from auditor.checks.base import Context, Params
from auditor.model.finding import Finding, Level, Related
from auditor.model.nic import Function
from auditor.model.port import PortConfig
from auditor.model.setting import Known, Setting, value_of
from auditor.packet.classify import takes_part
from auditor.util.values import dataclass

_CODED_FROM_GTPS = 8
_LATER, _EARLIER = 128 / 130, 8 / 10

LEAST_READ_BYTES = 512
"""The size after a reset of PCI Express."""


@dataclass(frozen=True, slots=True)
class PcieLink:
    """A PCIe link: transfers in GT/s per lane, and its lanes."""

    speed: Known[float]
    width: Known[int]

    @property
    def gbps(self) -> float:
        """What it carries in one direction, Gb/s, headers included: 8b/10b up to 5 GT/s, 128b/130b above.

        At 64 GT/s, flits take the place of that code, and carry a little less.
        """
        coded = _LATER if self.speed.value >= _CODED_FROM_GTPS else _EARLIER
        return self.speed.value * self.width.value * coded

    def __str__(self) -> str:
        """Return the link as text."""
        return f"{self.speed.value:g} GT/s x{self.width.value} ({self.gbps:.0f} Gb/s)"


@dataclass(frozen=True, slots=True)
class PcieTraining:
    """A NIC's PCIe link as it runs and as the NIC could run it; the port's own rate, Gb/s, if any dump tells it."""

    runs: PcieLink
    can: PcieLink
    port_gbps: float | None
    is_for_rdma: bool


def list_pcie_links(port: PortConfig, context: Context) -> Iterable[PcieTraining]:
    """Return NICs for RDMA whose PCIe link was captured; on a host that does not tell which those are, all NICs."""
    nic = port.nic
    if nic is None or value_of(nic.function) is Function.VF or port.ethernet.is_shut:
        return ()
    is_for_rdma = takes_part(port)
    if not is_for_rdma and context.rdma_ports:
        return ()
    runs, can = _make_link(nic.pcie.speed_gtps, nic.pcie.width), _make_link(nic.pcie.max_speed_gtps, nic.pcie.max_width)
    return (PcieTraining(runs, can, value_of(port.ethernet.speed_gbps), is_for_rdma),) if runs and can else ()


def _make_link(speed: Setting[float], width: Setting[int]) -> PcieLink | None:
    """Return the link, None for a link that is unknown or down."""
    if not isinstance(speed, Known) or not isinstance(width, Known):
        return None
    return PcieLink(speed, width) if speed.value and width.value else None


def link_downgraded(given: PcieTraining, _params: Params, _context: Context) -> Iterator[Finding]:
    """A NIC that cannot hand over what arrives fills its buffer and pauses the fabric, without any error of its own."""
    runs, can, rate = given.runs, given.can, given.port_gbps
    if runs.speed.value >= can.speed.value and runs.width.value >= can.width.value:
        return
    why, level = "", None
    if rate is not None and runs.gbps >= rate:
        why, level = f": enough for the port's {rate:g} Gb/s, not for what else the NIC could do", Level.NOTE
    elif not given.is_for_rdma:
        why, level = ", if it is for RDMA", Level.NOTE
    elif rate is not None:
        why = f", and the port at {rate:g} Gb/s"
    related = (Related("what the NIC can do", can.width.where),) if can.width.where else ()
    message = f"the PCIe link runs at {runs}, but the NIC can do {can}{why}"
    yield Finding(message, runs.width.where, related=related, level=level)


def list_read_requests(port: PortConfig, _context: Context) -> Iterable[PortConfig]:
    """Return RoCE NICs whose largest PCIe read request was captured."""
    told = port.nic is not None and value_of(port.nic.pcie.max_read_request_bytes) is not None
    return (port,) if told and takes_part(port) else ()


def reads_too_small(port: PortConfig, _params: Params, _context: Context) -> Iterator[Finding]:
    """A NIC reads what it sends in requests of that size: small ones cannot fill a fast port."""
    size = port.nic.pcie.max_read_request_bytes.known() if port.nic else None
    if size and size.value < LEAST_READ_BYTES:
        message = f"MaxReadReq is {size.value} bytes: the NIC reads what it sends in requests below {LEAST_READ_BYTES}"
        yield Finding(message, size.where, key="read request")
