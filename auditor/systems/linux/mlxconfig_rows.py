"""Lines of `mlxconfig q`, and the values in its rows, each distinct line read once."""

import re
from enum import Enum, auto
from functools import lru_cache

from auditor.systems.linux import text
from auditor.util.memo import remember
from auditor.util.regex import regex
from auditor.util.values import dataclass

_HEAD = regex(r"Configurations:(.*)")
_DEVICE = regex(r"Device:\s*(\S+)")
_TYPE = regex(r"Device type:\s*(\S.*)")
_ABOUT = regex(r"(?:Name|Description|Device #\d{1,4}|Versions?|Base MAC|Base GUID)\s*:.*|-+|The '\*' shows.*")
_ROW = regex(r"(?:\*\s*)?(?:RO\s+)?([A-Z][A-Z0-9_]*(?:\[[0-9.]+\])?)((?:\s+\S+){1,12})")
_VALUE = regex(r"([^()]*)\((\d{1,10})\)|(\d{1,10})|0x([0-9A-Fa-f]{1,8})")
DCQCN = regex(
    r"(?:RPG_[A-Z_]+|RATE_TO_SET_ON_FIRST_CNP|DCE_TCP_G|DCE_TCP_RTT|RATE_REDUCE_MONITOR_PERIOD|INITIAL_ALPHA_VALUE"
    r"|MIN_TIME_BETWEEN_CNPS|CLAMP_TGT_RATE(?:_AFTER_TIME_INC)?)(?:_P[12])?"
)
LABELS = ("Default", "Current", "Next Boot")
_MOST_ROWS = 2048  # of one card, and of others with other values


class LineKind(Enum):
    """What a line is."""

    HEAD = auto()
    DEVICE = auto()
    TYPE = auto()
    ROW = auto()
    ABOUT = auto()
    OTHER = auto()


@dataclass(frozen=True, slots=True)
class Line:
    """A line: the name in it, and the values or, of a head, the columns."""

    kind: LineKind
    name: str = ""
    values: tuple[str, ...] = ()


@remember
def sort_line(line: str) -> Line:
    """Return what a line says; the NICs of a host, and the hosts of a fleet, have most of their lines in common."""
    if head := _HEAD.fullmatch(line):
        return Line(LineKind.HEAD, "", tuple(label for label in LABELS if label in head[1]) or ("Next Boot",))
    if named := _DEVICE.fullmatch(line):
        return Line(LineKind.DEVICE, named[1])
    if kind := _TYPE.fullmatch(line):
        return Line(LineKind.TYPE, kind[1])
    if (row := _ROW.fullmatch(line)) and not text.is_error(line):
        return Line(LineKind.ROW, row[1], tuple(row[2].split()))
    return Line(LineKind.ABOUT if _ABOUT.fullmatch(line) else LineKind.OTHER)


@dataclass(frozen=True, slots=True)
class Row:
    """The values of a row that the model keeps; None for those that it does not.

    `expected` is the form of the values where they have another one, `is_kept` says that the running value counts.
    """

    value: str = ""
    planned: str | None = None
    pending: str | None = None
    changed: str | None = None
    is_kept: bool = False
    expected: str = ""

    @property
    def is_told(self) -> bool:
        """Whether the model keeps any of the values."""
        return self.is_kept or not (self.planned is self.pending is self.changed is None)


@lru_cache(maxsize=_MOST_ROWS)
def read_row(line: Line, columns: tuple[str, ...]) -> Row:
    """Return the values of a row below *columns*."""
    name, is_kept = line.name, _is_kept(line.name)
    if len(line.values) != len(columns):
        return Row(expected=f"values for {', '.join(columns)}" if is_kept else "")
    by_label = dict(zip(columns, line.values, strict=True))
    value = by_label.get("Current") or by_label.get("Next Boot") or line.values[0]
    if is_kept and parse_number(value) not in _find_range(name):
        return Row(expected="a number, or a word with its number in parentheses, in the parameter's range")
    planned = by_label.get("Next Boot", value)
    is_scalar = not value.startswith("Array[")
    return Row(
        value,
        None if planned.startswith("Array[") else planned,
        by_label["Next Boot"] if is_scalar and by_label.get("Next Boot", value) != value else None,
        by_label["Default"] if is_scalar and by_label.get("Default", value) != value else None,
        is_kept,
    )


_KEPT = {
    "ROCE_CC_PRIO_MASK": range(256),
    "CNP_DSCP": text.DSCPS,
    "CNP_802P_PRIO": text.PRIORITIES,
    "ROCE_CC_ALGORITHM": range(256),
    "USER_PROGRAMMABLE_CC": range(2),
    "ROCE_CC_LEGACY_DCQCN": range(2),
    "LINK_TYPE": range(16),
    "CNP_DSCP_MODE": range(4),
    "ROCE_RTT_RESP_DSCP": text.DSCPS,
    "ROCE_RTT_RESP_DSCP_MODE": range(4),
    "ROCE_ADAPTIVE_ROUTING_EN": range(2),
    "LLDP_NB_DCBX": range(2),
    "LLDP_NB_TX_MODE": range(4),
    "DCBX_WILLING": range(2),
    "NUM_OF_TC": range(16),
    "NUM_OF_PFC": range(9),
    "ATS_ENABLED": range(2),
    "INTERNAL_CPU_MODEL": range(2),
    "INTERNAL_CPU_OFFLOAD_ENGINE": range(2),
}
_WORDS = {"TRUE": 1, "FALSE": 0, "IB": 1, "ETH": 2}


def _strip_port(name: str) -> str:
    return re.sub(r"_P[12]$", "", name)


def _is_kept(name: str) -> bool:
    return _strip_port(name) in _KEPT or bool(DCQCN.fullmatch(name))


def _find_range(name: str) -> range:
    return _KEPT.get(_strip_port(name), range(2**32))


def parse_number(value: str) -> int:
    """Return the number of *value*; -1 without a number."""
    match = _VALUE.fullmatch(value)
    if not match:
        return _WORDS.get(value.upper(), -1)
    return int(match[4], 16) if match[4] else int(match[2] or match[3])
