"""`ethtool IF` and its `-i`, `-a`, `-S` and `--show-fec`: speed, driver, link pause, FEC and counters."""

import re
from collections.abc import Callable
from dataclasses import replace

from auditor.model.counters import identify_counter
from auditor.model.dump import Capture
from auditor.model.hardware import Hardware
from auditor.model.nic import Nic
from auditor.model.port import Ethernet, LinkPause, Port, PortConfig
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting
from auditor.systems.linux import jsontext, text
from auditor.systems.linux.command import LINK, Command, read_nothing
from auditor.systems.linux.evidence import Call, Events, NetdevFact, PortFact, Rank, Strength
from auditor.systems.linux.facts import make_nic_port, make_port
from auditor.systems.linux.fetch import NETDEV, SCRIPT, Fetch
from auditor.systems.linux.marks import mark_ignored, mark_modelled, mark_not_modelled
from auditor.systems.linux.portnames import Subject, parse_pci
from auditor.util.regex import regex

_FIELD = regex(r"([^:]+):\s*(.*)")
_SPEED = regex(r"(\d{1,9})Mb/s")
_MODE = regex(r"(\d{1,9})base\w{0,16}/(?:Full|Half)")
_PSID = regex(r"\d+(?:\.\d+){2} \(([A-Z]{2,4}_?\d{7,13})\)")
"""A version of firmware with the board's parameter set, as NVIDIA's drivers print it."""
_VIRTUAL_DRIVERS = frozenset(
    {"veth", "bridge", "bonding", "team", "802.1Q VLAN Support", "tun", "dummy", "macvlan", "vxlan", "openvswitch"}
)
_REPRESENTOR_DRIVERS = frozenset({"mlx5e_rep"})
_COUNTED = regex(
    r"pause|discard|_xo(?:n|ff)\b|out_of_buffer|out_of_sequence|ecn|cnp|adp_retrans|slow_restart|packet_seq_err|pfc"
    r"|no_buffer|wred|_drop(?:s|ped)?(?:_phy)?$|timeout_err|storm",
    re.IGNORECASE,
)
_NEGOTIATED = {"RX negotiated": "rx", "TX negotiated": "tx"}
_REQUESTED = {"RX": "rx", "TX": "tx"}


def read_driver(capture: Capture, call: Call) -> Events:
    """Yield driver, firmware, board and PCI address of `ethtool -i IF`."""
    found: dict[str, tuple[int, str]] = {}
    for index, line in text.list_lines(capture):
        match = _FIELD.fullmatch(line)
        if match and match[1] in {"driver", "firmware-version", "bus-info"}:
            found[match[1]] = index, match[2].strip()
            yield mark_modelled(index)
        elif match:
            yield mark_not_modelled(index)
    driver, firmware, bus = (_make_known(capture, found.get(key)) for key in ("driver", "firmware-version", "bus-info"))
    netdev = call.subject.netdev
    about = Subject(netdev=netdev, pci=parse_pci(bus.value) if bus else "")
    if driver and driver.value in _VIRTUAL_DRIVERS | _REPRESENTOR_DRIVERS:
        yield NetdevFact(netdev, is_ethernet=True, kind="bond" if driver.value in {"bonding", "team"} else driver.value)
    vendor = text.find_vendor(driver.value) if driver else None
    fabric = text.find_fabric(driver.value) if driver else None
    nic = Nic(
        transport=Known(fabric, Origin.LEARNED, driver.where) if driver and fabric else NOT_COLLECTED,
        driver=driver or NOT_COLLECTED,
        vendor=Known(vendor, Origin.LEARNED, driver.where) if driver and vendor else NOT_COLLECTED,
    )
    slot = Known(about.pci, Origin.LEARNED, bus.where) if bus and about.pci else NOT_COLLECTED
    if driver or bus or netdev:
        said = make_nic_port(nic, capture.where(0))
        yield PortFact(about, replace(said, hardware=Hardware(slot=slot)), Strength.NIC)
    if firmware and firmware.value not in {"", "N/A"}:
        psid = _PSID.fullmatch(firmware.value)
        board = Known(psid[1], Origin.LEARNED, firmware.where) if psid else NOT_COLLECTED
        is_nvidia = psid or (driver and driver.value.startswith("mlx"))
        version = firmware.value.split()[0] if is_nvidia else firmware.value
        said = make_nic_port(Nic(firmware=Known(version, Origin.LEARNED, firmware.where)), firmware.where)
        yield PortFact(about, replace(said, hardware=Hardware(board=board)), Strength.NIC, Rank.FALLBACK)


