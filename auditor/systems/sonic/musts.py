"""The conditions of SONiC's models that join several fields or rows, each a function of one row."""

from collections.abc import Iterator

from auditor.systems.sonic.config import find_target
from auditor.systems.sonic.schema import ModelRow, Refusal

COLORS = ("green", "yellow", "red")
_LINE_CARDS = frozenset({"voq", "chassis-packet", "fabric"})
_MULTI_ASIC = frozenset({"msft_four_asic_vs", "msft_multi_asic_vs"})
_GLOBAL = "GLOBAL"
_MARK_GREEN = frozenset({"ecn_all", "ecn_green", "ecn_green_yellow", "ecn_green_red"})
_DIGITS = 9


def need_port_fields(row: ModelRow) -> Iterator[Refusal]:
    """Yield a port without lanes or speed (sonic-port.yang); the ports of a chassis as a whole need no lanes.

    Releases that read both from the platform's port_config.ini have them in no row of PORT: their ports need none.
    """
    ports = row.tables.get("PORT", {}).values()
    whole_chassis = row.host("asic_name") is None and (
        row.host("switch_type") in _LINE_CARDS or row.host("hwsku") in _MULTI_ASIC
    )
    for name in ("lanes", "speed"):
        is_needed = row.whole and not (name == "lanes" and whole_chassis)
        if is_needed and name not in row.fields and any(name in fields for fields in ports):
            yield "", f"the row has no {name}, which each port needs"


def check_range(row: ModelRow) -> Iterator[Refusal]:
    """Yield a range that does not begin below its end (sonic-net/sonic-swss, orchagent/orch.cpp, parseIndexRange)."""
    low, dash, high = row.key.rpartition("|")[2].partition("-")
    if dash and low.isdecimal() and high.isdecimal() and int(low[:_DIGITS]) >= int(high[:_DIGITS]):
        yield "", "a range begins below its end"


def check_advertised(row: ModelRow) -> Iterator[Refusal]:
    """Yield the word `all` beside other values that are advertised (sonic-port.yang, PORT_LIST)."""
    for name in ("adv_speeds", "adv_interface_types"):
        parts = [part.strip() for part in row.fields.get(name, "").split(",")]
        if "all" in parts and len(parts) > 1:
            yield name, "all stands alone, without other values"


def check_channel(row: ModelRow) -> Iterator[Refusal]:
    """Yield a member of a port channel that a whole configuration does not define (sonic-portchannel.yang)."""
    channels = row.tables.get("PORTCHANNEL", {})
    name = row.key.partition("|")[0]
    if row.whole and channels and name not in channels:
        yield "", f"the table PORTCHANNEL has no {name[:160]}"


def need_size(row: ModelRow) -> Iterator[Refusal]:
    """Yield a profile without a size, unless the switch calculates its headroom.

    sonic-buffer-profile.yang wants a size of all; `config buffer profile add` (sonic-net/sonic-utilities,
    config/main.py, update_profile) writes none for a profile of dynamic headroom.
    """
    if row.whole and "size" not in row.fields and row.fields.get("headroom_type") != "dynamic":
        yield "", "the row has no size, which each profile needs"


def check_percentage(row: ModelRow) -> Iterator[Refusal]:
    """Yield a share of the buffer outside the dynamic buffer model (sonic-buffer-pool.yang, percentage).

    The model also refuses a share beside a size; there the dynamic model takes the size, and the share does no harm.
    """
    if row.whole and "percentage" in row.fields and row.host("buffer_model") != "dynamic":
        beside = ", and none beside a size" if "size" in row.fields else ""
        yield "percentage", f"only a pool of the dynamic buffer model has a percentage{beside}"


def check_thresholds(row: ModelRow) -> Iterator[Refusal]:
    """Yield a curve that ends before it begins, or has no beginning (sonic-wred-profile.yang, max thresholds)."""
    for color in COLORS[_is_bound(row) :]:
        low, high = row.number(f"{color}_min_threshold"), row.number(f"{color}_max_threshold")
        name = f"{color}_max_threshold"
        if high is not None and low is not None and high < low:
            yield name, f"it is below {color}_min_threshold {low}"
        elif high is not None and row.whole and f"{color}_min_threshold" not in row.fields:
            yield name, f"it needs a {color}_min_threshold"


def _is_bound(row: ModelRow) -> bool:
    """Return whether a queue marks green packets by this profile: rule ECN003 then judges the curve."""
    users = (find_target(fields.get("wred_profile", "")) for fields in row.tables.get("QUEUE", {}).values())
    return row.fields.get("ecn") in _MARK_GREEN and row.key in users


def check_rates(row: ModelRow) -> Iterator[Refusal]:
    """Yield a peak without a committed rate or burst, or below it (sonic-scheduler.yang, pir, cbs, pbs)."""
    for name, base in (("pir", "cir"), ("cbs", "cir"), ("pbs", "pir")):
        if row.whole and row.number(name) is not None and not row.number(base):
            yield name, f"it needs a {base} above 0"
    for name, base in (("pir", "cir"), ("pbs", "cbs")):
        high, low = row.number(name), row.number(base)
        if high is not None and low and high < low:
            yield name, f"it is below {base} {low}"


def check_watchdog(row: ModelRow) -> Iterator[Refusal]:
    """Yield times of the watchdog in the wrong row, or shorter than its polling (sonic-pfcwd.yang)."""
    if row.key == _GLOBAL:
        for name in ("action", "detection_time", "restoration_time", "pfc_stat_history"):
            if name in row.fields:
                yield name, "it belongs in the row of a port"
        return
    if "POLL_INTERVAL" in row.fields:
        yield "POLL_INTERVAL", f"it belongs in the row {_GLOBAL}"
    if row.tables.get("PORT_QOS_MAP", {}).get(row.key, {}).get("pfc_enable"):
        return  # rule WDG002 holds the times of a port that pauses against the polling
    general = ModelRow(_GLOBAL, row.tables.get("PFC_WD", {}).get(_GLOBAL, {}), row.tables)
    polling = general.number("POLL_INTERVAL")
    for name in ("detection_time", "restoration_time"):
        time = row.number(name)
        if polling is not None and time is not None and time < polling:
            yield name, f"it is below POLL_INTERVAL {polling}"
