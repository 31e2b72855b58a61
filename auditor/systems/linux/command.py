"""Known commands: spelling, sign of the output, reader."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property

from auditor.grammar.clues import Clues, ClueTable, Text, tabulate_clues
from auditor.grammar.signs import Signs, make_sign, split_alternatives
from auditor.model.dump import Capture
from auditor.model.nic import Nic
from auditor.systems.linux import text
from auditor.systems.linux.evidence import Call, Events, PortFact, Reader, Strength
from auditor.systems.linux.facts import make_nic_port
from auditor.systems.linux.fetch import Fetch
from auditor.systems.linux.marks import mark_not_modelled
from auditor.util.regex import regex
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
_LITERAL = regex(r"[\w-]+(?![?*{])")
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

    def match_forms(self, typed: str) -> Iterator[tuple[Command, re.Match[str] | None]]:
        """Yield the commands, each with the match of its form where *typed* is of this form."""
        return ((each, match_form(each.form, typed)) for each in self)

    @cached_property
    def _contents(self) -> Sequence[Command]:
        """The commands that their output tells."""
        return [each for each in self if each.content]

    def list_patterns(self) -> Iterator[re.Pattern[str]]:
        """Yield the patterns of outputs that tell their command."""
        return (re.compile(each.content, re.MULTILINE) for each in self._contents)

    def find_shown(self, text: Text) -> Command | None:
        """Return the first command whose output *text* is, None where no output tells one."""
        likely = sorted(self._untold.union(self._clues.find_owners(text)))
        return next((self._contents[number] for number in likely if self._signs[number].are_in(text)), None)

    @cached_property
    def _signs(self) -> Sequence[Signs]:
        return [make_sign(each.content) for each in self._contents]

    @cached_property
    def _told(self) -> Mapping[int, Sequence[Clues]]:
        return {number: signs.clues for number, signs in enumerate(self._signs) if signs.clues is not None}

    @cached_property
    def _untold(self) -> frozenset[int]:
        return frozenset(range(len(self._contents))) - self._told.keys()

    @cached_property
    def _clues(self) -> ClueTable[int]:
        return tabulate_clues(self._told)


def match_form(form: str, typed: str) -> re.Match[str] | None:
    """Return the match of a command's *form* with all of *typed*."""
    return compile_form(form).fullmatch(typed) if typed.startswith(begin_form(form)) else None


@cache
def begin_form(form: str) -> str:
    """Return characters with which all that has this *form* begins.

    >>> begin_form("mlnx_qos -i {netdev}"), begin_form("lspcis? -v"), begin_form("dmesg.*|journalctl.*")
    ('mlnx_qos', 'lspci', '')
    """
    if len(list(split_alternatives(form))) > 1:
        return ""
    literal = _LITERAL.match(form)
    return literal[0] if literal else ""


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
