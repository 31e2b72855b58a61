"""Ports that are alike in everything that is set, and the differences between those that are not."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from auditor.report.facts import Reader, format_value
from auditor.report.presentation import clean_text
from auditor.util.values import dataclass

_OWN = frozenset({"name", "aliases", "mac", "parent", "peer", "counters", "hardware"})
_OWN_OF_NIC = frozenset({"gids", "rdma_device", "parent"})
_OWN_OF_HARDWARE = frozenset({"slot", "serial", "module", "temperature_c", "rx_power_dbm"})
_KEYS = ("queue", "pg", "id", "order", "index")
Difference = tuple[str, str, str]
"""A value by the path to it, as text, and the same of another port."""


@dataclass(frozen=True, slots=True)
class Likes:
    """Ports that are alike, each with the reader of its view, in the order of the device."""

    readers: tuple[Reader, ...]

    @property
    def first(self) -> Reader:
        """The port whose lines stand for all."""
        return self.readers[0]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the ports."""
        return tuple(reader.read("/name") for reader in self.readers)


def group_likes(readers: Sequence[Reader]) -> tuple[Likes, ...]:
    """Return the ports in groups of those that are alike in all but names, addresses, neighbours and readings."""
    groups: dict[str, list[Reader]] = {}
    for reader in readers:
        groups.setdefault(repr(_strip_own(reader.document)), []).append(reader)
    return tuple(Likes(tuple(group)) for group in groups.values())


def list_differences(here: Likes, there: Likes) -> list[Difference]:
    """Return the values that ports *here* and *there* have differently."""
    return list(_compare(_strip_own(here.first.document), _strip_own(there.first.document), ()))


def _strip_own(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the view of a port without that by which all ports differ."""
    left = {name: value for name, value in document.items() if name not in _OWN}
    if left["nic"]:
        left["nic"] = {name: value for name, value in left["nic"].items() if name not in _OWN_OF_NIC}
    return left | _strip_hardware(document.get("hardware") or {})


def _strip_hardware(hardware: Mapping[str, Any]) -> dict[str, Any]:
    """Return the kinds of a card and of a module, without what each has of its own, and without readings."""
    parts = {"card": hardware, "module": hardware.get("module") or {}}
    kinds = {
        part: {name: value for name, value in told.items() if name not in _OWN_OF_HARDWARE and value is not None}
        for part, told in parts.items()
    }
    return {part: kind for part, kind in kinds.items() if kind}


def _compare(here: Any, there: Any, path: tuple[str, ...]) -> Iterator[Difference]:  # noqa: ANN401  JSON
    if here == there:
        return
    near, far = _split(here), _split(there)
    if not near or not far:
        yield " ".join(path), _shorten(here), _shorten(there)
        return
    for name in dict.fromkeys((*near, *far)):
        if name in near and name in far:
            yield from _compare(near[name], far[name], (*path, name))
        else:
            yield " ".join((*path, name)), _find_part(near, name), _find_part(far, name)


def _find_part(parts: Mapping[str, Any], name: str) -> str:
    """Return a part as text, a row in one word."""
    if name not in parts:
        return "absent"
    return "present" if isinstance(parts[name], Mapping) else _shorten(parts[name])


def _split(value: Any) -> Mapping[str, Any] | None:  # noqa: ANN401  JSON
    """Return the parts of an object, or of a list of rows by their keys; None for a single value."""
    if isinstance(value, Mapping):
        return {_say(name): item for name, item in value.items()}
    if isinstance(value, list) and value and all(isinstance(item, Mapping) for item in value):
        key = next((key for key in _KEYS if all(key in item for item in value)), None)
        return None if key is None else {clean_text(str(item[key])): item for item in value}
    return None


def _say(name: str) -> str:
    """Return the name of a field in words."""
    return clean_text(name.replace("_", " "))


def _shorten(value: Any) -> str:  # noqa: ANN401  JSON
    if value is None:
        return "unknown"
    is_table = isinstance(value, list) and any(isinstance(item, Mapping) for item in value)
    return f"{len(value)} rows" if is_table else format_value(value)
