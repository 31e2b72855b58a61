"""`ethtool -m`, `--show-priv-flags` and `-k`: the cable, the firmware's LLDP agent, and offloads."""

import re

from auditor.model.dump import Capture
from auditor.model.nic import Nic
from auditor.model.port import PortConfig
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting
from auditor.systems.linux import text
from auditor.systems.linux.command import Command, read_nothing
from auditor.systems.linux.evidence import Call, Events, PortFact, Strength
from auditor.systems.linux.facts import make_nic_port, make_port
from auditor.systems.linux.fetch import NETDEV, Fetch
from auditor.systems.linux.marks import mark_ignored, mark_modelled, mark_not_modelled

_FIELD = re.compile(r"([^:]+):\s*(.*)")
_LENGTH = re.compile(r"(\d{1,5}(?:\.\d{1,3})?) ?m")
_CABLE_LENGTHS = frozenset({"cable assembly length", "length (copper or active cable)", "length (copper)"})


def read_module(capture: Capture, call: Call) -> Events:
    """Yield the length of a cable with fixed ends; no module knows the length of a fibre between two transceivers."""
    length: Setting[float] = NOT_COLLECTED
    for index, line in text.list_lines(capture):
        match = _FIELD.fullmatch(line)
        metres = _LENGTH.fullmatch(match[2]) if match and match[1].strip().lower() in _CABLE_LENGTHS else None
        if metres:
            if float(metres[1]):
                length = Known(float(metres[1]), Origin.LEARNED, capture.where(index))
            yield mark_modelled(index)
        elif match:
            yield mark_not_modelled(index)
    yield PortFact(call.subject, make_port(PortConfig(cable_length_m=length), capture.where(0)), Strength.NIC)


def read_private_flags(capture: Capture, call: Call) -> Events:
    """Yield whether the firmware's LLDP agent runs: `fw-lldp-agent` of Intel, `disable-fw-lldp` of older drivers."""
    agent: Setting[bool] = NOT_COLLECTED
    for index, line in text.list_lines(capture):
        match = _FIELD.fullmatch(line)
        name, is_on = (match[1].strip(), text.parse_switch(match[2])) if match else ("", None)
        if name in {"fw-lldp-agent", "disable-fw-lldp"} and is_on is not None:
            agent = Known(is_on == (name == "fw-lldp-agent"), Origin.INTENDED, capture.where(index))
            yield mark_modelled(index)
        elif match:
            yield mark_ignored(index) if line.startswith("Private flags for") else mark_not_modelled(index)
    yield PortFact(call.subject, make_nic_port(Nic(firmware_lldp=agent), capture.where(0)), Strength.NIC)


COMMANDS = (
    Command(
        "ethtool -m[ {netdev}]",
        r"ethtool (?:-m|--dump-module-eeprom|--module-info) {netdev}",
        read_module,
        (),
        r"^[^\S\n]*Identifier\s+: 0x[0-9a-f]{2} \(",
        "length of a cable with fixed ends",
    ),
    Command(
        "ethtool --show-priv-flags[ {netdev}]",
        r"ethtool --show-priv-flags {netdev}",
        read_private_flags,
        ("config.nic.firmware_lldp",),
        r"^Private flags for ",
        "the firmware's LLDP agent (Intel)",
        fetch=(Fetch(("ethtool --show-priv-flags {netdev}",), "whether the firmware runs LLDP", NETDEV),),
    ),
    Command(
        "ethtool -k[ {netdev}]",
        r"ethtool (?:-k|--show-features|--show-offload) {netdev}",
        read_nothing,
        content=r"^Features for \S+:",
    ),
)
