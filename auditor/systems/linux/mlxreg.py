"""`mlxreg --get` (and `mstreg`): the registers ROCE_ACCL and PPCC, as NVIDIA's mstflint describes their fields.

PPCC asks the firmware about programmable congestion control: `cmd_type` 0x10 which of the 16 slots hold an algorithm,
0x3 whether the algorithm in one slot runs.
"""

import re
from collections.abc import Iterator

from auditor.model.dump import Capture
from auditor.model.nic import Nic
from auditor.model.setting import NOT_COLLECTED, Known, Origin
from auditor.systems.linux import text
from auditor.systems.linux.command import Command, read_nothing
from auditor.systems.linux.evidence import Call, Events, PortFact, Rank
from auditor.systems.linux.facts import make_nic_port
from auditor.systems.linux.fetch import MLX, NETDEV, SCRIPT, Fetch
from auditor.systems.linux.marks import mark_ignored, mark_modelled, mark_not_modelled
from auditor.util.regex import regex

_FIELD = regex(r"(\w+(?:\[\d{1,3}\])?)\s*\|\s*(\S+)")
_HEX = regex(r"0x[0-9A-Fa-f]{1,8}")
_OTHER_SWITCHES = frozenset({"cc_probe_mp_mode", "min_ack_timeout_limit_disabled"})
"""Switches of ROCE_ACCL whose names do not end in `_en`."""
_SELECT = "_field_select"
_ASKED = regex(r"(cmd_type|algo_slot)\W{1,3}(0x[0-9A-Fa-f]{1,8}|\d{1,3})\b")
_SLOTS = range(16)
_STATUS, _PRESENCE = 0x3, 0x10
RUNS, IS_OFF, IS_PRESENT, IS_ABSENT = "runs", "off", "present", "absent"


def read_accelerations(capture: Capture, call: Call) -> Events:
    """Yield the register ROCE_ACCL: adaptive routing, and the accelerations for fabrics that lose packets.

    A switch that is 0, as its `field_select`, is not supported, rather than off.
    """
    switches: dict[str, Known[bool]] = {}
    fields: dict[str, int] = {}
    for index, name, number in _list_fields(capture):
        is_switch = name.endswith("_en") or name in _OTHER_SWITCHES
        if number is None and is_switch:
            yield text.make_doubt(capture, index, "a hexadecimal number")
        elif number is None:
            yield mark_ignored(index)
        elif is_switch:
            switches[name] = Known(bool(number), Origin.LEARNED, capture.where(index))
            yield mark_modelled(index)
        else:
            fields[name] = number
            yield mark_not_modelled(index)
    supported = {name: switch for name, switch in switches.items() if switch.value or _is_supported(name, fields)}
    first = next(iter(supported.values()), None)
    nic = Nic(
        adaptive_routing=supported.get("adaptive_routing_forced_en", NOT_COLLECTED),
        accelerations=Known(supported, Origin.LEARNED, first.where) if first else NOT_COLLECTED,
    )
    yield PortFact(call.subject, make_nic_port(nic, capture.where(0)))


def _is_supported(name: str, fields: dict[str, int]) -> bool:
    """Return whether the firmware supports switch *name*: older releases leave out `_en` before `_field_select`."""
    return 0 not in (fields.get(f"{name}{_SELECT}"), fields.get(f"{name.removesuffix('_en')}{_SELECT}"))


def read_algorithms(capture: Capture, call: Call) -> Events:
    """Yield what the register PPCC says of the slots for algorithms of congestion control."""
    asked = {name: int(value, 0) for name, value in _ASKED.findall(call.text)}
    fields = [each for each in _list_fields(capture) if each[2] is not None]
    asked |= {name: number for _, name, number in fields if name in {"cmd_type", "algo_slot"} and number is not None}
    slots: dict[str, Known[str]] = {}
    for index, name, number in _list_fields(capture):
        slot, told = _tell_slot(asked, name, number)
        if told:
            slots[slot] = Known(told, Origin.LEARNED, capture.where(index))
            yield mark_modelled(index)
        elif number is None:
            yield mark_ignored(index)
        else:
            yield mark_modelled(index) if name in asked else mark_not_modelled(index)
    nic = Nic(cc_slots=Known(slots, Origin.LEARNED, next(iter(slots.values())).where) if slots else NOT_COLLECTED)
    rank = Rank.RUNNING if asked.get("cmd_type") == _STATUS else Rank.FALLBACK  # a status says more than presence
    yield PortFact(call.subject, make_nic_port(nic, capture.where(0)), rank=rank)


def _tell_slot(asked: dict[str, int], name: str, number: int | None) -> tuple[str, str]:
    """Return the slot that a field is about and what the field says of it; empty texts for other fields."""
    command, element = asked.get("cmd_type"), re.fullmatch(r"text\[(\d{1,3})\]", name)
    if number is None:
        return "", ""
    if command == _STATUS and name == "value" and asked.get("algo_slot") in _SLOTS:
        return str(asked["algo_slot"]), RUNS if number else IS_OFF
    if command == _PRESENCE and element and int(element[1]) in _SLOTS:
        return element[1], IS_PRESENT if number else IS_ABSENT
    return "", ""


def _list_fields(capture: Capture) -> Iterator[tuple[int, str, int | None]]:
    """Yield line, name and number of each field; an empty name for other lines, no number for another value."""
    for index, line in text.list_lines(capture):
        match = _FIELD.fullmatch(line)
        if match:
            yield index, match[1], int(match[2], 16) if _HEX.fullmatch(match[2]) else None
        elif not text.is_error(line):
            yield index, "", None


_TOOL = r"m(?:lx|st)reg(?: -d {device}| --get| -g| -y| --yes"

COMMANDS = (
    Command(
        "mlxreg[ -d {device}] --get --reg_name ROCE_ACCL",
        rf"{_TOOL}| --reg_name ROCE_ACCL)*",
        read_accelerations,
        ("config.nic.adaptive_routing", "config.nic.accelerations"),
        r"^(?:roce_adp_retrans|adaptive_routing_forced)\w* +\|",
        "adaptive routing, adaptive retransmission, selective repeat, transmission window, slow restart, planes",
        fetch=(
            Fetch(
                ("mlxreg -d {pci} --get --reg_name ROCE_ACCL",), "adaptive routing", NETDEV, drivers=MLX, is_root=True
            ),
        ),
    ),
    Command(
        "mlxreg[ -d {device}] --get --reg_name PPCC",
        rf"{_TOOL}| --reg_name PPCC| --(?:op|indexes) \S+)*",
        read_algorithms,
        ("config.nic.cc_slots",),
        r"^algo_slot +\| 0x",
        "which algorithms of programmable congestion control are there, and which run",
        fetch=(
            *(
                Fetch(
                    (f"mlxreg -d {{pci}} --get --reg_name PPCC --op cmd_type={command} --indexes {_indexes}",),
                    why,
                    NETDEV,
                    drivers=MLX,
                    is_root=True,
                    by=SCRIPT,
                )
                for command, _indexes, why in (
                    ("0x10", "local_port=1,pnat=0,lp_msb=0,algo_slot=0", "algorithms of congestion control"),
                    ("0x3", "local_port=1,pnat=0,lp_msb=0,algo_slot=0", "whether the algorithm in slot 0 runs"),
                    ("0x3", "local_port=1,pnat=0,lp_msb=0,algo_slot=15", "whether the algorithm in slot 15 runs"),
                )
            ),
        ),
    ),
    Command("mlxreg", r"m(?:lx|st)reg .+", read_nothing),
)
