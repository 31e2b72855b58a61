"""One operating system as a value: names, depth of the model, readers."""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from enum import StrEnum
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any, TypeAlias

from auditor.grammar.entry import Applier, is_typed
from auditor.grammar.show import Lifetime, Pull, beginning
from auditor.grammar.signs import Signs, join_signs
from auditor.model.device import Device
from auditor.model.dump import Capture
from auditor.util.values import dataclass


class Depth(StrEnum):
    """How much of an operating system is modelled; the rest is Unknown, and its rules stay open."""

    FULL = "full"
    BASIC = "basic"


ALL = "PFC both ways and its watchdog, classification, marking, queues, ECN and WRED, buffers, MTU, links"


@dataclass(frozen=True, slots=True)
class Login:
    """The session of `pull` on a system: netmiko's driver, and the first and last lines with their purpose.

    `is_shell`: commands run in a POSIX shell. `keeps_failed`: the output of a command that failed is kept.
    """

    driver: str
    lines: tuple[tuple[str, str], ...]
    is_shell: bool = False
    keeps_failed: bool = False


TERMINAL = (
    ("terminal width 511", "long lines stay whole"),
    ("terminal length 0", "no paging"),
    ("exit", "logging out"),
)
"""Lines of a session on NX-OS and EOS."""
SHELL = Login(
    "linux",
    (("unset HISTFILE", "no trace in the history of the user's shell"), ("exit", "logging out")),
    is_shell=True,
)


ListNames: TypeAlias = Callable[[Sequence[Sequence[str]]], Iterator[tuple[str, str]]]
Undoer: TypeAlias = Callable[[Sequence[str], Sequence[Capture]], "tuple[str, ...] | None"]
ListQuoted: TypeAlias = Callable[[str, Sequence[str]], Iterator[tuple[str, str]]]


@dataclass(frozen=True, slots=True)
class ChangeControl:
    """The system's own commands around a change: to keep the state before it, look at it, take it back, and save it."""

    keep: str
    look: str
    undo: str
    save: str


@dataclass(frozen=True, slots=True)
class Maker:
    """A maker of NICs: its name in remedies and in the model, and how the kernel's names of its RDMA devices begin."""

    key: str
    name: str
    device: str


@dataclass(frozen=True, slots=True)
class RemedySyntax:
    """How remedies are written for a system: the name of a port, as an example, and what their lines change in a dump.

    `apply` is None where the effect of the lines on a dump cannot be stated. `control` is None where the commands of
    the system around a change are not known. `read_names` reads the lines of a dump once, and returns what gives the
    names of a switch's own policies and profiles from the heads around lines in question; `list_quoted` gives what the
    line of a finding tells, from the line and the heads around it. `undo` gives the lines that take typed ones back,
    None where they are not known: then `control` does. `makers` are those of NICs for which rules write remedies of
    their own. `ends_open`: nothing marks the end of a configuration, so that a dump which was cut short between two
    lines reads as a whole one.
    """

    port: str = ""
    apply: Applier | None = None
    control: ChangeControl | None = None
    read_names: Callable[[Sequence[str]], ListNames] | None = None
    list_quoted: ListQuoted | None = None
    undo: Undoer | None = None
    makers: tuple[Maker, ...] = ()
    ends_open: bool = False


@dataclass(frozen=True, slots=True)
class SavedSplit:
    """The captures of a device as it runs, and those that show it as the next boot makes it."""

    running: tuple[Capture, ...]
    saved: tuple[Capture, ...]


