"""One operating system that is read in its core: recognising its dumps, and putting a switch together from them."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Generic, TypeVar

from auditor.grammar.assemble import Assembler, Resolve, names
from auditor.grammar.commands import named
from auditor.grammar.config import Config, Dialect, Switch, read_config
from auditor.grammar.operational import Ports, with_learned
from auditor.grammar.output import System as OutputForm
from auditor.grammar.output import read_outputs
from auditor.model.buffers import Pool
from auditor.model.device import Device
from auditor.model.dump import Capture, LineState, dump_files
from auditor.model.setting import NOT_COLLECTED, Setting

S = TypeVar("S", bound=Switch)
LINES_TO_LOOK_AT = 4000


@dataclass(frozen=True, slots=True)
class Shown:
    """A show output: what its content has that no other has, and what reads it."""

    content: re.Pattern[str]
    read: Callable[[Capture, Ports], list[LineState]]


@dataclass(frozen=True, slots=True)
class System(Generic[S]):
    """All that is particular to one operating system.

    `own` is what its configurations have and no other's, `other` what they never have. The group `kind` of the names of
    physical ports is the type of a port, whose Gb/s `rates` gives where it tells them; `new` makes the statements of a
    whole switch; `built_in` are named objects that need no definition.
    """

    os: str
    name: str
    command: str
    dialect: Dialect[S]
    new: Callable[[], S]
    resolve: Resolve[S]
    own: re.Pattern[str]
    other: re.Pattern[str]
    shown: Mapping[str, Shown]
    reads_like_qos: re.Pattern[str]
    rates: Mapping[str, float] = field(default_factory=dict)
    built_in: Mapping[str, frozenset[str]] = field(default_factory=dict)
    pools: Callable[[Config[S]], Setting[tuple[Pool, ...]]] = lambda _: NOT_COLLECTED

    def recognise(self, capture: Capture) -> str | None:
        """Return the command whose output *capture* is, None where nothing in it is particular to this system."""
        head = "\n".join(capture.lines[:LINES_TO_LOOK_AT])
        found = next((command for command, shown in self.shown.items() if shown.content.search(head)), None)
        if found or self.other.search(head):
            return found
        return self.command if self.own.search(head) else None

    def parse(self, name: str, source: str, captures: Sequence[Capture]) -> Device:
        """Return the switch that *captures* show; *name* is used where they do not tell the hostname.

        A file that is not recognised is read as a configuration: somebody said that it is of this system.
        """
        form = OutputForm(
            self.name,
            self.command,
            self.recognise,
            self._named,
            lambda configs: read_config(configs, self.dialect, self.new),
            {command: shown.read for command, shown in self.shown.items()},
            self.reads_like_qos,
            "",
        )
        found = read_outputs(captures, form)
        config = found.config
        ports = Assembler(config, self.dialect.port, self.rates, self.resolve).ports() if config else ()
        undefined, unattached = names(config, self.built_in) if config else ((), ())
        return Device(
            name=config.name.value if config and config.name else name,
            kind="switch",
            os=self.os,
            source=source,
            ports=with_learned(ports, found.learned),
            os_version=config.version or NOT_COLLECTED if config else NOT_COLLECTED,
            pools=self.pools(config) if config else NOT_COLLECTED,
            undefined=undefined,
            unattached=unattached,
            dumps=dump_files(self.os, found.dumps),
            doubts=tuple(found.doubts),
        )

    def _named(self, capture: Capture) -> str | None:
        """Return the command that a transcript or the file's name says was run, None where it is not read."""
        return named(capture.command or PurePath(capture.file).stem, (*self.shown, self.command))
