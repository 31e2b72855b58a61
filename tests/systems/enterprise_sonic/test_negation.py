"""Each statement of Enterprise SONiC and its `no` form: the last word wins, wherever it stands."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from negation import Case, Context, broken, cases, check, check_broken

from auditor.grammar.statements import Table
from auditor.model.dump import Capture
from auditor.model.setting import Known, Origin, Setting, Unset
from auditor.systems import systems
from auditor.systems.enterprise_sonic.block import QosBlock
from auditor.systems.enterprise_sonic.config import ConfigReader, sort_captures
from auditor.systems.enterprise_sonic.contexts import QOS_MAPS, SCHEDULER, WRED, QosMapBlock, SchedulerBlock, WredBlock
from auditor.systems.enterprise_sonic.interfaces import INTERFACE, PAUSED, Interface
from auditor.systems.enterprise_sonic.names import MAPS
from auditor.systems.enterprise_sonic.statements import SWITCH_WIDE, SwitchBlock
from auditor.systems.enterprise_sonic.store import Place, Store, Writer
from auditor.systems.enterprise_sonic.tunnels import TUNNEL, Tunnel
from auditor.systems.sonic.rows import RowEntry


def read(captures: Sequence[Capture]) -> Store:
    """Return what captures of one device say."""
    store = Store()
    for each in sort_captures(captures):
        ConfigReader(each, Writer(store, each)).read(0, len(each.lines))
    return store


@dataclass(frozen=True)
class Body:
    """The settings of a block by the names that its table gives them, as the store has them."""

    store: Store
    block: QosBlock
    members: frozenset[str]

    def __getattr__(self, name: str) -> "Setting[str] | _Members":
        """Return a setting, or settings by member."""
        if name in self.members:
            return _Members(self, name)
        return self.setting(next(iter(self.block.places(name))))

    def setting(self, place: Place) -> Setting[str]:
        """Return the setting of a field, or whether a whole entry is there."""
        table, key, field = place
        rows = tuple(row for row in self.store.rows({}).get(table, ()) if row.key == key)
        if field:
            return RowEntry(rows).get(field) if rows else Unset()
        return Known(key, Origin.INTENDED) if rows else Unset(self.store.removed.get((table, key)))


@dataclass(frozen=True)
class _Members:
    """The entries of a field, of which each has a setting."""

    body: Body
    name: str

    def __getitem__(self, member: object) -> Setting[str]:
        if self.name == PAUSED:
            return self.body.setting(next(iter(self.body.block.places(self.name))))
        return self.body.setting(list(self.body.block.places(self.name, member))[-1])

    def __contains__(self, member: object) -> bool:
        return True


def context(
    name: str, table: Table[Any], head: Sequence[str], modes: Sequence[str], block: Callable[[Writer], QosBlock]
) -> Context:
    """Return the context of a table whose statements are settings of *block*."""
    members = frozenset(s.negation.member[0] for s in table.statements if s.negation and s.negation.member)
    capture = Capture("", ())
    return Context(
        name, table, tuple(head), tuple(modes), lambda store: Body(store, block(Writer(store, capture)), members)
    )


def _scheduler(number: str) -> Callable[[Writer], QosBlock]:
    return lambda writer: SchedulerBlock(writer, 0, 0, "S", number)


def _map(kind: str) -> Callable[[Writer], QosBlock]:
    return lambda writer: QosMapBlock(writer, 0, 0, kind, "M")


CONTEXTS = (
    context(
        "interface",
        INTERFACE,
        ["interface Eth1/1"],
        ["config", "conf-if-Eth1/1"],
        lambda writer: Interface(writer, 0, 0, ("Eth1/1",)),
    ),
    context(
        "wred policy",
        WRED,
        ["qos wred-policy W"],
        ["config", "conf-wred-W"],
        lambda writer: WredBlock(writer, 0, 0, "W"),
    ),
    context(
        "queue of a scheduler policy",
        SCHEDULER,
        ["qos scheduler-policy S", "queue 3"],
        ["config", "conf-sched-policy-S", "conf-scheduler-S-queue-3"],
        _scheduler("3"),
    ),
    *(
        context(f"{kind} map", QOS_MAPS[kind], [f"qos map {kind} M"], ["config", f"conf-{kind}-map-M"], _map(kind))
        for kind in MAPS
    ),
    context(
        "tunnels",
        TUNNEL,
        ["interface vxlan vtep0"],
        ["config", "conf-if-vxlan-vtep0"],
        lambda writer: Tunnel(writer, 0, 0, name="vtep0"),
    ),
    context("switch", SWITCH_WIDE, [], ["config"], lambda writer: SwitchBlock(writer, 0, 0)),
)


ANY_NUMBER = ("speed auto", "ip ", "ipv6 ", "switchport ", "channel-group ")
"""Statements that say the same whatever the number is, or nothing of how packets are treated."""
BROKEN = [(context, line) for context, line in broken(CONTEXTS) if not line.startswith(ANY_NUMBER)]


@pytest.mark.parametrize(
    ("context", "line"), [(context, line) for context, line in broken(CONTEXTS) if not line.startswith(ANY_NUMBER)]
)
def test_a_broken_number_is_told(context: Context, line: str) -> None:
    check_broken(context, line, lambda captures: systems()["dell_enterprise_sonic"].parse("leaf1", "leaf1", captures))


@pytest.mark.parametrize("case", list(cases(CONTEXTS)), ids=str)
def test_the_last_word_wins(case: Case) -> None:
    check(case, read)
