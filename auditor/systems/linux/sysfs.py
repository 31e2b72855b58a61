"""Files of sysfs, configfs, debugfs and proc: how they are named, and what a line of one says."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from auditor.model.nic import Nic
from auditor.model.setting import Known, Origin, Where
from auditor.systems.linux import text
from auditor.systems.linux.evidence import Event, PortFact, Rank
from auditor.systems.linux.facts import make_nic_port
from auditor.systems.linux.portnames import Subject, parse_pci


@dataclass(frozen=True, slots=True)
class LineContent:
    """One line of a file, or its absence: `value` is empty for an empty file."""

    value: str
    where: Where


@dataclass(frozen=True, slots=True)
class LineResult:
    """What a line of a file says: events, or `expected` where it says nothing sensible; neither is not modelled."""

    events: tuple[Event, ...] = ()
    expected: str = ""


Names = dict[str, str]
FileReader = Callable[[Names, LineContent], LineResult]


@dataclass(frozen=True, slots=True)
class SystemFile:
    """Files by the template of their path, what reads a line of them, and what stays unknown without them.

    `shows` says for people what is read of them, and is empty where that is nothing.
    """

    template: str
    read: FileReader
    silent: tuple[str, ...] = ()
    shows: str = ""

    def names(self, path: str) -> Names | None:
        """Return what *path* names, None where it is another file; a separator may be a `_`, as in a file name."""
        match = _compile_template(self.template).fullmatch(path)
        return match.groupdict() if match else None

    def path(self, names: Names) -> str:
        """Return the path of the file that *names* name."""
        return self.template.format(**names | {"pci": parse_pci(names.get("pci", ""))})


def parse_subject(names: Names) -> Subject:
    """Return the port that the parts of a path name; an asterisk names none."""
    given = {key: value for key, value in names.items() if value and "*" not in value and value != "_"}
    card = given.get("card", "")
    pci = parse_pci(given.get("pci", "") or card)
    return Subject(
        netdev=given.get("netdev", ""),
        rdma=given.get("rdma", "") or ("" if pci else card),
        rdma_port=text.parse_whole(given.get("port", ""), range(1, 256)),
        pci=pci,
    )


def describe_nic(names: Names, nic: Nic, where: Where, rank: Rank = Rank.RUNNING) -> LineResult:
    """Return that the NIC with *names* is *nic*, and that it has the RDMA device among them."""
    about = parse_subject(names)
    said = PortFact(about, make_nic_port(nic, where), rank=rank)
    if not about.rdma:
        return LineResult((said,))
    # that the kernel has the file shows that it has the device; which netdev it is on, another capture shows better
    device = Nic(rdma_device=Known(about.rdma, Origin.LEARNED, where))
    return LineResult((said, PortFact(about, make_nic_port(device, where), rank=Rank.FALLBACK)))


def read_nothing(_: Names, __: LineContent) -> LineResult:
    """Return that the line has no place in the model."""
    return LineResult()


_PARTS = {
    "netdev": r"[^/\s]+?",
    "rdma": r"[^/\s]+?",
    "pci": r"[^/\s]+?",
    "card": r"[^/\s]+?",
    "index": r"[0-9]{1,5}",
    "module": r"[a-z0-9_]+?",
    "limit": r"current|max",
    "side": r"np|rp",
    "priority": r"[0-9]{1,3}",
    "port": r"[0-9]{1,3}|\*",
    "name": r"[A-Za-z0-9_]+",
    "rest": r"[^\s]+",
}
_SEPARATOR = r"[^A-Za-z0-9.*-]+"


@cache
def _compile_template(template: str) -> re.Pattern[str]:
    literal = _SEPARATOR.join(re.split("[/_]+", template.strip("/")))
    parts = re.sub(r"\{(\w+)\}", lambda match: f"(?P<{match[1]}>{_PARTS[match[1]]})", literal)
    return re.compile(f"(?:{_SEPARATOR})?{parts}")