def _make_known(capture: Capture, found: tuple[int, str] | None) -> Known[str] | None:
    return Known(found[1], Origin.LEARNED, capture.where(found[0])) if found and found[1] else None


def read_pause(capture: Capture, call: Call) -> Events:
    """Yield the link pause of `ethtool -a IF`; a negotiated result wins."""
    if jsontext.is_json(capture):
        yield from _read_pause_json(capture, call)
        return
    values: dict[str, Known[bool]] = {}
    counters: dict[str, Known[int]] = {}
    netdev = call.subject.netdev
    for index, line in text.list_lines(capture):
        match = _FIELD.fullmatch(line)
        if line.startswith("Pause parameters for "):
            netdev = netdev or line.removeprefix("Pause parameters for ").rstrip(":")
            yield mark_ignored(index)
        elif match and match[1] in {"Autonegotiate", *_REQUESTED, *_NEGOTIATED}:
            state = text.parse_switch(match[2])
            if state is None:
                yield text.make_doubt(capture, index, "on or off")
            else:
                origin = Origin.LEARNED if match[1] in _NEGOTIATED else Origin.INTENDED
                values[match[1]] = Known(state, origin, capture.where(index))
                yield mark_modelled(index)
        elif (
            match and is_counted(match[1]) and (count := text.parse_whole(match[2], range(text.MAX_COUNT))) is not None
        ):
            counters[match[1]] = Known(count, Origin.LEARNED, capture.where(index))
            yield mark_modelled(index)
        elif match:
            yield mark_not_modelled(index)
    yield from _describe_pause(values, netdev, capture)
    if counters:
        said = Port("", PortConfig(), capture.where(0), counters=counters)
        yield PortFact(Subject(netdev=netdev), said, Strength.NIC)


def _read_pause_json(capture: Capture, call: Call) -> Events:
    root = yield from jsontext.open_json(capture, frozenset({"ifname", "autonegotiate", "rx", "tx"}))
    if root is None:
        return
    for node in root.items():
        found = {"Autonegotiate": node.get("autonegotiate"), "RX": node.get("rx"), "TX": node.get("tx")}
        agreed = node.get("negotiated")
        if agreed:
            found |= {"RX negotiated": agreed.get("rx"), "TX negotiated": agreed.get("tx")}
        values: dict[str, Known[bool]] = {}
        for name, value in found.items():
            if value and isinstance(value.value, bool):
                origin = Origin.LEARNED if name in _NEGOTIATED else Origin.INTENDED
                values[name] = Known(value.value, origin, value.where)
            elif value:
                yield value.doubt("true or false")
        yield from _describe_pause(values, node.text("ifname") or call.subject.netdev, capture)


def _describe_pause(values: dict[str, Known[bool]], netdev: str, capture: Capture) -> Events:
    """Yield requested and running link pause; a negotiated result is the running one."""
    negotiates = values.get("Autonegotiate")

    def of(asked: str) -> Setting[bool]:
        agreed = values.get(f"{asked} negotiated")
        return agreed if agreed and negotiates and negotiates.value else values.get(asked, NOT_COLLECTED)

    about, where = Subject(netdev=netdev), capture.where(0)
    running = LinkPause(rx=of("RX"), tx=of("TX"))
    asked = LinkPause(rx=values.get("RX", NOT_COLLECTED), tx=values.get("TX", NOT_COLLECTED))
    yield PortFact(about, make_port(PortConfig(pause=running), where), Strength.NIC)
    if asked != running:
        yield PortFact(about, make_port(PortConfig(pause=asked), where), Strength.NIC, Rank.REQUESTED)


