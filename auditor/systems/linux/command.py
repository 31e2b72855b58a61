"""Known commands: spelling, sign of the output, reader."""

from dataclasses import dataclass

from auditor.model.dump import Capture
from auditor.model.nic import Nic
from auditor.systems.linux import text
from auditor.systems.linux.evidence import Call, Events, PortFact, Reader, Strength
from auditor.systems.linux.facts import make_nic_port
from auditor.systems.linux.fetch import Fetch
from auditor.systems.linux.marks import mark_not_modelled

QOS = (
    "config.pfc.mode",
    "config.pfc.priorities",
    "config.pfc.tx_priorities",
    "config.pfc.rx_priorities",
    "config.classification.trust",
    "config.classification.classes",
    "config.classification.dscp_to_class",
    "config.queues",
    "config.priority_groups",
    "config.nic.receive_buffers_bytes",
    "config.nic.cable_length_m",
)
RDMA_DEVICE = ("config.nic.rdma_device",)
LINK = ("config.ethernet.speed_gbps", "config.ethernet.lanes", "config.ethernet.fec")
MTU = ("config.ethernet.mtu_bytes", "config.ethernet.ip_mtu_bytes", "config.ethernet.enabled")


@dataclass(frozen=True, slots=True)
class Command:
    """A known command: its spelling, its reader, and the settings that an error leaves unknown (`silent`).

    Brackets in `name` hold an optional argument. A space in `form` matches any separator (`_` in a file name), and
    `{netdev}` and the like match an argument. `content` is a pattern for the first lines of a capture. `shows` names
    the modelled content for people; empty if the model keeps nothing. `is_whole`: options do not change the output.
    `fetch`: how `pull` and the script get the output.
    """

    name: str
    form: str
    read: Reader
    silent: tuple[str, ...] = ()
    content: str = ""
    shows: str = ""
    is_whole: bool = False
    fetch: tuple[Fetch, ...] = ()


def read_nothing(capture: Capture, call: Call) -> Events:
    """Yield the port that the command names; no line has a place in the model."""
    if call.subject.is_named:
        yield PortFact(call.subject, make_nic_port(Nic(), capture.where(0)), Strength.NIC)
    yield from (mark_not_modelled(index) for index, _ in text.list_lines(capture))
