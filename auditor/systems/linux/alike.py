"""One configuration for all NICs that are set up alike, on one host and on many.

What a line says is the same wherever it stands: the places in a configuration count from rows that each port has of its
own (`Port.rows`), one for each output that tells of the port.
"""

from collections.abc import Hashable, Iterable, Sequence
from itertools import takewhile
from typing import TypeAlias

from auditor.model.port import PortConfig
from auditor.model.setting import Where
from auditor.systems.linux.places import change_places, find_reader, make_place
from auditor.util.memo import Memo

Rows: TypeAlias = tuple[Where, ...]
MOST_CONFIGS, MOST_PLACES = 1024, 2**15
"""Configurations that are kept, and the places in all of them: the NICs of thirty kinds of hosts."""
_PLAIN = frozenset({bool, float, int, str})
_PLACE = "\0"


class Alike:
    """Configurations by what they say; those kept longest go first."""

    def __init__(self) -> None:
        self._told: Memo[Hashable, PortConfig] = Memo(MOST_CONFIGS, MOST_PLACES)
        self._shared: Memo[Hashable, PortConfig] = Memo(MOST_CONFIGS, MOST_PLACES)
        self._rows: Memo[int, tuple[PortConfig, PortConfig, Rows]] = Memo(MOST_CONFIGS, MOST_PLACES)

    def unite(self, config: PortConfig) -> PortConfig:
        """Return the first configuration that was equal to *config*, its places too."""
        places: list[Where] = []
        told = _describe(config, places)
        key = told, tuple(map(_tell_apart, places))
        return self._told.find(key) or self._told.keep(key, config, len(places) + 1)

    def share(self, config: PortConfig) -> tuple[PortConfig, Rows]:
        """Return the first configuration that says what *config* does, and the rows from which its places count here.

        Its places have negative parts. Rows are in the order of the outputs that they are in; each is the first line,
        and the longest path, that the places in the output have in common.

        >>> from auditor.model.nic import Nic
        >>> from auditor.model.setting import Known, Origin
        >>> alike = Alike()
        >>> first, second = (
        ...     alike.share(PortConfig(nic=Nic(firmware=Known("28.39", Origin.LEARNED, Where("", line, True, part=2)))))
        ...     for line in (3, 40)
        ... )
        >>> first[0] is second[0], first[0].nic.firmware.where.part, [row.line for row in (*first[1], *second[1])]
        (True, -1, [3, 40])
        """
        known = self._rows.find(id(config))
        if known is not None:
            return known[1:]
        places: list[Where] = []
        told = _describe(config, places)
        rows = _list_rows(places)
        moved = {row.part: (row, number) for number, row in enumerate(rows, 1)}

        def move(where: Where) -> Where:
            if not where.relative:
                return where
            row, number = moved[where.part]
            return make_place(where.line - row.line, -number, where.pointer[len(row.pointer) :])

        key = told, tuple(_tell_apart(move(where)) for where in places)
        shared = self._shared.find(key)
        if shared is None:
            shared = self._shared.keep(key, change_places(config, move), len(places) + 1)
        return self._rows.keep(id(config), (config, shared, rows), len(places) + 1)[1:]


def _tell_apart(where: Where) -> tuple[int, str, int]:
    return where.line, where.pointer, where.part


def _list_rows(places: Iterable[Where]) -> Rows:
    by_part: dict[int, list[Where]] = {}
    for where in places:
        by_part.setdefault(where.part, []).append(where)
    return tuple(_find_row(part, by_part[part]) for part in sorted(by_part))


def _find_row(part: int, places: Sequence[Where]) -> Where:
    """Return the first line of *places*, with the path to what they are all in.

    >>> _find_row(1, [Where("", 4, True, "/3/mtu", 1), Where("", 4, True, "/3/linkinfo/kind", 1)])
    Where(file='', line=4, relative=True, pointer='/3', part=1)
    """
    steps = zip(*(path.split("/") for path in {where.pointer for where in places}), strict=False)
    common = [step[0] for step in takewhile(lambda step: len(set(step)) == 1, steps)]
    return make_place(min(where.line for where in places), part, "/".join(common))


def _describe(value: object, places: list[Where]) -> Hashable:
    """Return what *value* says without its relative places, which are added to *places*: equal for equal values."""
    kind: type = value.__class__
    if kind in _PLAIN:
        return kind, value  # 1, 1.0 and True are equal, and not the same
    if isinstance(value, Where):
        return _describe_place(value, places)
    if isinstance(value, tuple):
        return tuple([_describe(each, places) for each in value])
    read = find_reader(kind)
    if read is None:
        return value
    return kind, *[(name, _describe(each, places)) for name, each in read(value).items()]


def _describe_place(where: Where, places: list[Where]) -> Hashable:
    if not where.relative:
        return where
    places.append(where)
    return _PLACE