def read_link(capture: Capture, call: Call) -> Events:
    """Yield the speed of plain `ethtool IF`, the fastest that the port supports, and the lanes if printed."""
    if jsontext.is_json(capture):
        yield from _read_json(capture, call, frozenset({"ifname", "speed", "lanes"}), _parse_link)
        return
    netdev = call.subject.netdev
    ethernet = Ethernet()
    link_up: Setting[bool] = NOT_COLLECTED
    supported = _list_supported(capture)
    for index, line in text.list_lines(capture):
        match = _FIELD.fullmatch(line)
        where = capture.where(index)
        speed = _SPEED.fullmatch(match[2]) if match and match[1] == "Speed" else None
        lanes = text.parse_whole(match[2], range(1, 17)) if match and match[1] == "Lanes" else None
        if line.startswith("Settings for "):
            netdev = netdev or line.removeprefix("Settings for ").rstrip(":")
            yield mark_ignored(index)
        elif speed:
            ethernet = Ethernet(speed_gbps=Known(int(speed[1]) / 1000, Origin.LEARNED, where), lanes=ethernet.lanes)
            yield mark_modelled(index)
        elif lanes is not None:
            ethernet = Ethernet(speed_gbps=ethernet.speed_gbps, lanes=Known(lanes, Origin.LEARNED, where))
            yield mark_modelled(index)
        elif match and match[1] == "Link detected" and match[2].split()[:1] in (["yes"], ["no"]):
            link_up = Known(match[2].startswith("yes"), Origin.LEARNED, where)
            yield mark_modelled(index)
        elif index in supported:
            yield mark_modelled(index)
        elif match and match[1] in {"Speed", "Lanes"} and not match[2].startswith("Unknown"):
            yield text.make_doubt(capture, index, "a speed in Mb/s or a number of lanes")
        elif match or index:
            yield mark_not_modelled(index)
    fastest = max(supported, key=lambda index: supported[index], default=None)
    able = NOT_COLLECTED if fastest is None else Known(supported[fastest], Origin.LEARNED, capture.where(fastest))
    config = PortConfig(ethernet=ethernet, nic=Nic(link_up=link_up, max_speed_gbps=able))
    yield PortFact(Subject(netdev=netdev), make_port(config, capture.where(0)), Strength.NIC)


def _list_supported(capture: Capture) -> dict[int, float]:
    """Return the fastest mode, Gb/s, on each line of the supported link modes."""
    found: dict[int, float] = {}
    is_supported = False
    for index, line in text.list_lines(capture):
        match = _FIELD.fullmatch(line)
        is_supported = match[1] == "Supported link modes" if match else is_supported
        modes = _MODE.findall(line) if is_supported else ()
        if modes:
            found[index] = max(map(int, modes)) / 1000
    return found


def _read_json(
    capture: Capture, call: Call, kept: frozenset[str], ethernet_of: Callable[[jsontext.JsonNode], Ethernet]
) -> Events:
    """Yield the link settings of each interface of the JSON."""
    root = yield from jsontext.open_json(capture, kept)
    for node in root.items() if root else ():
        about = Subject(netdev=node.text("ifname") or call.subject.netdev)
        yield PortFact(about, make_port(PortConfig(ethernet=ethernet_of(node)), node.where), Strength.NIC)


def _parse_link(node: jsontext.JsonNode) -> Ethernet:
    speed, lanes = node.get("speed"), node.get("lanes")
    mbps = speed.whole(range(1, 10**8)) if speed else None
    number = lanes.whole(range(1, 17)) if lanes else None
    return Ethernet(
        speed_gbps=Known(mbps / 1000, Origin.LEARNED, speed.where) if speed and mbps else NOT_COLLECTED,
        lanes=Known(number, Origin.LEARNED, lanes.where) if lanes and number else NOT_COLLECTED,
    )


def _parse_fec(node: jsontext.JsonNode) -> Ethernet:
    active = node.get("active")
    words = [str(word) for word in active.value] if active and isinstance(active.value, list) else []
    told = " ".join(words)
    known = Known(told, Origin.LEARNED, active.where) if active and told not in _NO_FEC_TOLD else NOT_COLLECTED
    return Ethernet(fec=known)


_NO_FEC_TOLD = frozenset({"", "None", "Not reported"})
"""`None`: the adapter has no FEC setting; an adapter without active FEC prints `Off`."""


