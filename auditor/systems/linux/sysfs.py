"""Files of sysfs, configfs, debugfs and proc: templates of paths, and results of lines."""

import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache

from auditor.model.nic import Nic
from auditor.model.setting import Where
from auditor.systems.linux import text
from auditor.systems.linux.evidence import Event, PortFact, Rank
from auditor.systems.linux.facts import make_nic_port
from auditor.systems.linux.portnames import Subject, is_placeholder, parse_pci
from auditor.util.memo import MOST
from auditor.util.regex import regex
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class LineContent:
    """One line of a file, or its absence: `value` is empty for an empty file."""

    value: str
    where: Where


@dataclass(frozen=True, slots=True)
class LineResult:
    """The result of a line: events, or the `expected` form of a bad value; neither for a line without a model."""

    events: tuple[Event, ...] = ()
    expected: str = ""


Names = Mapping[str, str]
FileReader = Callable[[Names, LineContent], LineResult]


@dataclass(frozen=True, slots=True)
class SystemFile:
    """Files by the template of their path, the reader of a line, and the settings that are unknown without the file.

    `shows` names the modelled content for people; empty if the model keeps nothing.
    """

    template: str
    read: FileReader
    silent: tuple[str, ...] = ()
    shows: str = ""

    def names(self, path: str) -> Names | None:
        """Return the names in *path*; None for another file. A separator may be a `_`, as in a file name."""
        if _find_longest_word(self.template) not in path:
            return None
        match = _compile_template(self.template).fullmatch(path)
        return match.groupdict() if match else None

    def path(self, names: Names) -> str:
        """Return the path of the file with *names*."""
        return self.template.format(**{**names, "pci": parse_pci(names.get("pci", ""))})


def parse_subject(names: Names) -> Subject:
    """Return the port that the parts of a path name; a pattern or a variable names no port."""
    return _parse_names(*(names.get(part) or "" for part in ("netdev", "rdma", "port", "pci", "card")))


@lru_cache(maxsize=MOST)
def _parse_names(netdev: str, rdma: str, port: str, pci: str, card: str) -> Subject:
    names = {"netdev": netdev, "rdma": rdma, "port": port, "pci": pci, "card": card}
    given = {key: value for key, value in names.items() if value and not is_placeholder(value) and value != "_"}
    card = given.get("card", "")
    pci = parse_pci(given.get("pci", "") or card)
    return Subject(
        netdev=given.get("netdev", ""),
        rdma=given.get("rdma", "") or ("" if pci else card),
        rdma_port=text.parse_whole(given.get("port", ""), range(1, 256)),
        pci=pci,
    )


def describe_nic(names: Names, nic: Nic, where: Where, rank: Rank = Rank.RUNNING) -> LineResult:
    """Return the facts of *nic*, and the fact of the RDMA device in *names*."""
    about = parse_subject(names)
    said = PortFact(about, make_nic_port(nic, where), rank=rank)
    if not about.rdma:
        return LineResult((said,))
    # the file proves the device; another capture shows its netdev better
    return LineResult((said, PortFact(about, make_nic_port(Nic(), where, about.rdma), rank=Rank.FALLBACK)))


def read_nothing(_: Names, __: LineContent) -> LineResult:
    """Return the empty result: the line has no place in the model."""
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
_NAME = regex(r"\{(\w+)\}")


@cache
def _find_longest_word(template: str) -> str:
    """Return a word that stands in each path of *template*.

    >>> _find_longest_word("/sys/class/net/{netdev}/ecn/roce_np/cnp_dscp")
    'class'
    """
    words: list[str] = re.findall("[A-Za-z0-9]+", _NAME.sub("", template))
    return max(words, key=len)


@cache
def _compile_template(template: str) -> re.Pattern[str]:
    literal = _SEPARATOR.join(re.split("[/_]+", template.strip("/")))
    parts = _NAME.sub(lambda match: f"(?P<{match[1]}>{_PARTS[match[1]]})", literal)
    return re.compile(f"(?:{_SEPARATOR})?{parts}")
