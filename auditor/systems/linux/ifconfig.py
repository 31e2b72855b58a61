"""`ifconfig`, in the form of today and in that of net-tools before 2.0: MTU, state and MAC address of each netdev."""

import re
from dataclasses import replace

from auditor.model.dump import Capture
from auditor.model.port import Port, PortConfig
from auditor.model.setting import Known, Origin
from auditor.systems.linux import text
from auditor.systems.linux.command import MTU, Command
from auditor.systems.linux.evidence import Call, Events, NetdevFact, PortFact, Rank, Strength
from auditor.systems.linux.facts import make_port
from auditor.systems.linux.ip_link import VIRTUAL_NAME, make_mtu
from auditor.systems.linux.linkstate import describe_link
from auditor.systems.linux.marks import mark_ignored, mark_modelled, mark_not_modelled
from auditor.systems.linux.portnames import Subject
from auditor.util.regex import regex

_HEAD = regex(r"([^\s:]+(?::\d+)?): flags=\d+<([A-Z0-9_,]*)>\s+mtu (\d{1,6})\b.*")
_OLD_HEAD = regex(r"([^\s:]+(?::\d+)?)\s+Link encap:(\S+)(?:.*HWaddr ([0-9A-Fa-f:]{17})\b.*)?.*")
_OLD_STATE = regex(r"((?:[A-Z]+ )+) *MTU:(\d{1,6})\s.*")
_ADDRESS = regex(r"ether ([0-9A-Fa-f:]{17})\b.*")


def read_ifconfig(capture: Capture, _: Call) -> Events:
    """Yield MTU, administrative state and MAC address of each netdev; an alias such as `eth0:1` is no netdev."""
    name = ""
    for index, line in text.list_lines(capture):
        where = capture.where(index)
        head, old, state, address = (p.fullmatch(line) for p in (_HEAD, _OLD_HEAD, _OLD_STATE, _ADDRESS))
        mac = address[1] if address else (old[3] or "") if old else ""
        begun = head or old
        if begun:
            name = begun[1]
            is_ethernet = not old or old[2] == "Ethernet"
            kind = "virtual" if ":" in name or VIRTUAL_NAME.fullmatch(name) else ""
            yield NetdevFact(name, is_ethernet=is_ethernet, kind=kind)
        if not name or ":" in name:
            yield mark_ignored(index)
            continue
        if mac:
            said = Port("", PortConfig(), where, mac=Known(mac.lower(), Origin.LEARNED, where))
            yield PortFact(Subject(netdev=name), said, Strength.LISTED)
        flags, mtu = (head[2], head[3]) if head else (state[1], state[2]) if state else ("", "")
        if mtu:
            enabled = Known("UP" in re.split("[ ,]", flags), Origin.INTENDED, where)
            ethernet = replace(make_mtu(int(mtu), where), enabled=enabled)
            about, is_up = Subject(netdev=name), "RUNNING" in re.split("[ ,]", flags)
            yield PortFact(about, make_port(PortConfig(ethernet=ethernet), where), Strength.LISTED)
            yield describe_link(about, is_up, where, Rank.RUNNING)
        yield mark_modelled(index) if begun or mac or mtu else mark_not_modelled(index)


COMMANDS = (
    Command(
        "ifconfig[ {netdev}]",
        r"ifconfig(?: -a)?(?: {netdev})?",
        read_ifconfig,
        MTU,
        r"^\S+: flags=\d+<[A-Z0-9_,]*>\s+mtu \d|^\S+\s+Link encap:\S",
        "MTU, administrative state and MAC address",
    ),
)