def read_fec(capture: Capture, call: Call) -> Events:
    """Yield the active FEC that `ethtool --show-fec IF` prints."""
    if jsontext.is_json(capture):
        yield from _read_json(capture, call, frozenset({"ifname", "active"}), _parse_fec)
        return
    fec: Setting[str] = NOT_COLLECTED
    netdev = call.subject.netdev
    for index, line in text.list_lines(capture):
        match = _FIELD.fullmatch(line)
        if line.startswith("FEC parameters for "):
            netdev = netdev or line.removeprefix("FEC parameters for ").rstrip(":")
            yield mark_ignored(index)
        elif match and match[1].startswith("Active FEC encoding") and match[2] not in _NO_FEC_TOLD:
            fec = Known(match[2], Origin.LEARNED, capture.where(index))
            yield mark_modelled(index)
        elif match:
            yield mark_not_modelled(index)
    said = make_port(PortConfig(ethernet=Ethernet(fec=fec)), capture.where(0))
    yield PortFact(Subject(netdev=netdev), said, Strength.NIC)


def read_statistics(capture: Capture, call: Call) -> Events:
    """Yield the counters of `ethtool -S IF` that speak of pauses, discards, marks and retransmission."""
    counters: dict[str, Known[int]] = {}
    for index, line in text.list_lines(capture):
        name, colon, value = (part.strip() for part in line.rpartition(":"))
        count = text.parse_whole(value, range(text.MAX_COUNT))
        if line in {"NIC statistics:", "Standard stats:"}:
            yield mark_ignored(index)
        elif colon and not is_counted(name):
            yield mark_not_modelled(index)
        elif colon and count is None:
            yield text.make_doubt(capture, index, "a count")
        elif count is not None:
            counters[name] = Known(count, Origin.LEARNED, capture.where(index))
            yield mark_modelled(index)
    said = Port("", PortConfig(), capture.where(0), counters=counters)
    yield PortFact(call.subject, said, Strength.NIC)


def is_counted(name: str) -> bool:
    """Whether a counter of this *name* is worth keeping."""
    return identify_counter(name) is not None or bool(_COUNTED.search(name))


COMMANDS = (
    Command(
        "ethtool -i[ {netdev}]",
        r"ethtool (?:-i|--driver) {netdev}",
        read_driver,
        ("config.nic.driver", "config.nic.firmware", "config.nic.vendor"),
        r"^driver: \S+$",
        "driver, firmware, PCI address",
        fetch=(Fetch(("ethtool -i {netdev}",), "driver, firmware, PCI address", NETDEV),),
    ),
    Command(
        "ethtool -a[ {netdev}]",
        r"ethtool(?: -I| --include-statistics| -j| --json)* (?:-a|--show-pause) {netdev}",
        read_pause,
        ("config.pause.rx", "config.pause.tx"),
        r"^Pause parameters for |\"ifname\"\s*:\s*\"[^\"]*\"\s*,\s*\"autonegotiate\"",
        "link pause, as requested and as negotiated",
        fetch=(Fetch(("ethtool -a {netdev}",), "link pause, which must be off beside PFC", NETDEV),),
    ),
    Command(
        "ethtool -S[ {netdev}]",
        r"ethtool (?:-S|--statistics) {netdev}",
        read_statistics,
        (),
        r"^NIC statistics:",
        "counters of pauses, discards, marks, CNPs and retransmission",
        fetch=(Fetch(("ethtool -S {netdev}",), "pauses and discards by priority", NETDEV, counts=True),),
    ),
    Command(
        "ethtool --show-fec[ {netdev}]",
        r"ethtool(?: -I| --include-statistics| -j| --json)* --show-fec {netdev}",
        read_fec,
        ("config.ethernet.fec",),
        r"^FEC parameters for ",
        "FEC",
        fetch=(Fetch(("ethtool --show-fec {netdev}",), "FEC", NETDEV, by=SCRIPT),),
    ),
)
PLAIN = (
    Command(
        "ethtool OPTION[ {netdev}]", r"ethtool(?: --json)? (?!-j )--?[A-Za-z][a-z-]*(?<!--json) {netdev}", read_nothing
    ),
    Command(
        "ethtool[ {netdev}]",
        r"ethtool(?: -j| --json)? {netdev}",
        read_link,
        LINK,
        r"^Settings for \S+:$",
        "speed and lanes",
        fetch=(Fetch(("ethtool {netdev}",), "speed", NETDEV),),
    ),
)
