"""The captures of a switch: running configurations, show outputs, and unread captures."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Generic, TypeVar

from auditor.grammar.doubts import Ending, doubts_of
from auditor.grammar.history import BoundlessError
from auditor.grammar.operational import Ports, add_operational
from auditor.grammar.stanzas import HasStates
from auditor.model.device import Device
from auditor.model.dump import Capture, Doubt, LineState, list_dump_files
from auditor.util.values import dataclass

C = TypeVar("C", bound=HasStates)


@dataclass(frozen=True, slots=True)
class OutputReader(Generic[C]):
    """The readers of the outputs of one operating system.

    `name` is for people, `config` the command that shows the running configuration. `recognise` tells a capture's
    command from its content, `named` from what is said of it; None where `recognise` does both. `reads_like_qos` and
    `words` tell which unread lines are doubts. `ending` ends a whole configuration, None where nothing does. `saved` is
    the command that shows the saved configuration, which stands for the running one where that is not given.
    """

    name: str
    config: str
    recognise: Callable[[Capture], str | None]
    named: Callable[[Capture], str | None] | None
    read_config: Callable[[Sequence[Capture]], C]
    readers: Mapping[str, Callable[[Capture, Ports], list[LineState]]]
    reads_like_qos: re.Pattern[str]
    words: str
    ending: Ending | None = None
    saved: str = ""


@dataclass(slots=True)
class Outputs(Generic[C]):
    """The contents of the captures of a switch."""

    config: C | None = None
    learned: Ports = field(default_factory=dict)
    dumps: list[tuple[Capture, Sequence[LineState]]] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)

    def build_switch(self, os: str, name: str, source: str) -> Device:
        """Return a switch without its configuration; its ports, if it has none, are those that outputs show."""
        return Device(
            name=name,
            kind="switch",
            os=os,
            source=source,
            ports=add_operational((), self.learned) if self.config is None else (),
            dumps=list_dump_files(os, self.dumps),
            doubts=tuple(self.doubts),
        )


def read_outputs(captures: Sequence[Capture], system: OutputReader[C]) -> Outputs[C]:
    """Read *captures*; an unrecognised file counts as a running configuration of the given system.

    A capture with a command that has no reader stays unread, and so does a configuration that writes too much.
    """
    found: Outputs[C] = Outputs()
    commands = [_command(capture, system) for capture in captures]
    configs = [capture for capture, command in zip(captures, commands, strict=True) if command == system.config]
    try:
        found.config = system.read_config(configs) if configs else None
    except BoundlessError as error:
        found.doubts.append(error.doubt)
    for capture, command in zip(captures, commands, strict=True):
        states: Sequence[LineState] = [LineState.UNRECOGNISED] * len(capture.lines)
        if command == system.config:
            states = found.config.states[id(capture)] if found.config else [LineState.NOT_MODELLED] * len(states)
            found.doubts.extend(system.ending.find_cut(capture) if system.ending else ())
        elif command:
            states = system.readers[command](capture, found.learned)
        found.dumps.append((capture, states))
        found.doubts.extend(doubts_of(capture, states, system.reads_like_qos, system.words.split(), system.name))
    return found


def _command(capture: Capture, system: OutputReader[C]) -> str:
    """Return the command whose output a capture is, empty if the command has no reader."""
    command = system.recognise(capture) or (system.named(capture) if system.named else None)
    if command and command == system.saved:
        return system.config
    return command or ("" if capture.command else system.config)
