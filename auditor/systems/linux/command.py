"""Known commands: spelling, sign of the output, reader."""

import re
from collections.abc import Mapping, Sequence
from functools import cache, cached_property

from auditor.grammar.clues import Clues, ClueTable, Text, tabulate_clues
from auditor.grammar.signs import Signs, join_signs
from auditor.model.dump import Capture
from auditor.model.nic import Nic
from auditor.systems.linux import text
from auditor.systems.linux.evidence import Call, Events, PortFact, Reader, Strength
from auditor.systems.linux.facts import make_nic_port
from auditor.systems.linux.fetch import Fetch
from auditor.systems.linux.marks import mark_not_modelled
from auditor.util.values import dataclass

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
SEPARATOR = r"[^A-Za-z0-9.-]+"
"""What stands between the words of a command, typed or in the name of a file."""
RDMA_DEVICE = ("rdma.name",)
LINK = ("config.ethernet.speed_gbps", "config.ethernet.lanes", "config.ethernet.fec")
MTU = ("config.ethernet.mtu_bytes", "config.ethernet.ip_mtu_bytes", "config.ethernet.enabled")


@dataclass(frozen=True, slots=True)
class Command:
    """A known command: its spelling, its reader, and the settings that an error leaves unknown (`silent`).

    Brackets in `name` hold an optional argument. A space in `form` matches any separator (`_` in a file name), and
    `{netdev}` and the like match an argument. `content` is a pattern for the first lines of a capture. `shows` names
    the modelled content for people; empty if the model keeps nothing. `is_whole`: options do not change the output.
    `fetch`: how `pull` and the script get the output.
    """

    name: str
    form: str
    read: Reader
    silent: tuple[str, ...] = ()
    content: str = ""
    shows: str = ""
    is_whole: bool = False
    fetch: tuple[Fetch, ...] = ()


class Commands(tuple[Command, ...]):  # noqa: SLOT001  what is made of them once has its place in a dictionary
    """Known commands, in the order of detection."""

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return super().__hash__()

    @cached_property
    def forms(self) -> Sequence[tuple[Command, re.Pattern[str]]]:
        """The commands, each with the pattern of what is typed."""
        return [(each, compile_form(each.form)) for each in self]

    @cached_property
    def contents(self) -> Sequence[tuple[Command, re.Pattern[str]]]:
        """The commands that their output tells, each with its pattern."""
        return [(each, re.compile(each.content, re.MULTILINE)) for each in self if each.content]

    def find_shown(self, text: Text) -> Command | None:
        """Return the first command whose output *text* is, None where no output tells one."""
        likely = sorted(self._untold.union(self._clues.find_owners(text)))
        return next((self.contents[number][0] for number in likely if self._signs[number].are_in(text)), None)

    @cached_property
    def _signs(self) -> Sequence[Signs]:
        return [join_signs([pattern]) for _, pattern in self.contents]

    @cached_property
    def _told(self) -> Mapping[int, Sequence[Clues]]:
        return {number: signs.clues for number, signs in enumerate(self._signs) if signs.clues is not None}

    @cached_property
    def _untold(self) -> frozenset[int]:
        return frozenset(range(len(self.contents))) - self._told.keys()

    @cached_property
    def _clues(self) -> ClueTable[int]:
        return tabulate_clues(self._told)


@cache
def compile_form(form: str) -> re.Pattern[str]:
    """Return the pattern of a command's *form*."""
    argument = re.sub(r"\{(\w+)\}", rf"(?P<\1>[^\\s-](?:(?!{SEPARATOR}-)\\S)*?)", form)
    return re.compile(re.sub(" ", lambda _: SEPARATOR, argument))


def read_nothing(capture: Capture, call: Call) -> Events:
    """Yield the port that the command names; no line has a place in the model."""
    if call.subject.is_named:
        yield PortFact(call.subject, make_nic_port(Nic(), capture.where(0)), Strength.NIC)
    yield from (mark_not_modelled(index) for index, _ in text.list_lines(capture))
