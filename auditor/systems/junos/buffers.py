"""The parts of the shared buffer as pools."""

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
    return Known(found, Origin.INTENDED, cos.partitions[0].where)
