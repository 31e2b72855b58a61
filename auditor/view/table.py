"""The settings of a device as a table by port and path; those of ports that are configured alike are held once."""

from collections.abc import Collection, Mapping
from dataclasses import field, replace
from typing import NamedTuple, TypeAlias

from auditor.model.port import Port, PortConfig
from auditor.model.setting import Where
from auditor.util.values import dataclass

Key: TypeAlias = tuple[str, str]
"""A port, empty for the device, and the path of a setting, such as `queues[3].ecn_min_bytes`."""
ABSENT, NOT_SET = "absent", "not set"
_NOTHING = frozenset({ABSENT, NOT_SET})
"""Texts for a setting without a value: what held it is gone, or no line sets it."""


@dataclass(frozen=True, slots=True)
class Cell:
    """The value of a setting as text, the line that proves it, and whether a vendor's default decides."""

    text: str
    file: str | None = None
    line: int | None = None
    is_default: bool = False


_ABSENT = Cell(ABSENT)
NO_PORT = Port("", PortConfig())
"""Stands for the port of the settings of a whole device."""
_LAST = 2**20
"""The rank of cells that are placed beside those of the view."""


def make_cell(text: str, where: Where | None, *, is_default: bool = False) -> Cell:
    """Return the cell of a text that the line *where* proves."""
    return Cell(text, where.file, where.line, is_default) if where else Cell(text, is_default=is_default)


def is_alike(one: str, other: str) -> bool:
    """Return whether two texts are of one value; two without a value are.

    >>> is_alike("absent", "not set"), is_alike("absent", "3")
    (True, False)
    """
    return one == other or {one, other} <= _NOTHING


class Proof(NamedTuple):
    """What proves a setting: a place, which may be relative, and whether a default decides; `rank` orders settings."""

    rank: int
    where: Where | None
    is_default: bool


@dataclass(slots=True)
class Listing:
    """Settings as texts, with their proofs, by path; `parts` are the lists and maps whose members are all known."""

    texts: dict[str, str] = field(default_factory=dict)
    proofs: dict[str, Proof] = field(default_factory=dict)
    parts: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class PortTable:
    """The settings of a port: those that it shares with its likes, and its own ones.

    The cells in `placed` are beside those, or stand in their place; None is for a setting that is left out. All members
    of the lists and maps in `known` are known as well.
    """

    port: Port
    shared: Listing = field(default_factory=Listing)
    own: Listing = field(default_factory=Listing)
    placed: Mapping[str, Cell | None] = field(default_factory=dict)
    known: frozenset[str] = frozenset()

    def get(self, path: str) -> Cell | None:
        """Return the cell of a setting, None where there is none."""
        if path in self.placed:
            return self.placed[path]
        listing = self.own if path in self.own.texts else self.shared
        if path not in listing.texts:
            return None
        _, where, is_default = listing.proofs[path]
        return make_cell(listing.texts[path], self.port.locate(where), is_default=is_default)

    def find(self, path: str) -> Cell | None:
        """Return the cell of a setting; an absent one where the list that should hold it is known."""
        found = self.get(path)
        if found:
            return found
        around, bracket, _ = path.rpartition("[")  # the nearest list or map
        is_known = any(around in parts for parts in (self.own.parts, self.shared.parts, self.known))
        return _ABSENT if bracket and is_known else None

    @property
    def texts(self) -> dict[str, str]:
        """The texts of all settings by path."""
        texts = self.shared.texts | self.own.texts
        for path, cell in self.placed.items():
            if cell:
                texts[path] = cell.text
            else:
                texts.pop(path, None)
        return texts

    def list_paths(self, among: Collection[str] | None = None) -> list[str]:
        """Return the paths of the settings, or of those *among* them, in the order of the view."""
        texts = self.texts
        paths = [*texts] if among is None else [path for path in texts if path in among]
        return sorted(paths, key=self._rank)

    def _rank(self, path: str) -> int:
        proof = self.own.proofs.get(path) or self.shared.proofs.get(path)
        return proof.rank if proof else _LAST

    def list_unlike(self, other: "PortTable") -> list[str]:
        """Return the paths of the settings whose texts are not the same in *other*, or that one of both lacks."""
        unlike = {path for path, _ in self.texts.items() ^ other.texts.items()}
        return [*dict.fromkeys((*self.list_paths(unlike), *other.list_paths(unlike)))] if unlike else []

    def join(self, other: "PortTable | None") -> "PortTable":
        """Return the settings of *other*, of the same port, with those that are placed here."""
        if other is None:
            return self
        return replace(other, placed={**other.placed, **self.placed}, known=other.known | self.known)


@dataclass(frozen=True, slots=True)
class Table:
    """The settings of a device by port; those of the device itself have an empty name there."""

    ports: Mapping[str, PortTable] = field(default_factory=dict)

    @property
    def cells(self) -> dict[Key, Cell]:
        """All cells, made at each call: many more than the table holds."""
        found = ((key, self.find(key)) for key in self.list_keys())
        return {key: cell for key, cell in found if cell}

    @property
    def is_empty(self) -> bool:
        """Whether there is no setting."""
        return not any(port.list_paths() for port in self.ports.values())

    def get(self, key: Key) -> Cell | None:
        """Return a cell, None where there is none."""
        own = self.ports.get(key[0])
        return own.get(key[1]) if own else None

    def find(self, key: Key) -> Cell | None:
        """Return a cell; an absent one where the list that should hold it is known, None where that is not known."""
        own = self.ports.get(key[0])
        return own.find(key[1]) if own else None

    def list_keys(self) -> list[Key]:
        """Return the keys of all cells."""
        return [(name, path) for name, own in self.ports.items() for path in own.list_paths()]

    def list_keys_unlike(self, other: "Table") -> list[Key]:
        """Return the keys of the settings whose texts are not the same in *other*, or that one of both lacks."""
        none = PortTable(NO_PORT)
        found = (
            (name, path)
            for name in dict.fromkeys((*self.ports, *other.ports))
            for path in self.ports.get(name, none).list_unlike(other.ports.get(name, none))
        )
        return sorted(found, key=lambda key: self.get(key) is None)  # those that are new come last
