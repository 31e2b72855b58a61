"""Show outputs of Junos as operational state by port: neighbours, interfaces and class of service."""

import re

from auditor.grammar import commands
from auditor.grammar.operational import Meeting, OperationalPort, Ports
from auditor.grammar.show import PortReader, Pull, Show, ShowTable, beginning, command_text
from auditor.grammar.signs import join_signs
from auditor.model.dump import Capture, LineState
from auditor.model.setting import Known, Origin, Where
from auditor.systems.junos import counters
from auditor.systems.junos.names import FEC, PORT, parse_gbps
from auditor.systems.junos.optics import read_diagnostics, read_hardware
from auditor.util.regex import regex


def _port(ports: Ports, name: str, where: Where) -> OperationalPort | None:
    return ports.setdefault(name, OperationalPort(where)) if PORT.match(name) else None


LLDP_TABLE = regex(
    r"Local Interface\s+(?:Parent Interface\s+)?Chassis Id\s+(?P<port>Port info\s+)(?P<name>System Name)"
)
_ROW = regex(
    r"(?P<local>\S+)(?:\s++(?:-|ae\d\S*+))?\s++(?P<chassis>[0-9a-fA-F:.-]{12,17}|\S++)\s++(?P<port>\S(?:.*?\S)??)\s{2,}+(?P<name>\S++)\Z"
)


