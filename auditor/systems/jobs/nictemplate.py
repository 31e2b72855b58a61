"""NicConfigurationTemplate of the NVIDIA network operator: settings of NICs that are optimised for RoCE.

The operator sets its documented default for each setting that a template leaves out.
"""

from collections.abc import Iterator
from typing import TypeVar

from auditor.grammar.numbers import expand
from auditor.model.dump import Doubt
from auditor.model.jobs import IdleTemplate, NicTemplate
from auditor.model.qos import Trust
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Unknown, Where
from auditor.systems.jobs.manifest import ManifestObject
from auditor.systems.jobs.tree import Value
from auditor.util.redact import redact
from auditor.util.regex import regex
from auditor.util.values import dataclass

T = TypeVar("T")
KIND = "NicConfigurationTemplate"
REFERENCE = "https://docs.nvidia.com/networking/display/kubernetes2611/nic-conf-operator/configuration-details.html"
_TRUSTS = {"dscp": Trust.DSCP, "trust-dscp": Trust.DSCP, "pcp": Trust.PCP, "trust-pcp": Trust.PCP}
_BITS = regex(r"(?:[01],){7}[01]")
_TYPE = regex(r"[0-9a-f]{4}")
_CNP = regex(r"CNP_DSCP_P\d")
_SET_BY_OPERATOR = (Trust.DSCP, (3,), 0, 4)
"""Trust, PFC priorities, ToS and the DSCP of CNPs."""


def read_template(found: ManifestObject, doubts: list[Doubt]) -> Iterator[NicTemplate]:
    """Yield the settings of a template for RoCE; a bad value is unknown, and a doubt."""
    spec = found.root.at("spec", "template")
    optimised = spec["roceOptimized"]
    if (optimised["enabled"].text or "").lower() != "true" or found.root.at("spec", "resetToDefault").text == "true":
        return
    where = found.where(optimised["enabled"])
    qos = optimised["qos"]
    read = _Reader(found, doubts, where)
    trust, priorities, tos, cnp = _SET_BY_OPERATOR
    yield NicTemplate(
        found.name,
        where,
        read(qos["trust"], _TRUSTS.get(qos["trust"].text or ""), trust, "dscp or pcp"),
        read(qos["pfc"], _parse_priorities(qos["pfc"].text), priorities, "0 or 1 for each priority"),
        read(qos["tos"], _parse_whole(qos["tos"].text, 255), tos, "a ToS of 0 to 255"),
        _find_cnp_dscp(found, spec["rawNvConfig"], cnp, where),
        _read_type(found, found.root.at("spec", "nicSelector")["nicType"]),
    )


def read_idle(found: ManifestObject) -> Iterator[IdleTemplate]:
    """Yield a template that holds settings for RoCE and does not optimise it."""
    optimised = found.root.at("spec", "template")["roceOptimized"]
    named = tuple(optimised["qos"].entries)
    if named and (optimised["enabled"].text or "").lower() == "false":
        yield IdleTemplate(found.name, found.where(optimised["enabled"]), named)


def _read_type(found: ManifestObject, value: Value) -> Setting[str]:
    text = (value.text or "").lower().removeprefix("0x")
    return Known(text, Origin.INTENDED, found.where(value)) if _TYPE.fullmatch(text) else NOT_COLLECTED


@dataclass(frozen=True, slots=True)
class _Reader:
    """A reader of fields of a template; `silent` is the place of missing fields."""

    found: ManifestObject
    doubts: list[Doubt]
    silent: Where

    def __call__(self, field: Value, value: T | None, default: T, expected: str) -> Setting[T]:
        """Return *value*; *default* if *field* is missing, unknown if *value* is None."""
        if not field:
            return Known(default, Origin.DEFAULT, self.silent, REFERENCE)
        where = self.found.where(field)
        if value is None:
            line = redact(self.found.capture.lines[field.line].strip())[:200]
            self.doubts.append(Doubt(where, line, f"expected {expected}"))
            return Unknown(f"{self.found.name}: expected {expected}")
        return Known(value, Origin.INTENDED, where)


def _parse_priorities(text: str | None) -> tuple[int, ...] | None:
    """Return the priorities of a list such as `0,0,0,1,0,0,0,0`.

    >>> _parse_priorities("0,0,0,1,0,0,0,0"), _parse_priorities("3")
    ((3,), None)
    """
    bits = (text or "").replace(" ", "")
    return tuple(at for at, bit in enumerate(bits.split(",")) if bit == "1") if _BITS.fullmatch(bits) else None


def _parse_whole(text: str | None, most: int) -> int | None:
    numbers = expand(text or "", 0, most)
    return numbers[0] if numbers and len(numbers) == 1 else None


def _find_cnp_dscp(found: ManifestObject, raw: Value, default: int, silent: Where) -> Setting[int]:
    """Return the DSCP of CNPs: raw parameters of the firmware win; unknown if ports differ."""
    own = [each for each in raw.items if _CNP.fullmatch(each["name"].text or "")]
    values = {_parse_whole(each["value"].text, 63) for each in own}
    if not own:
        return Known(default, Origin.DEFAULT, silent, REFERENCE)
    value = values.pop() if len(values) == 1 else None
    where = found.where(own[0]["value"])
    return NOT_COLLECTED if value is None else Known(value, Origin.INTENDED, where)
