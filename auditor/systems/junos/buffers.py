"""The parts of the shared buffer as pools."""

from collections.abc import Iterator

from auditor.model.buffers import Pool
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Unknown, Unset, value_of
from auditor.systems.junos.definitions import NOTHING, Cos

_SIZE = Unknown("the size is written as a share of the shared buffer, whose size the dump does not show")


def list_pools(cos: Cos) -> Setting[tuple[Pool, ...]]:
    """Return the partitions of the shared buffer; without a configuration they are unknown."""
    if not cos.partitions:
        return NOT_COLLECTED
    found = tuple(
        Pool(
            name=f"{part.direction} {part.name}",
            direction=part.direction,
            lossless=Known(part.name.startswith("lossless"), Origin.INTENDED, part.where),
            size_bytes=Known(0, Origin.INTENDED, part.where) if value_of(part.percent) == 0 else _SIZE,
            memory_percent=part.percent,
            mode=Known("dynamic", Origin.INTENDED, part.where) if not isinstance(part.threshold, Unset) else NOTHING,
        )
        for part in cos.partitions
    )
    return Known((*found, *_list_empty(cos)), Origin.INTENDED, cos.partitions[0].where)


def _list_empty(cos: Cos) -> Iterator[Pool]:
    """Yield the lossless partitions that are not written, where the written ones leave nothing to them."""
    for direction in ("ingress", "egress"):
        written = [part for part in cos.partitions if part.direction == direction]
        total = sum(value_of(part.percent) or 0 for part in written)
        if total >= _ALL and not any(part.name == "lossless" for part in written):
            nothing = Known(0.0, Origin.INTENDED, written[-1].where, TOTAL_PAGE)
            kept = Known(value=True, origin=Origin.DEFAULT)
            yield Pool(f"{direction} lossless", direction, kept, size_bytes=_SIZE, memory_percent=nothing)


_ALL = 100
TOTAL_PAGE = (
    "https://juniper.net/documentation/us/en/software/junos/cli-reference/topics/ref/statement/"
    "buffer-partition-edit-class-of-service-egress-qfx-series.html"
)
"""The partitions of a direction total 100 percent."""
