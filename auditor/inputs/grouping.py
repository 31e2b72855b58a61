"""The files of a folder: which of them are of one device."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from auditor.inputs.detection import identify_system
from auditor.inputs.rawtext import Raw
from auditor.model.dump import Capture
from auditor.systems import systems
from auditor.util.regex import regex
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class Item:
    """A file with its operating system.

    `typed_at` is the switch at whose prompts all lines are typed, `host` the one in the prompts of a session.
    """

    raw: Raw
    os: str
    captures: tuple[Capture, ...]
    is_whole: bool
    typed_at: str = ""
    is_saved: bool = False
    host: str = ""


def group_by_system(items: Sequence[Item]) -> Mapping[str, Sequence[Item]]:
    """Return the files of a folder by their system, each with the files that belong to it."""
    present = {item.os for item in items}
    relatives = {each.os: each.relative for each in systems().values() if each.relative in present}
    items = [
        replace(item, os=relatives[item.os]) if item.os in relatives and not item.is_whole else item for item in items
    ]
    items = _adopt_named(items)
    return {
        os: _join_saved(_join_typed([item for item in items if item.os == os]))
        for os in dict.fromkeys(item.os for item in items)
    }


def _adopt_named(items: Sequence[Item]) -> list[Item]:
    """Return *items* of a folder; switch outputs known by file name alone are of the one system that others show.

    Several systems have commands of one name.
    """
    switches = [item for item in items if systems()[item.os].kind == "switch"]
    if len({item.os for item in switches}) == 1:
        return list(items)
    named = [item for item in switches if identify_system([replace(each, file="") for each in item.captures]) is None]
    shown = {item.os for item in switches if item not in named}
    if len(shown) != 1:
        return list(items)
    (os,) = shown
    return [replace(item, os=os, is_whole=False) if item in named else item for item in items]


def _join_typed(items: Sequence[Item]) -> list[Item]:
    """Return *items* of a folder and a system; one file of lines typed at a switch belongs to what it prints.

    Several such files may be of several switches, whose prompts have the name of the factory.
    """
    typed = [item for item in items if item.typed_at]
    printed = [item for item in items if item.is_whole and not item.typed_at]
    if len(typed) != 1 or len(printed) > 1 or len(items) == 1:
        return list(items)
    if not {name for item in printed for name in list_hostnames(item.raw.lines)} <= {item.typed_at for item in typed}:
        return list(items)
    return [replace(item, is_whole=False) if item.typed_at else item for item in items]


def _join_saved(items: Sequence[Item]) -> list[Item]:
    """Return *items* of a folder and a system; a saved configuration belongs to the running one of the same name."""
    saved = [item for item in items if item.is_saved and item.is_whole]
    running = [item for item in items if item.is_whole and not item.is_saved]
    joined: dict[int, tuple[Capture, ...]] = {}
    for each in saved:
        names = list_hostnames(each.raw.lines)
        is_only = len(saved) == len(running) == 1
        likely = [item for item in running if _may_be_of(item, names, is_only=is_only)]
        if len(likely) == 1:
            joined[id(likely[0])] = (*joined.get(id(likely[0]), likely[0].captures), *each.captures)
            items = [item for item in items if item is not each]
    return [replace(item, captures=joined.get(id(item), item.captures)) for item in items]


def _may_be_of(item: Item, names: set[str], *, is_only: bool) -> bool:
    """Return whether a configuration is of the switch of these *names*; one of two files may leave the name out."""
    own = list_hostnames(item.raw.lines)
    return own == names if own and names else is_only


_HOSTNAME = regex(r"(?:hostname|switchname|sysname):? (\S+)")
_IN_JSON = regex(r'"hostname"\s{0,9}:\s{0,9}"([^"]{1,255})"')


def list_hostnames(lines: Iterable[str]) -> set[str]:
    """Return the names that a configuration in the words of CLI gives its switch."""
    named = (line.lstrip() for line in lines if "name" in line)
    return {match[1].strip('"') for line in named if (match := _HOSTNAME.match(line))}


def list_all_names(lines: Sequence[str]) -> set[str]:
    """Return the names that a configuration gives its switch, in CLI or in JSON.

    >>> sorted(list_all_names(["hostname a", '"localhost": {"hostname": "b"}']))
    ['a', 'b']
    """
    named = (line for line in lines if '"hostname"' in line)
    return list_hostnames(lines) | {match[1] for line in named for match in _IN_JSON.finditer(line)}
