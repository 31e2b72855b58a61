"""`ibstat` and `ibstatus`: link layer, rate and firmware of each RDMA device and port."""

import re

from auditor.model.dump import Capture
from auditor.model.nic import Nic
from auditor.model.port import Ethernet, PortConfig
from auditor.model.setting import Known, Origin
from auditor.systems.linux import adapters, text
from auditor.systems.linux.command import Command
from auditor.systems.linux.evidence import Call, Events, PortFact, Rank
from auditor.systems.linux.facts import make_nic_port, make_port
from auditor.systems.linux.marks import mark_modelled, mark_not_modelled
from auditor.systems.linux.portnames import Subject

_CARD = re.compile(r"CA '([^']+)'")
_STATUS = re.compile(r"Infiniband device '([^']+)' port (\d{1,3}) status:")
_PORT = re.compile(r"Port (\d{1,3}):")
_FIELD = re.compile(r"([^:]+):\s*(.*)")
_PART = re.compile(r"MT(\d{4,5})")
_RATE = re.compile(r"(\d{1,4})(?: Gb/sec\b.*)?")


def read_ibstat(capture: Capture, _: Call) -> Events:
    """Yield the settings of each port; the rate has the lowest rank."""
    about, is_down = Subject(), False
    for index, line in text.list_lines(capture):
        card, status, number = _CARD.fullmatch(line), _STATUS.fullmatch(line), _PORT.fullmatch(line)
        field, where = _FIELD.fullmatch(line), capture.where(index)
        name, value = (field[1].lower().replace("_", " "), field[2].strip()) if field else ("", "")
        rate = _RATE.fullmatch(value) if name == "rate" and not is_down else None
        if name == "state" or status or number:  # the rate of a port that is down is none of its link
            is_down = name == "state" and not value.lower().endswith("active")
        if card or status:
            about = Subject(rdma=card[1] if card else status[1] if status else "")
            about = Subject(rdma=about.rdma, rdma_port=int(status[2])) if status else about
            device = Nic(rdma_device=Known(about.rdma, Origin.LEARNED, where))
            yield PortFact(about, make_nic_port(device, where), rank=Rank.FALLBACK)
            yield mark_modelled(index)
        elif number and about.rdma:
            about = Subject(rdma=about.rdma, rdma_port=int(number[1]))
            yield mark_modelled(index)
        elif name == "link layer" and value.lower() in {"ethernet", "infiniband"} and about.rdma:
            yield PortFact(about, make_nic_port(Nic(link_layer=Known(value.lower(), Origin.LEARNED, where)), where))
            yield mark_modelled(index)
        elif name == "ca type" and about.rdma and (part := _PART.fullmatch(value)):
            yield from adapters.describe_adapter(about, "NVIDIA", int(part[1]), where)
            yield mark_modelled(index)
        elif name == "firmware version" and value and about.rdma:
            firmware = Nic(firmware=Known(value, Origin.LEARNED, where))
            yield PortFact(about, make_nic_port(firmware, where), rank=Rank.FALLBACK)
            yield mark_modelled(index)
        elif rate and about.rdma:
            speed = Ethernet(speed_gbps=Known(float(rate[1]), Origin.LEARNED, where))
            yield PortFact(about, make_port(PortConfig(ethernet=speed), where), rank=Rank.FALLBACK)
            yield mark_modelled(index)
        elif field:
            yield mark_not_modelled(index)


COMMANDS = (
    Command(
        "ibstat",
        r"(?:ibstat|ibstatus)(?: .+)?",
        read_ibstat,
        ("config.nic.link_layer",),
        r"^CA '[^']+'$|^Infiniband device '",
        "link layer, rate and firmware",
    ),
)