def lldp(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `show lldp neighbors`: one row for each neighbour; the head places the columns of port and name."""
    states = []
    meeting = Meeting()
    columns: tuple[int, int] | None = None
    for index, line in enumerate(capture.lines):
        head = LLDP_TABLE.match(line.lstrip())
        if head:
            indent = len(line) - len(line.lstrip())
            columns = (indent + head.start("port"), indent + head.start("name"))
        found = _neighbour(line, columns) if columns and not head else None
        port = _port(ports, found[0], capture.where(index)) if found else None
        states.append(LineState.MODELLED if found else LineState.IGNORED)
        if port and found:
            meeting.add(port, found[2], found[1], capture.where(index))
    return states


def _neighbour(line: str, columns: tuple[int, int]) -> tuple[str, str, str] | None:
    """Return local port, far port and far name of a row: by its columns, else by the blanks between its fields."""
    port, name = columns
    begins = line[port - 1 : port].isspace() and line[port : port + 1].strip()
    if begins and (len(line) <= name or line[name - 1].isspace()):
        return line.split(maxsplit=1)[0], line[port:name].strip(), line[name:].strip()
    row = _ROW.match(line.strip())
    return (row["local"], row["port"], row["name"]) if row else None


_FIELD = regex(r"(?P<key>Local Interface|Port ID|System name)\s*: ?(?P<value>.*)\Z", re.IGNORECASE)


def lldp_detail(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `show lldp neighbors detail`: one block for each neighbour, the local interface first."""
    states = []
    meeting = Meeting()
    port: OperationalPort | None = None
    port_id = ""
    for index, line in enumerate(capture.lines):
        found = _FIELD.match(line.strip())
        states.append(LineState.MODELLED if found else LineState.IGNORED)
        if found is None:
            continue
        key, value = found["key"].lower(), found["value"].strip()
        if key == "local interface":
            port, port_id = _port(ports, value, capture.where(index)), ""
        elif key == "port id" and not port_id:
            port_id = value
            if port:
                meeting.add(port, "", port_id, capture.where(index))
        elif port and port_id and key == "system name":
            meeting.add(port, value, port_id, capture.where(index))
    return states


_PHYSICAL = regex(
    r"Physical interface: (?P<port>[\w/:.-]+)"
    r"(?:, (?P<admin>Enabled|Administratively down|Disabled)(?:, Physical link is (?P<link>Up|Down))?)?"
)
_MTU = regex(r"Link-level type: [^,]+, MTU: (?P<mtu>\d{3,5})")
_SPEED = regex(r"\bSpeed: (?P<speed>\d[\w.]{0,10})")
_FLOW = regex(r"\bFlow control: (?P<state>Enabled|Disabled)")
_FEC = regex(r"Ethernet FEC Mode *: +(?P<mode>FEC\d{2,3}|NONE)\Z")
_MAC = regex(r"Current address: (?P<mac>[0-9a-f:]{17})")


def interfaces(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `show interfaces` (brief, plain, detail, extensive, queue): one block for each physical interface."""
    states = []
    port: OperationalPort | None = None
    is_up = False
    table = counters.CounterHead()
    for index, line in enumerate(capture.lines):
        where = capture.where(index)
        head = _PHYSICAL.match(line.strip())
        if head:
            port = _port(ports, head["port"], where)
            is_up = head["link"] == "Up"
            if port and head["admin"]:
                port.enabled = Known(head["admin"] == "Enabled", Origin.LEARNED, where)
        counted = port is not None and counters.read(line, table, port.counters, where)
        fec = _FEC.match(line.strip()) if is_up else None
        if port and fec:  # which a link that is down has not
            port.fec = Known(FEC.get(fec["mode"].lower(), fec["mode"].lower()), Origin.LEARNED, where)
        read = bool(head or fec) or counted or _block_line(line, port, where)
        states.append(LineState.MODELLED if read else LineState.IGNORED)
    return states


def _block_line(line: str, port: OperationalPort | None, where: Where) -> bool:
    mtu, speed, flow, mac = (pattern.search(line) for pattern in (_MTU, _SPEED, _FLOW, _MAC))
    if port and mtu:
        port.mtu = Known(int(mtu["mtu"]), Origin.LEARNED, where)
    rate = parse_gbps(speed["speed"]) if speed else None
    if port and rate is not None:
        port.speed_gbps = Known(rate, Origin.LEARNED, where)
    if port and flow:
        port.pause_rx = port.pause_tx = Known(flow["state"] == "Enabled", Origin.LEARNED, where)
    if port and mac:
        port.mac = Known(mac["mac"], Origin.LEARNED, where)
    return any((mtu, speed, flow, mac))


_TERSE = regex(r"(?P<port>[a-z]{2,4}-[\d/:]+)\s+(?P<admin>up|down)\s+(?P<link>up|down)\b")


def terse(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `show interfaces terse` and `show interfaces descriptions`: the administrative state of each port."""
    states = []
    for index, line in enumerate(capture.lines):
        row = _TERSE.match(line.strip())
        states.append(LineState.MODELLED if row else LineState.IGNORED)
        port = _port(ports, row["port"], capture.where(index)) if row else None
        if port and row:
            port.enabled = Known(row["admin"] == "up", Origin.LEARNED, capture.where(index))
    return states


_NOTIFICATION = regex(r"Congestion-notification: (?P<state>Enabled|Disabled)")


def cos_interface(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `show class-of-service interface`: whether a congestion notification profile is active on the port."""
    states = []
    port: OperationalPort | None = None
    for index, line in enumerate(capture.lines):
        head, state = _PHYSICAL.match(line.strip()), _NOTIFICATION.search(line)
        if head:
            port = _port(ports, head["port"], capture.where(index))
        if port and state:
            port.pfc_oper = Known(state["state"] == "Enabled", Origin.LEARNED, capture.where(index))
        states.append(LineState.MODELLED if head or state else LineState.IGNORED)
    return states


HOSTNAME = regex(r"Hostname: (?P<value>\S+)")
MODEL = regex(r"Model: (?P<value>\S+)")
RELEASE = regex(r"(?:Junos: |JUNOS (?:Base|EX|Software|OS)[^\[]{0,60}\[)(?P<value>\d[^\s\]]+)")


def version(capture: Capture, _ports: Ports) -> list[LineState]:
    """Read `show version`: hostname, model and release."""
    patterns = (HOSTNAME, MODEL, RELEASE)
    return [
        LineState.MODELLED if any(pattern.match(line) for pattern in patterns) else LineState.IGNORED
        for line in capture.lines
    ]


CONFIG = "show configuration"
PART = "show configuration PART"
"""A part of the hierarchy: no whole device by itself."""
SHOWS: tuple[Show[PortReader], ...] = (
    Show(CONFIG, "the configuration", pull=(Pull(required=True, timeout_s=120),), whole=True),
    Show(
        "show lldp neighbors detail",
        "cables",
        regex(r"^ *LLDP Neighbor Information:[^\S\n]*\n\s*Local Information:", re.MULTILINE),
        lldp_detail,
    ),
    Show(
        "show lldp neighbors",
        "cables",
        regex(r"^ *Local Interface +(?:Parent Interface +)?Chassis Id +Port info +System Name", re.MULTILINE),
        lldp,
        (Pull(),),
    ),
    Show(
        "show class-of-service interface",
        "quality of service as it is bound",
        regex(r"^ *Physical interface: \S+, Index: \d+", re.MULTILINE),
        cos_interface,
        (Pull(timeout_s=120),),
    ),
    Show(
        "show interfaces",
        "MTU, speed and FEC as they run",
        regex(r"^ *Physical interface: \S+, (?:Enabled|Administratively down|Disabled), Physical link", re.MULTILINE),
        interfaces,
        (Pull("show interfaces extensive", "counters of pauses and discards", timeout_s=120),),
    ),
    Show(
        "show interfaces diagnostics optics",
        "temperature and received power of modules",
        regex(r"^ *Physical interface: [\w/:.-]+[^\S\n]*\n *(?:Laser |Module |Lane |Receiver |Optical )", re.MULTILINE),
        read_diagnostics,
        (Pull(timeout_s=60),),
    ),
    Show(
        "show chassis hardware",
        "modules",
        regex(r"^ *Item +Version +Part number +Serial number +Description", re.MULTILINE),
        read_hardware,
        (Pull(),),
    ),
    Show(
        "show interfaces terse",
        "state of ports",
        regex(r"^ *Interface +Admin +Link +Proto +Local", re.MULTILINE),
        terse,
        (Pull(),),
    ),
    Show(
        "show interfaces descriptions",
        "state of ports",
        regex(r"^ *Interface +Admin +Link +Description", re.MULTILINE),
        terse,
    ),
    Show(
        "show version",
        "model and release",
        regex(r"^ *(?:Model: (?:qfx|ex|ptx|mx|acx|srx)\S*|Junos: \d)", re.MULTILINE),
        version,
        (Pull(),),
    ),
)
_PORTS = r"(?:et|xe|ge)-(?:\d{1,3}/\d{1,3}/\d{1,3}|\*)|ae\d+|irb|lo0|interface-range"
_SET = regex(
    r"^[^\S\n]*(?:[\w.-]{1,64}@[\w.-]{1,64}[#>][^\S\n]?)?(?:set|deactivate|delete|activate) (?:"
    rf"class-of-service |interfaces (?:{_PORTS})|groups \S+ \S|apply-groups |version \d|system host-name |"
    r"chassis (?:fpc|aggr)|forwarding-options |routing-options |policy-options |protocols (?:lldp|bgp|evpn|ospf|rstp))",
    re.MULTILINE,
)
_CURLY = regex(
    r"^[^\S\n]*(?:inactive: |protect: )*(?:"
    r"system|interfaces|class-of-service|groups|chassis|policy-options|routing-options|routing-instances|firewall|"
    r"forwarding-options|switch-options|classifiers|drop-profiles|forwarding-classes|scheduler-maps|schedulers|"
    r"congestion-notification-profile|shared-buffer|rewrite-rules|traffic-control-profiles|code-point-aliases|"
    rf"(?:{_PORTS})(?::\d+)?) \{{[^\S\n]*(?:##.*)?$",
    re.MULTILINE,
)
_ENDED = regex(r"^[^\"'=,\n]*;[^\S\n]*(?:##.*)?$", re.MULTILINE)
_RELEASE = regex(r"^[^\S\n]*version \"?\d+\.\d\S*;$", re.MULTILINE)
_OTHER = regex(r"^(?:!|hostname |nv set |sysname |#!/)|^[^\S\n]*\"[\w-]+\"\s*:", re.MULTILINE)
"""How the configurations of other systems begin their lines."""


TABLE = ShowTable(SHOWS, CONFIG, spell=lambda command: command.removeprefix("run "))
_CURLY_SIGNS, _FLAT_SIGNS, _OTHER_SIGNS = join_signs([_CURLY]), join_signs([_SET, _RELEASE]), join_signs([_OTHER])
SIGNS = join_signs((*TABLE.signs, _CURLY, _SET, _RELEASE))


def recognise(capture: Capture) -> str | None:
    """Return the command of *capture*, None if its content is not particular to Junos."""
    head = beginning(capture.lines)
    is_curly = _CURLY_SIGNS.are_in(head) and _ENDED.search(head.whole) and not _OTHER_SIGNS.are_in(head)
    if is_curly or _FLAT_SIGNS.are_in(head):
        return PART if base(capture) else CONFIG
    return TABLE.find_sign(head)


def find_name(capture: Capture) -> str | None:
    """Return the command that a transcript, a manifest or the file name gives, None without a reader for it."""
    found = TABLE.find_name(capture)
    return PART if found == CONFIG and base(capture) else found


def base(capture: Capture) -> tuple[str, ...]:
    """Return the place in the hierarchy that `show configuration` printed; empty for the whole configuration.

    >>> base(Capture("x", (), "show configuration class-of-service | display set"))
    ('class-of-service',)
    """
    command = command_text(capture).removeprefix("run ").partition("|")[0]
    words = re.split(r"[ _]+", command.strip()) if commands.find_command(command, (CONFIG,)) else []
    return tuple(word for word in words[2:] if word not in {"display", "set", "no-more", ""})


def unread(command: str) -> LineState:
    """Return the state of an unread output: most outputs do not concern quality of service."""
    words = command.removeprefix("run ").split()
    if words[:1] != ["show"]:
        return LineState.UNRECOGNISED
    return LineState.NOT_MODELLED if words[1:2] in (["class-of-service"], ["dcbx"], ["pfe"]) else LineState.IGNORED
