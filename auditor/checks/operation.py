"""What outputs show as in operation against what the configuration sets."""

from collections.abc import Iterable, Iterator, Sequence

from auditor.checks.base import Context, Params
from auditor.model.device import Device, StateDifference
from auditor.model.finding import Finding, Related

_SHOWN = 4
"""Ports that a message names."""


def list_differing(device: Device, _context: Context) -> Iterable[tuple[StateDifference, ...]]:
    """Return the differences of a device, those of several ports in the same values together.

    A device of which outputs show values as they are configured is one empty object.
    """
    if device.differences is None:
        return ()
    groups: dict[tuple[str, str, str], list[StateDifference]] = {}
    for each in device.differences:
        groups.setdefault((each.what, each.shown, each.written), []).append(each)
    return tuple(map(tuple, groups.values())) or ((),)


def operation_differs(given: Sequence[StateDifference], _params: Params, _context: Context) -> Iterator[Finding]:
    """A value was changed and not written down, or the switch did not take what is written."""
    if not given:
        return
    first, *others = given
    ports = [each.port for each in given if each.port]
    more = f" and {len(ports) - _SHOWN} more ports" if len(ports) > _SHOWN else ""
    at = f" at {', '.join(ports[:_SHOWN])}{more}" if len(ports) > 1 else ""
    related = [Related("the configuration", first.written_at)] if first.written_at else []
    related += [Related("shown here, too", each.shown_at, is_alike=True) for each in others]
    yield Finding(
        f"{first.what}: {first.shown} in operation{at}, but {first.written} by the configuration",
        first.shown_at,
        key=f"{first.what} {first.port}",
        related=tuple(related),
        port=first.port,
    )
