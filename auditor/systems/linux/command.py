"""A command whose output is known: how it is typed, what its output looks like, and who reads it."""

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
    """A command: the form it is typed in, what its output looks like, its reader, and what an error leaves unknown.

    In `name` brackets hold an argument that need not be known.
    In `form` a space stands for any separator (a file name has `_` there) and `{netdev}` and the like for an
    argument; `content` is looked for in the first lines of a capture. `shows` says what is read of the output, for
    people; it is empty where the output is known and holds nothing that the model keeps. `is_whole` says that the
    output is the same whatever else the command was asked to do. `fetch` says how `pull` and the script get the output.
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
    """Yield that no line has a place in the model; that the command was run on a netdev makes a port of it."""
    if call.subject.is_named:
        yield PortFact(call.subject, make_nic_port(Nic(), capture.where(0)), Strength.NIC)
    yield from (mark_not_modelled(index) for index, _ in text.list_lines(capture))
