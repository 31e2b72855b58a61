"""Which networks of its own ports a switch gives to BGP: `redistribute` with its route map, in the CLI family."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from ipaddress import IPv4Network

from auditor.grammar.lines import Line
from auditor.model.dump import Capture
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Where
from auditor.model.text_facts import InterfaceAddress
from auditor.util.addresses import parse_interface
from auditor.util.regex import regex
from auditor.util.values import dataclass

MAX_PREFIX = 32
_ENTRY = regex(r"route-map (?P<name>[\w.:-]{1,80}) (?P<action>permit|deny) (?:seq )?(?P<number>\d{1,5})\Z", re.ASCII)
_LIST = regex(r"ip prefix-list (?P<name>[\w.:-]{1,80})(?: (?P<rest>.*))?\Z", re.ASCII)
_PREFIX = regex(
    r"(?:seq (?P<number>\d{1,10}) )?(?P<action>permit|deny) (?P<prefix>[\d.]{7,15}/\d{1,2})"
    r"(?P<bounds>(?: (?:ge|le|eq) \d{1,2}){0,3})\Z",
    re.ASCII,
)
_HEAD = regex(r"(?:router|route-map|interface|ip prefix-list|vlan|vrf context) ")
_STARTS = ("route-map ", "ip prefix-list ")
_BLOCKS = ("vrf ", "address-family ", "neighbor ", "template ")
_BOUND = regex(r"(ge|le|eq) (\d{1,2})")
_REDISTRIBUTE = regex(r"redistribute (?:direct|connected)(?: route-map (?P<name>[\w.:-]{1,80}))?\Z", re.ASCII)
_NETWORK = regex(r"network (?P<prefix>[\d.]{7,15}/\d{1,2})(?: .*)?\Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class _Prefix:
    """An entry of a prefix list: the networks inside of `of` whose lengths are from `low` to `high`."""

    permits: bool
    of: IPv4Network
    low: int
    high: int

    def holds(self, network: IPv4Network) -> bool:
        """Return whether the entry is about *network*."""
        return self.low <= network.prefixlen <= self.high and network.subnet_of(self.of)


@dataclass(slots=True)
class _Entry:
    """An entry of a route map; `tests` are names of interfaces or prefix lists, None for a match of another kind."""

    permits: bool
    where: Where
    tests: list[tuple[str, frozenset[str]] | None] = field(default_factory=list)
    first: Where | None = None


@dataclass(slots=True)
class _Statements:
    entries: dict[str, dict[int, _Entry]] = field(default_factory=dict)
    lists: dict[str, dict[int, _Prefix | None]] = field(default_factory=dict)
    map_name: str | None = None
    where: Where | None = None
    networks: set[IPv4Network] = field(default_factory=set)


def read_announced(
    captures: Iterable[tuple[Capture, Sequence[Line]]], addresses: Iterable[InterfaceAddress], apart: Iterable[str]
) -> Setting[Mapping[str, Known[bool]]]:
    """Return by port whether BGP gets the IPv4 network of its address, each with the line that decides.

    Ports *apart* are of another VRF. A port is missing where a match of a kind that is not read decides, or where a
    list is not in the dump.
    """
    written = _Statements()
    for capture, lines in captures:
        reader = _Reader(written)
        for line in lines:
            text, indent, index, _, mode, _ = line
            if text and (not indent or mode is not None or reader.is_open or text.startswith(_STARTS)):
                reader.read(line, capture.where(index))
    if written.where is None:
        return NOT_COLLECTED
    place = _find_place(written)
    verdicts = {passes: Known(passes, Origin.INTENDED, place) for passes in (False, True)}
    found: dict[str, Known[bool]] = {}
    elsewhere = set(apart)
    for each in addresses:
        network = parse_interface(each.address).network
        if not isinstance(network, IPv4Network) or each.netdev in elsewhere:
            continue
        passes = _passes(written, each.netdev, network)
        if passes is not None:
            found[each.netdev] = verdicts[passes]
    return Known(found, Origin.INTENDED, written.where)


class _Reader:
    """A reader of the lines of one capture: the block that is open, and what is written so far."""

    def __init__(self, into: _Statements) -> None:
        self._into = into
        self._entry: _Entry | None = None
        self._list = ""
        self._in_bgp = False
        self._apart: int | None = None

    @property
    def is_open(self) -> bool:
        """Whether a block is open whose lines count."""
        return bool(self._in_bgp or self._list or self._entry)

    def read(self, line: Line, where: Where) -> None:
        """Read one line, which opens a block or stands in one."""
        text = line.text
        if not line.indent or (line.mode is not None and _HEAD.match(text)):
            self._entry, self._list, self._in_bgp, self._apart = None, "", text.startswith("router bgp "), None
        if head := _ENTRY.match(text):
            self._entry = _Entry(head["action"] == "permit", where)
            self._into.entries.setdefault(head["name"], {})[int(head["number"])] = self._entry
        elif named := _LIST.match(text):
            self._list = named["name"]
            _read_prefix(named["rest"] or "", self._list, self._into)
        elif self._list:
            _read_prefix(text, self._list, self._into)
        elif self._entry:
            _read_match(text, self._entry, where)
        elif self._in_bgp:
            self._read_bgp(line, where)

    def _read_bgp(self, line: Line, where: Where) -> None:
        """Read a line below `router bgp`, unless it is of another VRF or family, or of a neighbour.

        A typed block goes on to the next head.
        """
        if self._apart is not None and (line.indent > self._apart or line.mode is not None):
            return
        self._apart = line.indent if line.text.startswith(_BLOCKS) and not _is_general(line.text) else None
        if self._apart is None:
            _read_source(line.text, where, self._into)


def _is_general(text: str) -> bool:
    """Return whether a head below `router bgp` opens the IPv4 routes of the default VRF."""
    return text in {"address-family ipv4 unicast", "address-family ipv4"}


def _read_prefix(text: str, name: str, into: _Statements) -> None:
    entries = into.lists.setdefault(name, {})
    match = _PREFIX.match(text)
    if match is None:
        if text and not text.startswith("description "):
            entries[-1] = None
        return
    number = int(match["number"] or max((*entries, 0)) + 5)
    entries[number] = _parse_prefix(match)


def _parse_prefix(match: re.Match[str]) -> _Prefix | None:
    try:
        of = IPv4Network(match["prefix"], strict=False)
    except ValueError:
        return None
    bounds = {word: int(value) for word, value in _BOUND.findall(match["bounds"])}
    exact = bounds.get("eq")
    low = bounds.get("ge", of.prefixlen) if exact is None else exact
    high = bounds.get("le", MAX_PREFIX if "ge" in bounds else of.prefixlen) if exact is None else exact
    return _Prefix(match["action"] == "permit", of, low, high)


def _read_match(text: str, entry: _Entry, where: Where) -> None:
    words = text.split()
    if words[0] == "continue":
        entry.tests.append(None)
    elif words[0] == "match":
        entry.first = entry.first or where
        if words[1:2] == ["interface"]:
            entry.tests.append(("interface", frozenset(words[2:])))
        elif words[1:4] == ["ip", "address", "prefix-list"]:
            entry.tests.append(("list", frozenset(words[4:])))
        else:
            entry.tests.append(None)


def _read_source(text: str, where: Where, into: _Statements) -> None:
    if match := _REDISTRIBUTE.match(text):
        into.map_name, into.where = match["name"], where
    elif match := _NETWORK.match(text):
        try:
            into.networks.add(IPv4Network(match["prefix"], strict=False))
        except ValueError:
            return


def _passes(written: _Statements, port: str, network: IPv4Network) -> bool | None:
    """Return whether BGP gets *network*, None where that is not known."""
    if network in written.networks or written.map_name is None:
        return True
    entries = written.entries.get(written.map_name)
    if entries is None:
        return None
    for _, entry in sorted(entries.items()):
        holds = _holds(written, entry, port, network)
        if holds is None:
            return None
        if holds:
            return entry.permits
    return False


def _holds(written: _Statements, entry: _Entry, port: str, network: IPv4Network) -> bool | None:
    """Return whether all matches of *entry* hold for *network* of *port*."""
    answers = [None if test is None else _answer(written, *test, port, network) for test in entry.tests]
    if any(answer is False for answer in answers):
        return False
    return None if any(answer is None for answer in answers) else True


def _answer(written: _Statements, kind: str, names: frozenset[str], port: str, network: IPv4Network) -> bool | None:
    if kind == "interface":
        return port in names
    answers = [_search(written.lists.get(name), network) for name in names]
    if any(answers):
        return True
    return None if any(answer is None for answer in answers) else False


def _search(entries: Mapping[int, _Prefix | None] | None, network: IPv4Network) -> bool | None:
    """Return whether a prefix list permits *network*; None for a list that is missing or not wholly read."""
    if entries is None or any(entry is None for entry in entries.values()):
        return None
    return next((e.permits for _, e in sorted(entries.items()) if e and e.holds(network)), False)


def _find_place(written: _Statements) -> Where | None:
    """Return the line that lets networks pass: the match of the last entry that permits, else `redistribute`."""
    entries = sorted((written.entries.get(written.map_name or "") or {}).items())
    return next((e.first or e.where for _, e in reversed(entries) if e.permits), written.where)
