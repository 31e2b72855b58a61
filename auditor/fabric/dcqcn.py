"""DCQCN parameters across vendors: names, units, ranges, defaults and sources."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from auditor.estimate.link import Dcqcn
from auditor.util.regex import regex
from auditor.util.values import dataclass
from auditor.util.yamlfile import data_of

_SUFFIX = regex(r"_P[12]$")
_LINE_RATE = "line rate"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One vendor's parameter; None is an undocumented value, and `up_to_line_rate` a range up to the port's speed.

    `symbol` is that of Zhu et al., Congestion Control for Large-Scale RDMA Deployments (SIGCOMM 2015), or
    words where the paper has no symbol.
    """

    vendor: str
    symbol: str
    unit: str
    least: float | None
    most: float | None
    default: float | None
    up_to_line_rate: bool
    sources: tuple[str, ...]

    def range_at(self, speed_gbps: float | None) -> tuple[float | None, float | None]:
        """Return the hard range on a port of *speed_gbps*; None for an unknown end."""
        line_rate = speed_gbps * 1000 if self.up_to_line_rate and speed_gbps is not None else None
        return self.least, line_rate if self.up_to_line_rate else self.most


@lru_cache
def load_parameters() -> Mapping[tuple[str, str], Parameter]:
    """Return each parameter by its vendor and the name that a tool of the vendor prints, without the port's suffix."""
    found: dict[tuple[str, str], Parameter] = {}
    for vendor in data_of((files("auditor.fabric") / "dcqcn.yaml").read_text(encoding="utf-8")):
        for row in vendor["parameters"]:
            most = row.get("most")
            parameter = Parameter(
                vendor["vendor"],
                row["symbol"],
                row["unit"],
                row.get("least"),
                None if most == _LINE_RATE else most,
                row.get("default"),
                most == _LINE_RATE,
                tuple(vendor["sources"]),
            )
            found |= {(parameter.vendor, name): parameter for name in row["names"]}
    return MappingProxyType(found)


def find_parameter(vendor: str | None, name: str) -> Parameter | None:
    """Return the parameter *name* of *vendor*, None if the table does not have the parameter.

    >>> found = find_parameter("NVIDIA", "RPG_TIME_RESET_P1")
    >>> found and (found.symbol, found.unit, found.default)
    ('T', 'us', 300)
    """
    return load_parameters().get((vendor, _SUFFIX.sub("", name))) if vendor else None


def label_parameter(vendor: str | None, name: str) -> str:
    """Return *name* with the paper's symbol and the unit behind it, where the table has them.

    >>> label_parameter("NVIDIA", "rpg_ai_rate"), label_parameter(None, "rpg_ai_rate")
    ('rpg_ai_rate (R_AI, Mb/s)', 'rpg_ai_rate')
    """
    found = find_parameter(vendor, name)
    return f"{name} ({found.symbol}, {found.unit})" if found else name


_SET: Mapping[str, tuple[str, float]] = {
    "K": ("alpha_timer_s", 1e-6),
    "T": ("increase_timer_s", 1e-6),
    "B": ("byte_counter_bytes", 1),
    "F": ("fast_recovery", 1),
    "R_AI": ("additive_mbps", 1),
    "R_HAI": ("hyper_mbps", 1),
    "least rate": ("least_mbps", 1),
    "target clamped": ("clamp_target", 1),
    "N": ("cnp_interval_s", 1e-6),
}
"""Symbols of the table, the field of `Dcqcn` that they set, and their unit in that of the field."""
_REGISTER = 1024
"""NVIDIA's g is the part of alpha that stays, in this unit."""
_LEAST_TIMER_US = 0.1
_CUT_INTERVAL = "time between cuts"
CNP_INTERVAL = "N"
"""The symbol of the least time between CNPs of a flow."""


def has_cnp_interval(vendor: str | None, names: Iterable[str]) -> bool:
    """Return whether one of the parameters *names* is the least time between CNPs.

    >>> has_cnp_interval("NVIDIA", ["rpg_ai_rate", "min_time_between_cnps"]), has_cnp_interval("NVIDIA", [])
    (True, False)
    """
    return any(found.symbol == CNP_INTERVAL for name in names if (found := find_parameter(vendor, name)))


def sort_by_symbol(vendor: str | None, given: Mapping[str, float]) -> Mapping[str, float]:
    """Return the values of the parameters of *vendor* in the table, by their symbols."""
    return {found.symbol: value for name, value in given.items() if (found := find_parameter(vendor, name))}


def find_cut_interval_us(vendor: str, by_symbol: Mapping[str, float]) -> float:
    """Return the least time between two cuts of a rate: the sender's own, or that between CNPs if it is longer.

    >>> find_cut_interval_us("NVIDIA", {}), find_cut_interval_us("NVIDIA", {CNP_INTERVAL: 32})
    (4, 32)
    """
    defaults = (
        each.default for each in load_parameters().values() if (each.vendor, each.symbol) == (vendor, _CUT_INTERVAL)
    )
    own = by_symbol.get(_CUT_INTERVAL, next(defaults, None) or 0)
    return max(own, by_symbol.get(CNP_INTERVAL, 0))


def make_dcqcn(vendor: str | None, given: Mapping[str, float]) -> Dcqcn | None:
    """Return DCQCN of a sender by its NIC's parameters; None for a vendor whose rate reduction is not documented.

    Parameters that are not given have their default; a timer of 0 is beyond the loss model (None).

    >>> found = make_dcqcn("NVIDIA", {"rpg_ai_rate": 40, "rpg_time_reset": 55, "dce_tcp_g": 1020})
    >>> found and (found.additive_mbps, round(found.increase_timer_s * 1e6), found.gain, found.hyper_mbps)
    (40, 55, 0.00390625, 50)
    >>> make_dcqcn("AMD", {})
    """
    if vendor != "NVIDIA":
        return None
    by_symbol = sort_by_symbol(vendor, given)
    if any(by_symbol.get(timer, 1) < _LEAST_TIMER_US for timer in ("K", "T")):
        return None
    fields: dict[str, Any] = {name: by_symbol[key] * unit for key, (name, unit) in _SET.items() if key in by_symbol}
    cuts = max(find_cut_interval_us(vendor, by_symbol), _LEAST_TIMER_US)
    if "g" in by_symbol:
        fields["gain"] = max(1 - by_symbol["g"] / _REGISTER, 1 / _REGISTER)
    least = max(fields.get("least_mbps", 1.0), 1e-3)
    clamp = bool(fields.get("clamp_target", False))
    return Dcqcn(**{**fields, "least_mbps": least, "clamp_target": clamp}, cut_interval_s=cuts * 1e-6)
