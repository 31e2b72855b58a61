"""All configuration captures of a switch as one configuration with its groups applied."""

from collections.abc import Iterator, Sequence
from dataclasses import field
from functools import lru_cache
from itertools import pairwise

from auditor.model.device import VlanInterface
from auditor.model.dump import Capture, Doubt, LineState
from auditor.model.routing import Routing
from auditor.model.setting import Known
from auditor.model.tunnels import Tunnels
from auditor.systems.junos.cos import read_cos
from auditor.systems.junos.definitions import Cos
from auditor.systems.junos.filters import Filters, read_filters
from auditor.systems.junos.groups import Groups, inherit
from auditor.systems.junos.interfaces import InterfaceStanza as Interface
from auditor.systems.junos.interfaces import read_interfaces
from auditor.systems.junos.multipath import Multipath, read_multipath
from auditor.systems.junos.names import PORT
from auditor.systems.junos.reader import TYPED, is_session, read
from auditor.systems.junos.reading import StatementReader
from auditor.systems.junos.routing import read_routing
from auditor.systems.junos.statements import Hierarchy
from auditor.systems.junos.tree import StatementNode
from auditor.systems.junos.tunnels import read_tunnels
from auditor.systems.junos.vlans import list_vlan_interfaces
from auditor.util.values import dataclass

OF_COS = frozenset(
    {
        "classifiers",
        "code-point-aliases",
        "congestion-notification-profile",
        "drop-profiles",
        "forwarding-class-sets",
        "forwarding-classes",
        "rewrite-rules",
        "scheduler-maps",
        "schedulers",
        "shared-buffer",
        "traffic-control-profiles",
    }
)
"""Statements that stand below `class-of-service`; a part of a configuration may begin with them."""
_TOP = frozenset(
    """
    access accounting-options applications apply-groups apply-groups-except bridge-domains chassis class-of-service
    diameter dynamic-profiles ethernet-switching-options event-options fabric firewall forwarding-options groups
    interfaces jsrc logical-systems multi-chassis multicast-snooping-options poe policy-options protocols
    routing-instances routing-options security services snmp switch-options system tenants version virtual-chassis vlans
    """.split()  # noqa: SIM905  a list of thirty words
)


@dataclass(slots=True)
class Config:
    """The configuration of a switch; `file` is its first capture."""

    file: str
    name: Known[str] | None = None
    version: Known[str] | None = None
    complete: bool = False
    cos: Cos = field(default_factory=Cos)
    interfaces: dict[str, Interface] = field(default_factory=dict)
    vlan_interfaces: tuple[VlanInterface, ...] = ()
    filters: Filters = field(default_factory=Filters)
    groups: Groups = field(default_factory=Groups)
    multipath: Multipath = field(default_factory=Multipath)
    tunnels: Tunnels = field(default_factory=Tunnels)
    routing: Routing = field(default_factory=Routing)
    doubts: tuple[Doubt, ...] = ()
    states: list[list[LineState]] = field(default_factory=list)
    """The state of each line, by capture."""


def read_config(captures: Sequence[tuple[Capture, tuple[str, ...]]]) -> Config:
    """Return the configuration in *captures*, each with the place in the hierarchy at which it begins.

    The order of files is that of their names; typed sessions follow printed configurations.
    """
    written = Hierarchy()
    order = list(range(len(captures)))
    if len(order) > 1:
        order.sort(key=lambda number: is_session(captures[number][0].lines))
    for capture, base in (captures[number] for number in order):
        begins_at = base or _base(capture)
        read(written, written.text.add(capture), capture.lines, begins_at)
    for index, path in written.paths.items():
        written.states[index] = _mark_unread(path)
    for index, state in written.settled.items():
        written.states[index] = state
    groups = inherit(written)
    for statement in _without_effect(written.root):
        written.mark(statement, LineState.IGNORED)
    reading = StatementReader(written)
    root = written.root
    name, version = root.last("system", "host-name"), root.last("version")
    complete = root.get("system") is not None or version is not None
    interfaces = read_interfaces(reading)
    config = Config(
        captures[0][0].file,
        reading.read_word(name) if name else None,
        reading.read_word(version) if version else None,
        complete,
        read_cos(reading),
        interfaces,
        list_vlan_interfaces(reading, interfaces),
        read_filters(reading, complete=complete),
        groups=groups,
        multipath=read_multipath(reading, is_whole=complete),
        tunnels=read_tunnels(reading),
        routing=read_routing(reading, is_whole=complete),
    )
    for index, statement in written.superseded:
        written.states[index] = written.states[statement.line]
    config.doubts = tuple(written.doubts)
    starts = [*written.text.starts, len(written.states)]
    by_number = dict(zip(order, pairwise(starts), strict=True))
    config.states = [written.states[a:b] for a, b in (by_number[number] for number in range(len(captures)))]
    return config


def _base(capture: Capture) -> tuple[str, ...]:
    """Return the place in the hierarchy where a part of a configuration begins, by its first words."""
    first = next((line.strip() for line in capture.lines if line.strip() and line.lstrip()[0] not in "#/{["), "")
    if TYPED.match(first) or first.partition(" ")[0] in _TOP - {"interfaces"}:
        return ()
    trial = Hierarchy()
    read(trial, trial.text.add(capture), capture.lines, ())
    firsts = {path[0] for path in trial.paths.values() if path}
    if firsts & OF_COS and not firsts & (_TOP - {"interfaces"}):
        return ("class-of-service",)
    if firsts and all(PORT.match(word) for word in firsts):
        return ("interfaces",)
    return ()


def _without_effect(root: StatementNode) -> Iterator[StatementNode]:
    """Yield the inactive statements with all statements below them."""
    waiting = list(root.children.values())
    while waiting:
        found = waiting.pop()
        if found.inactive:
            yield from (found, *found.below())
        else:
            waiting.extend(found.children.values())


@lru_cache(maxsize=65_536)
def _mark_unread(path: tuple[str, ...]) -> LineState:
    """Return the state of an unread line about *path*: ignored outside quality of service."""
    inner = path[2:] if path[:1] == ("groups",) else path
    if not inner:
        return LineState.IGNORED
    if inner[0] == "class-of-service" or inner[0] not in _TOP:
        return LineState.UNRECOGNISED
    of_port = inner[0] == "interfaces" and (inner[1:2] == ("interface-range",) or PORT.match("".join(inner[1:2])))
    return LineState.UNRECOGNISED if of_port and {"flow-control", "mtu", "speed"} & {*inner[2:]} else LineState.IGNORED
