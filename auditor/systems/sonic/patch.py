"""JSON patches (`config apply-patch`) as the rows that they add and take back."""

from collections.abc import Sequence
from typing import Any

from auditor.systems.sonic.document import Members
from auditor.systems.sonic.vocabulary import TABLES
from auditor.util.regex import regex
from auditor.util.values import dataclass

_SCOPE = regex(r"localhost|asic\d{1,2}")
_ADDS = frozenset({"add", "replace"})
_MEMBERS = frozenset({"op", "path", "value", "from"})
SIGN = regex(r'"path"\s*+:\s*+"/(?:(?:localhost|asic\d{1,2})/)?(?P<name>' + "|".join(TABLES) + r')(?:/[^"]*+)?"')


@dataclass(frozen=True, slots=True)
class PatchStep:
    """A step of a patch: table, key and field of its path, None where the path ends above, and whether it adds."""

    table: str
    key: str | None
    field: str | None
    adds: bool


def read_step(value: object) -> PatchStep | None:
    """Return the step that a JSON object is (RFC 6902), None if the object is no step on a known table.

    >>> read_step(Members([("op", "remove"), ("path", "/QUEUE/Ethernet0~1x|3/scheduler")]))
    PatchStep(table='QUEUE', key='Ethernet0/x|3', field='scheduler', adds=False)
    >>> read_step(Members([("op", ["remove"]), ("path", "/QUEUE")]))
    """
    if not isinstance(value, Members) or not {name for name, _ in value} <= _MEMBERS:
        return None
    told: dict[str, Any] = dict(value)
    verb, path = told.get("op"), told.get("path")
    if not isinstance(verb, str) or not isinstance(path, str) or not path.startswith("/"):
        return None
    if verb not in _ADDS | {"remove"}:
        return None
    parts = [part.replace("~1", "/").replace("~0", "~") for part in path[1:].split("/")]
    if _SCOPE.fullmatch(parts[0]):
        parts = parts[1:]
    return _make_step(parts, adds=verb in _ADDS)


_LONGEST_PATH = 3


def _make_step(parts: Sequence[str], *, adds: bool) -> PatchStep | None:
    if not parts or parts[0] not in TABLES:
        return None
    key, field = (*parts[1:_LONGEST_PATH], None, None)[:2]
    return PatchStep(parts[0], key, field, adds)
