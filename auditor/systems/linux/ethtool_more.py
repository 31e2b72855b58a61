"""`ethtool --show-priv-flags` and `-k`: the firmware's LLDP agent, and offloads."""

from auditor.model.dump import Capture
from auditor.model.nic import Nic
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting
from auditor.systems.linux import text
from auditor.systems.linux.command import Command, read_nothing
from auditor.systems.linux.evidence import Call, Events, PortFact, Strength
from auditor.systems.linux.facts import make_nic_port
from auditor.systems.linux.fetch import NETDEV, Fetch
from auditor.systems.linux.marks import mark_ignored, mark_modelled, mark_not_modelled
from auditor.util.regex import regex

_FIELD = regex(r"([^:]+):\s*(.*)")


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
