"""Rows that the models allow and that have no effect: idle curves, and ports that the table of headroom leaves out."""

from collections.abc import Iterator, Mapping

from auditor.model.finding import Level, Related
from auditor.model.rows import RowFault
from auditor.model.setting import Known, Unset, value_of
from auditor.systems.sonic.config import Config, PortRows, find_target
from auditor.systems.sonic.lookup import Lookup
from auditor.systems.sonic.musts import COLORS
from auditor.systems.sonic.rows import RowEntry
from auditor.util.natsort import natural

CURVES = "WRED_PROFILE"
_NONE = "ecn_none"
MAX_NAMES = 8
"""Ports that a message names; it counts the rest."""


def list_idle_curves(config: Config) -> Iterator[RowFault]:
    """Yield the profiles with thresholds that enable no colour, and leave one of those colours out.

    SAI's default is off for each (inc/saiwred.h, SAI_WRED_ATTR_GREEN_ENABLE), and `ecnconfig` writes thresholds alone.
    A profile that writes `false` for its colours is off on purpose. Rule CLS005 reports one that no queue uses, if the
    configuration is whole.
    """
    users = {
        find_target(row.body.fields.get("wred_profile", "")) for found in config.ports.values() for row in found.parts
    }
    for name, entry in config.entries.get(CURVES, {}).items():
        colors = [color for color in COLORS if _has_curve(entry, color)]
        told = {f"wred_{color}_enable": entry.get(f"wred_{color}_enable") for color in COLORS}
        absent = [field for color in colors if isinstance(told[field := f"wred_{color}_enable"], Unset)]
        is_off = all(isinstance(each, Unset) or value_of(each) == "false" for each in told.values())
        ecn = entry.get("ecn")
        if not absent or not is_off or not (isinstance(ecn, Unset) or value_of(ecn) == _NONE):
            continue
        if config.complete and name not in users:
            continue
        marks = " and marks nothing (no ecn)" if isinstance(ecn, Unset) else f" and marks nothing ({_NONE})"
        message = f"{CURVES} {name} has thresholds, but no {' or '.join(absent)}: it drops nothing{marks}"
        yield RowFault(f"{CURVES}|{name}", message, entry.place(f"{colors[0]}_max_threshold"))


def _has_curve(entry: RowEntry, color: str) -> bool:
    return any(isinstance(entry.get(f"{color}_{end}_threshold"), Known) for end in ("min", "max"))


def list_left_out(config: Config, lookup: Lookup) -> Iterator[RowFault]:
    """Yield, for each speed and cable length without a line in *lookup*, the ports that pause and need the headroom.

    The traditional buffer model makes the profile of such a port by that table (sonic-net/sonic-swss,
    cfgmgr/buffermgr.cpp, doSpeedUpdateTask); a port with a row of its own in BUFFER_PG has its headroom from there.
    """
    metadata = config.metadata
    if metadata and value_of(metadata.get("buffer_model")) == "dynamic":
        return
    missing: dict[tuple[str, str], list[str]] = {}
    for name in sorted(config.ports, key=natural):
        speed, cable = _find_speed(config.ports[name]), _find_cable(config.ports[name])
        needs = speed.isdecimal() and cable.isdecimal() and int(cable) > 0 and _needs_headroom(config.ports[name])
        if needs and lookup.row(int(speed), int(cable)) is None:
            missing.setdefault((speed, cable), []).append(name)
    for (speed, cable), names in missing.items():
        place = next(row for row in config.ports[names[0]].parts if row.table == "CABLE_LENGTH").place("length")
        others = f" and {len(names) - MAX_NAMES} more" if len(names) > MAX_NAMES else ""
        message = (
            f"pg_profile_lookup.ini has no line for speed {speed} and cable length {cable}m, which "
            f"{', '.join(names[:MAX_NAMES])}{others} would need for a lossless PG profile"
        )
        first = next(iter(lookup.rows.values()), None)
        related = (Related("the table begins here", first.where),) if first else ()
        yield RowFault(f"{speed} {cable}m", message, place, Level.ERROR, related)


def _find_text(rows: PortRows, table: str, name: str) -> str:
    entry = rows.own.get(table)
    return (value_of(entry.get(name)) or "") if entry else ""


def _find_speed(rows: PortRows) -> str:
    return _find_text(rows, "PORT", "speed")


def _find_cable(rows: PortRows) -> str:
    return _find_text(rows, "CABLE_LENGTH", "length").removesuffix("m")


def _needs_headroom(rows: PortRows) -> bool:
    """Return whether a port is up and pauses a priority that no row of BUFFER_PG serves."""
    paused = _find_text(rows, "PORT_QOS_MAP", "pfc_enable").split(",")
    served: Mapping[int, object] = rows.items.get("BUFFER_PG", {})
    is_up = _find_text(rows, "PORT", "admin_status") != "down"
    return is_up and any(each.isdecimal() and int(each) not in served for each in paused)
