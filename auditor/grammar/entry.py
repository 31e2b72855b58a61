"""Lines of a configuration as they are typed at the prompts of a switch."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePath
from typing import TypeAlias

from auditor.model.dump import Capture

HOST, FILE = "switch", "remedy"
"""The name in the prompts, and that of the capture that holds what is typed."""
TYPED = "typed.txt"
"""The file of such a capture in the folder of a plan."""
Applier: TypeAlias = Callable[[Sequence[str], Sequence[Capture]], tuple[Capture, ...] | None]
"""Returns the captures of a device after lines were typed; None where the captures do not take them."""


def measure_depths(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield the depth of each line by its indentation, 0 at the top level, and its text; blank lines are left out.

    >>> list(measure_depths(["interface 1", "  mtu 9216", "vlan 1"]))
    [(0, 'interface 1'), (1, 'mtu 9216'), (0, 'vlan 1')]
    """
    open_at: list[int] = []
    for line in filter(str.strip, lines):
        indent = len(line) - len(line.lstrip())
        while open_at and indent <= open_at[-1]:
            open_at.pop()
        yield len(open_at), line.strip()
        open_at.append(indent)


def type_at_modes(lines: Sequence[str]) -> tuple[str, ...]:
    """Return *lines* behind prompts of configuration modes; an indented line is typed in the mode of the one above.

    >>> type_at_modes(["interface 1", "  mtu 9216", "vlan 1"])
    ('switch(config)# interface 1', 'switch(config-m)# mtu 9216', 'switch(config)# vlan 1')
    """
    return tuple(f"{HOST}(config{'-m' * depth})# {text}" for depth, text in measure_depths(lines))


def type_in_views(lines: Sequence[str]) -> tuple[str, ...]:
    """Return *lines* behind prompts of views; an indented line is typed in the view of the one above.

    >>> type_in_views(["interface 1", " mtu 9216"])
    ('[switch]interface 1', '[switch-v]mtu 9216')
    """
    return tuple(f"[{HOST}{'-v' * depth}]{text}" for depth, text in measure_depths(lines))


def is_typed(capture: Capture) -> bool:
    """Return whether *capture* holds what is typed, which shows no configuration by itself.

    >>> [is_typed(Capture(file, ())) for file in ("remedy", "after/leaf1/typed.txt", "leaf1.cfg")]
    [True, True, False]
    """
    return PurePath(capture.file).name in {FILE, TYPED}


def make_applier(type_lines: Callable[[Sequence[str]], tuple[str, ...]]) -> Applier:
    """Return what adds lines to the captures of a device, as *type_lines* types them."""

    def apply(lines: Sequence[str], captures: Sequence[Capture]) -> tuple[Capture, ...]:
        return (*captures, Capture(FILE, type_lines(lines)))

    return apply


def type_plain(lines: Sequence[str]) -> tuple[str, ...]:
    """Return *lines* that name their place in full, as they are."""
    return tuple(filter(str.strip, lines))
