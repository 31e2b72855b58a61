"""`/proc/net/bonding/BOND`: the mode of a bond and its members."""

from auditor.model.dump import Capture
from auditor.model.host import Host
from auditor.model.nic import Function, Nic
from auditor.model.port import Ethernet, Port, PortConfig
from auditor.model.setting import Known, Origin
from auditor.systems.linux import text
from auditor.systems.linux.command import Command
from auditor.systems.linux.evidence import Call, Events, HostFact, NetdevFact, PortFact, Rank, Strength
from auditor.systems.linux.facts import make_nic_port, make_port
from auditor.systems.linux.marks import mark_ignored, mark_modelled, mark_not_modelled
from auditor.systems.linux.portnames import Subject
from auditor.util.regex import regex

_MAC = regex(r"(?:[0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}")
_SPEED = regex(r"(\d{1,9}) Mbps")
_FIELD = regex(r"([^:]+):\s*(.*)")


def read_bond(capture: Capture, call: Call) -> Events:
    """Yield the mode of the file's bond, and its members."""
    bond, current = call.subject.netdev, ""
    for index, line in text.list_lines(capture):
        match = _FIELD.fullmatch(line)
        name, value = (match[1], match[2].strip()) if match else ("", "")
        where = capture.where(index)
        if name == "Bonding Mode" and bond:
            mode = Known({bond: Known(value, Origin.LEARNED, where)}, Origin.LEARNED, where)
            yield HostFact(Host(bonds=mode))
            yield NetdevFact(bond, is_ethernet=True, kind="bond")
            function = Nic(function=Known(Function.BOND, Origin.LEARNED, where))
            yield PortFact(Subject(netdev=bond), make_nic_port(function, where), Strength.LISTED)
            yield mark_modelled(index)
        elif name == "Slave Interface" and value:
            current = value
            yield NetdevFact(value, is_ethernet=True, master=bond)
            member = Port("", PortConfig(), where, lag=Known(bond, Origin.INTENDED, where))
            if bond:
                yield PortFact(Subject(netdev=value), member, Strength.LISTED)
            yield mark_modelled(index)
        elif name == "Permanent HW addr" and current and _MAC.fullmatch(value):
            owned = Port("", PortConfig(), where, mac=Known(value.lower(), Origin.LEARNED, where))
            yield PortFact(Subject(netdev=current), owned, Strength.LISTED, Rank.FALLBACK)
            yield mark_modelled(index)
        elif name == "Speed" and current and (speed := _SPEED.fullmatch(value)):
            ethernet = Ethernet(speed_gbps=Known(int(speed[1]) / 1000, Origin.LEARNED, where))
            said = make_port(PortConfig(ethernet=ethernet), where)
            yield PortFact(Subject(netdev=current), said, Strength.LISTED, Rank.FALLBACK)
            yield mark_modelled(index)
        elif match:
            yield mark_not_modelled(index)
        else:
            yield mark_ignored(index)


COMMANDS = (
    Command(
        "cat /proc/net/bonding/BOND",
        r"cat proc net bonding {netdev}",
        read_bond,
        (),
        r"^Ethernet Channel Bonding Driver:",
        "mode and members of a bond",
    ),
)
