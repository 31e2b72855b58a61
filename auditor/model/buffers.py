"""Ingress buffers: priority groups with their headroom, and the pools they draw from."""

from enum import StrEnum

from auditor.model.setting import NOT_COLLECTED, Setting
from auditor.util.values import dataclass


class HeadroomSource(StrEnum):
    """Who sizes the headroom: the configuration, or the switch from speed and cable length."""

    CONFIGURED = "configured"
    GENERATED = "generated"


@dataclass(frozen=True, slots=True)
class PriorityGroup:
    """One ingress priority group (input buffer); sizes in bytes.

    `paused_for` are the priorities that it pauses when it fills.
    `xoff_bytes` is the headroom above the pause threshold; `alpha` the dynamic threshold's factor as a number;
    `size_bytes` is as written, and what it covers differs per vendor. `made_for_gbps` and `made_for_cable_m` are the
    speed and the longest cable that its headroom was worked out for, where its profile's name or the vendor says so.
    """

    pg: int
    priorities: Setting[tuple[int, ...]] = NOT_COLLECTED
    paused_for: Setting[tuple[int, ...]] = NOT_COLLECTED
    lossless: Setting[bool] = NOT_COLLECTED
    reserved_bytes: Setting[int] = NOT_COLLECTED
    size_bytes: Setting[int] = NOT_COLLECTED
    xon_bytes: Setting[int] = NOT_COLLECTED
    xon_offset_bytes: Setting[int] = NOT_COLLECTED
    xoff_bytes: Setting[int] = NOT_COLLECTED
    headroom_source: Setting[HeadroomSource] = NOT_COLLECTED
    alpha: Setting[float] = NOT_COLLECTED
    static_threshold_bytes: Setting[int] = NOT_COLLECTED
    pool: Setting[str] = NOT_COLLECTED
    made_for_gbps: Setting[float] = NOT_COLLECTED
    made_for_cable_m: Setting[float] = NOT_COLLECTED


@dataclass(frozen=True, slots=True)
class Pool:
    """A buffer pool of a device; `direction` is `ingress`, `egress` or `both`, `mode` `dynamic` or `static`.

    `memory_percent` is its share of the switch's buffer, where that is how its size is written.
    """

    name: str
    direction: str
    lossless: Setting[bool] = NOT_COLLECTED
    size_bytes: Setting[int] = NOT_COLLECTED
    memory_percent: Setting[float] = NOT_COLLECTED
    shared_headroom_bytes: Setting[int] = NOT_COLLECTED
    mode: Setting[str] = NOT_COLLECTED
