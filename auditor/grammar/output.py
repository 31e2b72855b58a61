"""The captures of a switch, each read by what it is: running configurations, show outputs, and what stays unread."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from auditor.grammar.doubts import doubts_of
from auditor.grammar.operational import Ports
from auditor.model.dump import Capture, Doubt, LineState


class HasStates(Protocol):
    """A running configuration that was read, with the state of each of its lines."""

    states: list[LineState]


C = TypeVar("C", bound=HasStates)


@dataclass(frozen=True, slots=True)
class System(Generic[C]):
    """How the outputs of one operating system are read.

    `name` is for people, `config` the command that shows the running configuration. `recognise` tells a capture's
    command from its content, `named` from what is said of it; None where `recognise` does both. `reads_like_qos` and
    `words` tell which unread lines are doubts.
    """

    name: str
    config: str
    recognise: Callable[[Capture], str | None]
    named: Callable[[Capture], str | None] | None
    read_config: Callable[[Capture], C]
    readers: Mapping[str, Callable[[Capture, Ports], list[LineState]]]
    reads_like_qos: re.Pattern[str]
    words: str


@dataclass(slots=True)
class Outputs(Generic[C]):
    """What the captures of a switch say."""

    configs: list[C] = field(default_factory=list)
    learned: Ports = field(default_factory=dict)
    dumps: list[tuple[Capture, Sequence[LineState]]] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)


def read_outputs(captures: Sequence[Capture], system: System[C]) -> Outputs[C]:
    """Read *captures*; a file that is not recognised is a running configuration: somebody said that it is of *system*.

    A capture of which a command is told that is not read stays unread.
    """
    found: Outputs[C] = Outputs()
    for capture in captures:
        command = system.recognise(capture) or (system.named(capture) if system.named else None)
        command = command or ("" if capture.command else system.config)
        if command == system.config:
            found.configs.append(system.read_config(capture))
            states: Sequence[LineState] = found.configs[-1].states
        elif command:
            states = system.readers[command](capture, found.learned)
        else:
            states = [LineState.UNRECOGNISED] * len(capture.lines)
        found.dumps.append((capture, states))
        found.doubts.extend(doubts_of(capture, states, system.reads_like_qos, system.words.split(), system.name))
    return found
