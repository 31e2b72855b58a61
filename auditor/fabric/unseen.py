"""Neighbours of which no dump was given: the devices that LLDP, declared links and descriptions of ports name."""

import re
from collections.abc import Iterator, Mapping, Sequence

from auditor.model.fabric import Attached, End, Fabric
from auditor.model.setting import Known, Where, value_of
from auditor.util.listing import join_first
from auditor.util.natsort import natural
from auditor.util.regex import regex
from auditor.util.values import dataclass

_MAC = regex(r"(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}|(?:[0-9a-f]{4}[.-]){2}[0-9a-f]{4}", re.IGNORECASE)
_NAME = regex(r"[A-Za-z][\w.-]*\d[\w.-]*")


@dataclass(frozen=True, slots=True)
class Unseen:
    """Neighbours without a dump, by name, that the same devices name; `where` is the first line that names one."""

    names: tuple[str, ...]
    told_by: tuple[str, ...]
    where: Where | None


def list_unseen(fabric: Fabric) -> tuple[Unseen, ...]:
    """Return the neighbours without a dump, those together that the same devices name."""
    told: dict[str, list[Attached]] = {}
    for name, port in (*_list_announced(fabric), *_list_described(fabric)):
        told.setdefault(name, []).append(port)
    groups: dict[tuple[str, ...], list[str]] = {}
    for name in sorted(told, key=natural):
        tellers = dict.fromkeys(port.device.name for port in told[name])
        groups.setdefault(tuple(sorted(tellers, key=natural)), []).append(name)
    return tuple(Unseen(tuple(names), by, _locate(told[names[0]][0])) for by, names in groups.items())


def list_blind_ports(fabric: Fabric) -> Mapping[str, Sequence[str]]:
    """Return by device its ports that are up and of which nothing tells where their cable leads."""
    linked = {end for link in fabric.links for end in (link.a, link.b)}
    found: dict[str, list[str]] = {}
    for device in fabric.devices:
        for port in device.ports:
            is_up = value_of(port.config.ethernet.enabled) is True
            if is_up and End(device.name, port.name) not in linked and value_of(port.lag) is None:
                found.setdefault(device.name, []).append(port.name)
    return found


def _list_announced(fabric: Fabric) -> Iterator[tuple[str, Attached]]:
    """Yield the far device of each link that has no dump, with the port that names it."""
    dumped = {device.name for device in fabric.devices}
    ends = fabric.ends()
    for link in fabric.links:
        for near, far in ((link.a, link.b), (link.b, link.a)):
            if far.device not in dumped and (port := ends.get(near)):
                yield ("a device without a name" if _MAC.fullmatch(far.device) else far.device), port


def _list_described(fabric: Fabric) -> Iterator[tuple[str, Attached]]:
    """Yield the devices that the descriptions of ports without a known neighbour name.

    The first word of a description is taken for a name where a dumped device has a name of the same shape.

    >>> _get_shape("spine12"), _find_word("gpu01 rail1"), _find_word("uplink")
    ('spine#', 'gpu01', '')
    """
    names = {name.lower() for device in fabric.devices for name in (device.name, device.own_name)}
    shapes = set(map(_get_shape, names))
    linked = {end for link in fabric.links for end in (link.a, link.b)}
    for device in fabric.devices:
        for port in device.ports:
            word = _find_word(port.description or "")
            is_strange = word.lower() not in names and _get_shape(word) in shapes
            if is_strange and End(device.name, port.name) not in linked:
                yield word, Attached(device, port)


def _find_word(text: str) -> str:
    """Return the first word of a description where it may be a name, else an empty text."""
    found = _NAME.match(text.strip())
    return found[0] if found else ""


def _get_shape(word: str) -> str:
    return re.sub(r"\d+", "#", word.lower())


def _locate(at: Attached) -> Where | None:
    peer = at.port.peer
    return (at.port.locate(peer.where) if isinstance(peer, Known) else None) or at.port.where


_SHOWN = 8
"""Names that a text lists."""


def describe_unseen(unseen: Unseen) -> str:
    """Return the names and who names them, in words.

    >>> describe_unseen(Unseen(("spine2",), ("leaf1", "leaf2"), None))
    'spine2: named by leaf1, leaf2; no dump of it was given'
    """
    whose = "it" if len(unseen.names) == 1 else "them"
    names, told_by = join_first(unseen.names, _SHOWN), join_first(unseen.told_by, _SHOWN)
    return f"{names}: named by {told_by}; no dump of {whose} was given"
