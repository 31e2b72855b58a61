"""Remedies: the lines of a rule for a system, with the numbers and names of a finding in their places."""

from collections.abc import Iterator, Mapping, Sequence

from auditor.checks.catalogue import RuleFile
from auditor.intent import Intent, TrafficKind
from auditor.model.port import Port
from auditor.model.qos import PHBS
from auditor.model.setting import Setting, Undetermined, value_of
from auditor.packet.classify import find_lossless_class
from auditor.systems import systems
from auditor.util.regex import regex
from auditor.util.values import dataclass

Facts = Mapping[str, str]
"""What the places of a remedy stand for, by their names."""
_COMMENTS = ("!", "#")
_KEPT = regex(r"\b(?:survives|kept over) a reboot\b")
PLACE = regex(r"\{([a-z][a-z_]*)\}")
OPTIONAL = "? "
"""Before a line that some findings of a rule need and others do not."""
EXAMPLES: Facts = {
    "device": "leaf1",
    "port": "PORT",
    "peer": "gpu01",
    "peer_port": "PORT",
    "line": "(the line that the finding quotes)",
    "stanza": "(the block of the line that the finding quotes)",
    "path": "(the path of the block that the finding quotes)",
    "profile": "PROFILE",
    "policy": "CLASSIFY",
    "queuing": "policy-map RDMA-OUT\n  class TC3",
    "random_detect": "random-detect",
    "pause_profile": "hw-module profile priority-flow-control location 0/RP0/CPU0",
    "reload": "where the thresholds stand in the profile of a card, it takes effect when the card is loaded again",
    "before_ecn": "buffer-internal traffic-class 3 pause-threshold 1574400 bytes headroom 1651200 bytes",
    "wred_profile": "AZURE_LOSSLESS",
    "thresholds": "sudo ecnconfig -p AZURE_LOSSLESS -gmin 1048576 -gmax 2097152 -gdrop 5",
    "class_map": "RDMA",
    "forwarding_class": "fc3",
    "unmatch": "no match dscp 0",
    "table": "TABLE",
    "row": "ROW",
    "field": "FIELD",
    "priority": "3",
    "priority_bits": "011",
    "phb": "af3",
    "priorities": "3",
    "pfc_mask": "0,0,0,1,0,0,0,0",
    "dscp": "26",
    "dscp_bits": "011010",
    "tos": "106",
    "classifier": "dscp",
    "cnp_dscp": "48",
    "cnp_dscp_bits": "110000",
    "cnp_priority": "6",
    "cnp_phb": "cs6",
    "class": "3",
    "queue": "3",
    "group": "3",
    "rdma_device": "mlx5_0",
    "dscp_hex": "0x1a",
    "cnp_dscp_hex": "0x30",
    "pci": "0000:1a:00.0",
    "parameter": "PARAMETER",
    "running": "VALUE",
}
"""The facts that every remedy may name, each with an example; others are the rule's own."""


@dataclass(frozen=True, slots=True)
class Remedy:
    """The lines to type at a device; `missing` names the fact that the finding does not have, then `text` is empty.

    `os` is the operating system for which the rule writes them, `any` for lines that every system shares; `maker` that
    of the NIC, empty where all makers share them.
    """

    os: str
    text: str
    missing: str = ""
    maker: str = ""

    @property
    def key(self) -> str:
        """The key of the lines in the rule."""
        return f"{self.os}/{self.maker}" if self.maker else self.os

    @property
    def lasts(self) -> bool | None:
        """Whether its own comments say that it outlasts a reboot; None where they say nothing.

        >>> Remedy("linux", "# NVIDIA; lost at reboot").lasts, Remedy("linux", "mlnx_qos").lasts
        (False, None)
        """
        if "lost at reboot" in self.text or "lost at a reboot" in self.text:
            return False
        return True if _KEPT.search(self.text) else None

    @property
    def needs_maintenance_window(self) -> bool:
        """Whether its own comments ask for a maintenance window.

        >>> Remedy("cisco_nxos", "! maintenance window: the port flaps").needs_maintenance_window
        True
        """
        return "maintenance window" in self.text

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines to type, without comments."""
        return list_typed(self.text)


def list_typed(text: str) -> tuple[str, ...]:
    r"""Return the lines of a remedy that are typed: all but comments and blank ones.

    >>> list_typed("! a comment\ninterface 1\n  mtu 9216")
    ('interface 1', '  mtu 9216')
    """
    return tuple(line for line in text.splitlines() if line.strip() and not line.lstrip().startswith(_COMMENTS))


class MissingFact(LookupError):  # noqa: N818  the remedy is not for this finding
    """A remedy has a place for a fact that the finding does not have; `name` is that of the fact."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


