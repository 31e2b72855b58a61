"""`show interface [qos]` of AOS-CX: state, MTU, speed, pauses, trust, VLANs and port-channel of each port."""

import re

from auditor.grammar.operational import OperationalPort, Ports, keep_count
from auditor.model.dump import Capture, LineState
from auditor.model.port import Forwarding
from auditor.model.qos import Trust
from auditor.model.setting import Known, Origin, Unknown, Where, value_of
from auditor.util.regex import regex

TRUSTS = {"dscp": Trust.DSCP, "cos": Trust.PCP, "none": Trust.NONE}
PORT = regex(r"(?P<kind>)\d{1,2}/\d{1,2}/\d{1,3}(?::\d{1,2})?\Z")
CODED_GBPS = 100
_FIXED_CODE = Unknown("`error-control` is for links of 25 and 100 Gb/s; faster ones have the FEC of their standard")
_HEAD = regex(r"Interface (?P<name>\S+) is (?:up|down)\b.*")
_AGGREGATE = regex(r"Aggregate lag(?P<number>\d{1,3}) is (?:up|down)\b.*")
_MEMBERS = regex(r"Aggregated-interfaces\s*: (?P<names>\S.*)")
_DETAILS: tuple[tuple[re.Pattern[str], str], ...] = (
    (regex(r"Admin state is (?P<value>up|down)"), "enabled"),
    (regex(r"MTU (?P<value>\d{2,5})"), "mtu"),
    (regex(r"Speed (?P<value>\d{1,7}) Mb/s"), "speed"),
    (regex(r"Flow-control: (?:llfc )?(?P<value>off|rx|rxtx)"), "pause"),
    (regex(r"Flow-control: (?P<value>pfc) .{1,60}"), "pause"),
    (regex(r"Error-control: (?P<value>[\w-]{1,20})"), "fec"),
    (regex(r"CRC/FCS\s+(?P<value>\d{1,20})\s+n/a\s+\d{1,20}"), "corrupt"),
    (
        regex(r"qos trust (?P<value>none|cos|dscp)(?: local-priority [0-7])?(?: color [a-z]+)?(?: \(\w+\))?"),
        "trust",
    ),
    (regex(r"VLAN Mode: (?P<value>access|native-untagged|native-tagged)"), "vlans"),
    (regex(r"Hardware: Ethernet, MAC Address: (?P<value>(?:[0-9a-f]{2}:){5}[0-9a-f]{2})"), "mac"),
)


def read_interface(capture: Capture, ports: Ports) -> list[LineState]:
    """Read the output: one block for each interface, of which VLANs and port-channels are no ports."""
    states = []
    port: OperationalPort | None = None
    lag = ""
    for index, line in enumerate(capture.lines):
        text, where = line.strip(), capture.where(index)
        head, aggregate, members = _HEAD.fullmatch(text), _AGGREGATE.fullmatch(text), _MEMBERS.fullmatch(text)
        if head or aggregate:
            port = _find(ports, head["name"], where) if head else None
            lag = f"lag{aggregate['number']}" if aggregate else ""
        for name in members["names"].split() if members and lag else ():
            if member := _find(ports, name, where):
                member.lag = Known(lag, Origin.LEARNED, where)
        found = None if head else next(((m["value"], n) for rx, n in _DETAILS if (m := rx.fullmatch(text))), None)
        if port and found:
            _learn(port, *found, where)
        is_read = head or aggregate or (lag and members) or (port and found)
        states.append(LineState.MODELLED if is_read else LineState.IGNORED)
    return states


def _find(ports: Ports, name: str, where: Where) -> OperationalPort | None:
    return ports.setdefault(name, OperationalPort(where)) if PORT.match(name) else None


def _learn(port: OperationalPort, value: str, name: str, where: Where) -> None:
    if name == "enabled":
        port.enabled = Known(value == "up", Origin.LEARNED, where)
    elif name == "mtu":
        port.mtu = Known(int(value), Origin.LEARNED, where)
    elif name == "speed":
        gbps = int(value) / 1000
        port.speed_gbps = Known(gbps, Origin.LEARNED, where) if gbps else Unknown("the speed is not negotiated yet")
    elif name == "pause":
        port.pause_rx = Known(value in {"rx", "rxtx"}, Origin.LEARNED, where)
        port.pause_tx = Known(value == "rxtx", Origin.LEARNED, where)
        port.pfc_oper = Known(value == "pfc", Origin.LEARNED, where)
    elif name == "fec":
        is_fixed = value == "off" and (value_of(port.speed_gbps) or 0) > CODED_GBPS
        port.fec = _FIXED_CODE if is_fixed else Known(value, Origin.LEARNED, where)
    elif name == "corrupt":
        keep_count(port.counters, "rx_crc_errors_phy", value, where)
    elif name == "trust":
        port.trust = Known(TRUSTS[value], Origin.LEARNED, where)
    elif name == "vlans":
        port.forwarding = Known(Forwarding.SWITCHED, Origin.LEARNED, where)
        port.tagged = Known(value != "access", Origin.LEARNED, where)
    else:
        port.mac = Known(value, Origin.LEARNED, where)
