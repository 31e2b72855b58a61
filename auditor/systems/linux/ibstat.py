"""`ibstat` and `ibstatus`: link layer, rate and firmware of each RDMA device and port."""

from auditor.model.dump import Capture
from auditor.model.nic import Nic
from auditor.model.port import Ethernet, PortConfig
from auditor.model.setting import Known, Origin, Where
from auditor.systems.linux import adapters, text
from auditor.systems.linux.command import Command
from auditor.systems.linux.evidence import Call, Events, PortFact, Rank
from auditor.systems.linux.facts import make_nic_port, make_port
from auditor.systems.linux.linkstate import describe_link, parse_link_state
from auditor.systems.linux.marks import mark_modelled, mark_not_modelled
from auditor.systems.linux.portnames import Subject
from auditor.util.regex import regex

_CARD = regex(r"CA '([^']+)'")
_STATUS = regex(r"Infiniband device '([^']+)' port (\d{1,3}) status:")
_PORT = regex(r"Port (\d{1,3}):")
_FIELD = regex(r"([^:]+):\s*(.*)")
_PART = regex(r"MT(\d{4,5})")
_RATE = regex(r"(\d{1,4})(?: Gb/sec\b.*)?")


def read_ibstat(capture: Capture, call: Call) -> Events:
    """Yield the settings of each port; the rate has the lowest rank."""
    about, is_down = call.subject, False
    for index, line in text.list_lines(capture):
        card, status, number = _CARD.fullmatch(line), _STATUS.fullmatch(line), _PORT.fullmatch(line)
        field, where = _FIELD.fullmatch(line), capture.where(index)
        name, value = (field[1].lower().replace("_", " "), field[2].strip()) if field else ("", "")
        if name == "state" or status or number:  # the rate of a port that is down is none of its link
            is_down = name == "state" and not parse_link_state(value)
        if card or status:
            about = Subject(rdma=card[1] if card else status[1] if status else "")
            about = Subject(rdma=about.rdma, rdma_port=int(status[2])) if status else about
            yield PortFact(about, make_nic_port(Nic(), where, about.rdma), rank=Rank.FALLBACK)
            yield mark_modelled(index)
        elif not about.rdma:
            continue
        elif number:
            about = Subject(rdma=about.rdma, rdma_port=int(number[1]))
            yield mark_modelled(index)
        elif field:
            facts = [] if name == "rate" and is_down else list(_describe_field(about, name, value, where))
            yield from facts
            yield mark_modelled(index) if facts else mark_not_modelled(index)


def _describe_field(about: Subject, name: str, value: str, where: Where) -> Events:
    """Yield the facts of one field; none for a field or a value without a place in the model."""
    part, rate, is_up = _PART.fullmatch(value), _RATE.fullmatch(value), parse_link_state(value)
    if name == "link layer" and value.lower() in {"ethernet", "infiniband"}:
        yield PortFact(about, make_nic_port(Nic(link_layer=Known(value.lower(), Origin.LEARNED, where)), where))
    elif name == "ca type" and part:
        yield from adapters.describe_adapter(about, "NVIDIA", int(part[1]), where)
    elif name == "firmware version" and value:
        firmware = Nic(firmware=Known(value, Origin.LEARNED, where))
        yield PortFact(about, make_nic_port(firmware, where), rank=Rank.FALLBACK)
    elif name == "rate" and rate:
        speed = Ethernet(speed_gbps=Known(float(rate[1]), Origin.LEARNED, where))
        yield PortFact(about, make_port(PortConfig(ethernet=speed), where), rank=Rank.FALLBACK)
    elif name == "state" and is_up is not None:
        yield describe_link(about, is_up, where)


COMMANDS = (
    Command(
        "ibstat",
        r"(?:ibstat|ibstatus)(?: {rdma})?(?: .+)?",
        read_ibstat,
        ("config.nic.link_layer",),
        r"^CA '[^']+'$|^Infiniband device '",
        "link layer, rate and firmware",
    ),
)
