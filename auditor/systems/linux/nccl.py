"""The log of NCCL: RDMA devices and variables of a job."""

from auditor.grammar.variables import KEPT
from auditor.model.dump import Capture
from auditor.model.host import Host
from auditor.model.nic import Nic
from auditor.model.setting import Known, Origin, Where
from auditor.systems.linux import text
from auditor.systems.linux.command import Command
from auditor.systems.linux.evidence import Call, Events, HostFact, PortFact
from auditor.systems.linux.facts import make_nic_port
from auditor.systems.linux.marks import mark_modelled, mark_not_modelled
from auditor.systems.linux.portnames import Subject
from auditor.util.regex import regex

_USING = regex(r"\[\d+\] ?([\w.-]+):(\d{1,3})(?:\[[^\]]*\])?/(RoCE|IB|iWARP)")
_USES = regex(r"NET/IB ?: Using (.*)")
_SET = regex(r"NCCL INFO ((?:NCCL|RCCL)_[A-Z0-9_]+) set (?:by environment )?to (.*)")
_NUMBER = regex(r"(-?\d+)\.")
"""A number is printed with a full stop behind it, a text is not."""


def read_log(capture: Capture, _: Call) -> Events:
    """Yield the RDMA devices of NCCL, their link layer, and the variables in the log.

    Many processes may write one log. A variable with different values is left out.
    """
    variables: dict[str, Known[str]] = {}
    differing: set[str] = set()
    for index, line in text.list_lines(capture):
        uses, given = _USES.search(line), _SET.search(line)
        where = capture.where(index)
        if uses:
            yield mark_modelled(index)
            yield from _list_devices(uses[1], where)
        elif given and KEPT.fullmatch(given[1]):
            number = _NUMBER.fullmatch(given[2].strip())
            value = number[1] if number else given[2].strip()
            known = variables.setdefault(given[1], Known(value, Origin.LEARNED, where))
            differing |= {given[1]} if known.value != value else set()
            yield mark_modelled(index)
        else:
            yield mark_not_modelled(index)
    told = {name: known for name, known in variables.items() if name not in differing}
    if told:
        yield HostFact(Host(environment=Known(told, Origin.LEARNED, next(iter(told.values())).where)))


def _list_devices(using: str, where: Where) -> Events:
    for match in _USING.finditer(using):
        layer = "infiniband" if match[3] == "IB" else "ethernet"
        transport = {"RoCE": "roce", "IB": "infiniband", "iWARP": "iwarp"}[match[3]]
        nic = Nic(
            link_layer=Known(layer, Origin.LEARNED, where),
            transport=Known(transport, Origin.LEARNED, where),
        )
        yield PortFact(Subject(rdma=match[1], rdma_port=int(match[2])), make_nic_port(nic, where, match[1]))


COMMANDS = (
    Command(
        "NCCL log",
        r"NCCL .+",
        read_log,
        (),
        r"NCCL INFO (?:NET/IB ?: Using |(?:NCCL|RCCL)_[A-Z0-9_]+ set (?:by environment )?to )",
        "RDMA devices that a job uses, and its variables",
    ),
)
