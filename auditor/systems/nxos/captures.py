"""Show outputs of NX-OS: neighbours, interface status and interface details, as learned values by port."""

import re
from collections.abc import Callable, Mapping

from auditor.grammar.operational import Learned, Meeting, Ports, keep
from auditor.grammar.status import StatusTable
from auditor.model.dump import Capture, LineState
from auditor.model.setting import Known, Origin, Where
from auditor.systems.nxos import counters
from auditor.systems.nxos.counters import known_port
from auditor.systems.nxos.numbers import full_name

_STATUS = re.compile(
    r"(?P<port>(?:Eth|Po|mgmt|Vlan|Lo|nve)\S*)\s+(?P<rest>.*?)\s"
    r"(?P<status>connected|notconnec\w*|disabled|sfpAbsent|xcvrAbsen\w*|noOperMem\w*|channelDo\w*|linkFlapE\w*|errDisabl\w*|"
    r"inactive|suspended|suspndByV\w*|down|monitor|faulty|vpcPeerLn\w*|sfpInvali\w*|linkNotCon\w*|hwFailure|out-of-ser\w*)"
    r"\s+(?P<vlan>\S+)\s+(?P<duplex>full|half|auto|a-full|a-half)\s+(?P<speed>\S+)"
)


interface_status = StatusTable(_STATUS, re.compile("Eth"), known_port, up="connected", disabled="disabled").read


_FIELD = re.compile(r"(?P<key>[A-Z][A-Za-z ]{2,30}?)\s*:\s?(?P<value>.*)")


def lldp_detail(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `show lldp neighbors detail`: one block for each neighbour, beginning at its chassis id."""
    states = []
    meeting = Meeting()
    block: dict[str, str] = {}
    for index, line in enumerate(capture.lines):
        match = _FIELD.match(line.strip())
        key = match["key"].strip().lower() if match else ""
        if key == "chassis id":
            block = {}
        if match and key in _LLDP_KEYS and key not in block:
            block[key] = match["value"].strip()
            states.append(LineState.MODELLED)
        else:
            states.append(LineState.IGNORED)
        if key == "system name" and "local port id" in block:
            port = known_port(ports, block["local port id"], capture.where(index))
            name = block["system name"] if block["system name"] not in {"null", "not advertised"} else ""
            if port:
                told = (name, block.get("port id", ""), capture.where(index), block.get("chassis id", ""))
                meeting.add(port, *told)
    return states


_LLDP_KEYS = frozenset({"chassis id", "port id", "local port id", "system name"})
_NEIGHBOUR = re.compile(
    r"(?P<name>\S.*?)?\s*(?P<local>(?:Eth|mgmt)[\d/]+)\s+(?P<hold>\d{1,6})\s+(?P<capability>[A-Z]+ )?\s*"
    r"(?P<port>\S+)\s*\Z"
)


def lldp(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `show lldp neighbors`; a long name stands on a line of its own before its row."""
    states = []
    meeting = Meeting()
    wrapped = ""
    for index, line in enumerate(capture.lines):
        match = _NEIGHBOUR.match(line.rstrip())
        if match is None:
            words = line.split()
            wrapped = words[0] if len(words) == 1 else ""
            states.append(LineState.MODELLED if wrapped else LineState.IGNORED)
            continue
        states.append(LineState.MODELLED)
        name = match["name"] or wrapped
        port = known_port(ports, match["local"], capture.where(index))
        if port and name:
            meeting.add(port, name.split()[0], match["port"], capture.where(index))
    return states


_INTERFACE = re.compile(r"(?P<name>\S+) is (?P<state>up|down)\b ?\(?(?P<why>[^)]*)")
_DETAILS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"MTU (\d{1,6}) bytes"), "mtu"),
    (re.compile(r"(?:auto|full|half)-duplex, (\d{1,4} [GM]b/s)"), "speed_gbps"),
    (re.compile(r"Input flow-control is (on|off), output flow-control is (on|off)"), "pause"),
    (re.compile(r".*\baddress:? ([0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4})"), "mac"),
    (re.compile(r"admin state is (up|down)"), "enabled"),
    (re.compile(r"Belongs to (Po\d{1,4})$"), "lag"),
    (re.compile(r"\d+ runts +(\d{1,20}) giants\b"), "giants"),
)


def interface(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `show interface`: one block for each interface."""
    states = []
    port: Learned | None = None
    for index, line in enumerate(capture.lines):
        where = capture.where(index)
        head = _INTERFACE.match(line)
        if head:
            port = known_port(ports, head["name"], where)
            if port and head["state"] == "up":
                port.enabled = Known(value=True, origin=Origin.LEARNED, where=where)
            elif port and head["why"] == "Administratively down":
                port.enabled = Known(value=False, origin=Origin.LEARNED, where=where)
            states.append(LineState.MODELLED)
            continue
        found = next(((m, name) for rx, name in _DETAILS if (m := rx.match(line.strip()))), None)
        states.append(LineState.MODELLED if found else LineState.IGNORED)
        if port and found:
            _detail(port, found[0], found[1], where)
    return states


def _detail(port: Learned, match: re.Match[str], name: str, where: Where) -> None:
    if name == "mtu":
        port.mtu = Known(int(match[1]), Origin.LEARNED, where)
    elif name == "speed_gbps":
        number, unit = match[1].split()
        port.speed_gbps = Known(int(number) / (1 if unit == "Gb/s" else 1000), Origin.LEARNED, where)
    elif name == "mac":
        digits = match[1].replace(".", "")
        pairs = ":".join(digits[i : i + 2] for i in range(0, 12, 2))
        port.mac = Known(pairs, Origin.LEARNED, where)
    elif name == "enabled":
        port.enabled = Known(match[1] == "up", Origin.LEARNED, where)
    elif name == "lag":
        port.lag = Known(full_name(match[1]), Origin.LEARNED, where)
    elif name == "giants":
        keep(port.counters, "rx_oversize", match[1], where)
    else:
        port.pause_rx = Known(match[1] == "on", Origin.LEARNED, where)
        port.pause_tx = Known(match[2] == "on", Origin.LEARNED, where)


READERS: Mapping[str, Callable[[Capture, Ports], list[LineState]]] = {
    "show lldp neighbors detail": lldp_detail,
    "show lldp neighbors": lldp,
    "show interface status": interface_status,
    "show interface priority-flow-control": counters.pauses,
    "show queuing interface": counters.queuing,
    "show interface": interface,
}
"""Commands by what their output begins like; the longer name stands before the shorter that begins it."""