@dataclass(frozen=True, slots=True)
class System:
    """One operating system, whose folder holds `show.py` and `parse.py`; both are imported at first use.

    `os` is the stable identifier, `name` is for people, and `aliases` are the names of other tools. `kind` is that of
    its devices: switch, host or jobs. `rank` orders the systems: a dump is tried from the lowest up. `models` and
    `give` say what is read, and of which files or outputs. Single captures beside dumps of the system `relative` belong
    to that system. `remedies` says how rules write remedies for it, None if they write none.
    """

    os: str
    folder: str
    name: str
    rank: int
    models: str
    give: tuple[str, ...]
    aliases: tuple[str, ...] = ()
    kind: str = "switch"
    depth: Depth = Depth.FULL
    relative: str | None = None
    remedies: RemedySyntax | None = None
    login: Login | None = None

    def recognise(self, capture: Capture) -> str | None:
        """Return the command of *capture*; None for a capture of another system."""
        found: str | None = self._module("show").recognise(capture)
        return found

    @property
    def signs(self) -> Signs | None:
        """The signs one of which is in each capture that its lines tell; None where no list has them all."""
        found: Signs | None = getattr(self._module("show"), "SIGNS", None)
        return found

    @property
    def find_names(self) -> Callable[[Capture], bool] | None:
        """The function that says whether command or file name may be enough; None where the lines alone count."""
        check: Callable[[Capture], bool] | None = getattr(self._module("show"), "names", None)
        return check

    def names(self, capture: Capture) -> bool:
        """Return whether the command or the file name of *capture* may be enough to recognise it."""
        check = self.find_names
        return check is not None and check(capture)

    def owns(self, capture: Capture) -> bool:
        """Return whether *capture* has words of a configuration that no other system has."""
        own: re.Pattern[str] | None = getattr(self._module("show"), "ONLY", None)
        return own is not None and _join_one(own).are_in(beginning(capture.lines))

    def parse(self, name: str, source: str, captures: Sequence[Capture]) -> Device:
        """Return the device of *captures*; *name* is its name if no capture has one."""
        device: Device = self._module("parse").parse(name, source, captures)
        return device

    def foreign(self, capture: Capture) -> str | None:
        """Return the unsupported relative of this system that made *capture*, None if no relative did."""
        check: Any = getattr(self._module("show"), "foreign", None)
        return check(capture) if check else None

    def find_day(self, capture: Capture) -> date | None:
        """Return the day on which the device printed *capture*, by its own words; None where they do not say it."""
        find: Any = getattr(self._module("show"), "find_day", None)
        return find(capture) if find else None

    def has_facts(self, capture: Capture) -> bool:
        """Return whether *capture*, which no system recognises, holds lines of this system among others."""
        check: Any = getattr(self._module("show"), "has_facts", None)
        return bool(check and check(capture))

    @property
    def whole(self) -> frozenset[str]:
        """The commands that show a whole device."""
        return frozenset(each.command for each in self._module("show").SHOWS if each.whole)

    def split_saved(self, captures: Sequence[Capture]) -> SavedSplit | None:
        """Return *captures* parted by what they show, None unless both configurations are among them.

        What is typed beside a saved configuration alone changes that one.
        """
        lifetimes = {each.command: each.lifetime for each in self._module("show").SHOWS if each.lifetime}
        if len(captures) < 2 or Lifetime.SAVED not in lifetimes.values():  # noqa: PLR2004  one cannot be both
            return None
        told = [(capture, lifetimes.get(self._name_output(capture))) for capture in captures]
        if not {Lifetime.SAVED, Lifetime.RUNNING} <= {lifetime for capture, lifetime in told if not is_typed(capture)}:
            return None
        return SavedSplit(
            tuple(capture for capture, lifetime in told if lifetime is not Lifetime.SAVED),
            tuple(capture for capture, lifetime in told if lifetime in {Lifetime.SAVED, Lifetime.FIXED}),
        )

    def is_saved_alone(self, captures: Sequence[Capture]) -> bool:
        """Return whether *captures* show a saved configuration and no running one."""
        lifetimes = {each.command: each.lifetime for each in self._module("show").SHOWS if each.lifetime}
        shown = {lifetimes.get(self._name_output(capture)) for capture in captures if not is_typed(capture)}
        return Lifetime.SAVED in shown and Lifetime.RUNNING not in shown

    def _name_output(self, capture: Capture) -> str:
        """Return the command of *capture* by its content, else by its name; empty for an unknown one."""
        find_name: Any = getattr(getattr(self._module("show"), "TABLE", None), "find_name", None)
        return self.recognise(capture) or (find_name(capture) if find_name else None) or ""

    @property
    def saved(self) -> frozenset[str]:
        """The commands that show the saved configuration."""
        shows = self._module("show").SHOWS
        return frozenset(each.command for each in shows if each.lifetime is Lifetime.SAVED)

    def outputs(self) -> Iterator[tuple[str, str]]:
        """Yield each command with the purpose of its output."""
        yield from ((each.command, each.why) for each in self._module("show").SHOWS if each.why)

    def pulls(self) -> tuple[Pull, ...]:
        """Return the commands that `pull` sends, in their order."""
        return tuple(pull for each in self._module("show").SHOWS for pull in each.pulls())

    def load_signs(self) -> None:
        """Import what `recognise` needs."""
        self._module("show")

    def load_reader(self) -> None:
        """Import what `parse` needs, libraries included that it imports at first use."""
        prepare = getattr(self._module("parse"), "prepare", None)
        if prepare is not None:
            prepare()

    def _module(self, name: str) -> ModuleType:
        return _import_module(self.folder, name)


@cache
def _join_one(sign: re.Pattern[str]) -> Signs:
    return join_signs([sign])


@cache
def _import_module(folder: str, name: str) -> ModuleType:
    return import_module(f"auditor.systems.{folder}.{name}")