def render(template: str, facts: Facts) -> str:
    r"""Return *template* with *facts* in its places; raises MissingFact.

    A fact of several lines alone in its line is a block, and what is indented below it goes below its last line; among
    other words it is a list, and the line stands once for each of it. A line
    that begins with `?` is left out where one of its facts is missing, as long as another one is typed.

    >>> print(render("{stanza}\n  pause {size}", {"stanza": "policy-map P\n  class C", "size": "9"}))
    policy-map P
      class C
        pause 9
    >>> print(render("no pause {extra}", {"extra": "2\n6"}))
    no pause 2
    no pause 6
    >>> render("? mtu {mtu}\n? stop {daemon}", {"mtu": "9000"})
    'mtu 9000'
    """
    chosen, missing = [], ""
    for line in template.splitlines():
        bare = line.removeprefix(OPTIONAL)
        lacks = sorted(list_places(bare) - facts.keys()) if line.startswith(OPTIONAL) else []
        missing = missing or "".join(lacks[:1])
        chosen += [] if lacks else [bare]
    if missing and not list_typed("\n".join(chosen)):
        raise MissingFact(missing)
    return "\n".join(_fill_lines(chosen, facts))


def _fill_lines(lines: Sequence[str], facts: Facts) -> Iterator[str]:
    shift = ""
    for line in lines:
        text = line.strip()
        if not line.startswith(" "):
            shift = ""
        if PLACE.fullmatch(text) and "\n" in (found := _find(text[1:-1], facts)):
            heads = found.split("\n")
            shift = " " * (len(heads[-1]) - len(heads[-1].lstrip()))
            yield from heads
            continue
        for filled in _fill_each(line, facts):
            yield f"{shift}{filled}" if line.startswith(" ") else filled


def _fill_each(line: str, facts: Facts) -> Iterator[str]:
    """Yield *line* with facts in its places, once for each line of those that have several."""
    found = {name: _find(name, facts).split("\n") for name in PLACE.findall(line)}
    for number in range(max(map(len, found.values()), default=1)):
        yield PLACE.sub(lambda match: found[match[1]][number if len(found[match[1]]) > 1 else 0], line)  # noqa: B023  used at once


def _find(name: str, facts: Facts) -> str:
    if name not in facts:
        raise MissingFact(name)
    return facts[name]


def list_examples(file: RuleFile) -> Iterator[tuple[str, str]]:
    """Yield each system for which a rule has a remedy, and the remedy with examples of facts in its places."""
    own = {name: str(value) for name, value in file.facts.items()}
    for os, template in file.remedy.items():
        system = systems().get(os.partition("/")[0])
        port = system.remedies.port if system and system.remedies else ""
        named = {"port": port, "peer_port": port} if port else {}
        facts = {**EXAMPLES, **named, **own}
        unknown = {name: f"{{{name}}}" for name in list_places(template) - facts.keys()}
        yield os, f"{render(template, {**facts, **unknown})}\n"


def list_places(template: str) -> frozenset[str]:
    r"""Return the names of the facts for which *template* has places.

    >>> sorted(list_places("interface {port}\n  priority {priority}"))
    ['port', 'priority']
    """
    return frozenset(PLACE.findall(template))


def indent_stanza(heads: Sequence[str]) -> str:
    """Return the heads of a block, each below the one before."""
    return "\n".join(f"{'  ' * depth}{head}" for depth, head in enumerate(heads))


def list_intent_facts(intent: Intent) -> Iterator[tuple[str, str]]:
    """Yield what the intent says of RDMA and of CNPs: its numbers, as each syntax writes them."""
    lossless = value_of(intent.lossless)
    if lossless:
        yield "priorities", ",".join(map(str, sorted(lossless)))
        yield "pfc_mask", ",".join(str(int(number in lossless)) for number in range(8))
    for kind, prefix in ((TrafficKind.RDMA, ""), (TrafficKind.CNP, "cnp_")):
        traffic = next(iter(intent.of_kind(kind)), None)
        if traffic is None:
            continue
        yield from _list_numbers(traffic.priority, traffic.dscp, prefix)


def _list_numbers(priority: Setting[int], dscp: Setting[tuple[int, ...]], prefix: str) -> Iterator[tuple[str, str]]:
    number, points = value_of(priority), value_of(dscp)
    if number is not None:
        yield f"{prefix}priority", str(number)
        yield f"{prefix}phb", PHBS[number]
        if not prefix:
            yield "priority_bits", f"{number:03b}"
    if points:
        yield f"{prefix}dscp", str(points[0])
        yield f"{prefix}dscp_hex", f"{points[0]:#x}"
        yield f"{prefix}dscp_bits", f"{points[0]:06b}"
        if not prefix:
            yield "tos", str(points[0] << 2 | 2)


def list_port_facts(port: Port, priority: int | None) -> Iterator[tuple[str, str]]:
    """Yield the numbers of the no-drop class of *priority* at a port: class, queue, priority group, as far as known."""
    try:
        found = find_lossless_class(port.config, priority) if priority is not None else None
    except Undetermined:
        return
    numbers = {"class": found.internal, "queue": found.queue, "group": found.pg} if found else {}
    for name, setting in numbers.items():
        if (number := value_of(setting)) is not None:
            yield name, str(number)
