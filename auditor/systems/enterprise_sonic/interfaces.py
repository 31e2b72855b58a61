"""The statements of an interface."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from auditor.grammar.numbers import decimal, expand
from auditor.model.dump import LineState
from auditor.systems.enterprise_sonic.names import MAPS
from auditor.systems.enterprise_sonic.store import Key, Writer
from auditor.systems.sonic.assemble import FORWARDING_FIELD, POLICY_FIELD, RUNNING_FIELD, TAGGED_FIELD
from auditor.systems.sonic.vocabulary import IGNORED, MODELLED, NOT_MODELLED, UNRECOGNISED

CABLE = "cable-length"
_QUEUES = range(48)
_IGNORED = re.compile(
    r"(?:access-group|advertise|ars|authentication|autoneg|autostate|bfd|bgp|carrier-delay|client|dhcp|"
    r"dhcp-relay|dot1x|downlink|dropcounters|encapsulation|errdisable|evpn|fallback|flow|graceful-"
    r"shutdown|instance|ip|ipv6|keepalive|lacp|link|lldp|load-interval|logging|mab|mac|mclag|media|"
    r"minimum-links|mode|mpls|nat|nat-zone|neigh-suppress|neighbor|network-policy|ospf|phy|pim|poe|"
    r"poll|port-security|ptp|pvst|rate-interval|rate-limit|sag|sflow|snmp|spanning-tree|standalone-link-"
    r"training|storm-control|suppress|switchport|transceiver|tunnel|udld|unreliable-los|vrrp|xconnect)\Z"
)
"""First words of statements that say nothing of quality of service."""
_NOT_MODELLED = frozenset({"threshold", "dcbx", "default-lossless-buffer-profile", "rate-shape", "qos-mode"})


@dataclass(slots=True)
class Interface:
    """`interface NAME` or `interface range …`; without `ports` one that is no physical port."""

    writer: Writer
    ports: tuple[str, ...]
    head: int
    indent: int

    def open(self) -> LineState:
        """Begin the interface: what a port is silent of is not configured."""
        for port in self.ports:
            self.writer.begin("PORT", port, self.head, interface_parts(port))
            self.writer.begin("PORT_QOS_MAP", port, self.head)
        return MODELLED if self.ports else NOT_MODELLED

    def read(self, words: Sequence[str], index: int) -> LineState | None:
        """Read one line."""
        negated = words[0] == "no"
        rest = list(words[1:] if negated else words)
        if rest[:1] == ["qos"] and rest[1:2] in (["buffer"], ["default-lossless-buffer-profile"]):
            rest = rest[1:]
        if not rest or (rest[:2] == ["priority-flow-control", "watchdog"] and rest[2:3] in _SWITCH_WIDE):
            return None
        if rest[0] == "buffer" and rest[1:2] not in (["priority-group"], ["queue"]):
            return None
        reader = _READERS.get(rest[0])
        if reader is None:
            return IGNORED if _IGNORED.match(rest[0]) else NOT_MODELLED if rest[0] in _NOT_MODELLED else None
        return reader(self, rest, index, negated) if self.ports else _of_no_port(rest[0])

    def put(self, table: str, said: Mapping[str, str], index: int, item: str = "") -> LineState:
        """Keep fields of each port, or of one of its queues or priority groups."""
        states = {self.writer.put(table, f"{port}{item}", said, index, self.head) for port in self.ports}
        return UNRECOGNISED if UNRECOGNISED in states else MODELLED

    def drop(self, table: str, names: Sequence[str] | None, item: str = "") -> LineState:
        """Take fields of each port back."""
        for port in self.ports:
            self.writer.drop(table, f"{port}{item}", names)
        return MODELLED


def _of_no_port(word: str) -> LineState:
    return IGNORED if word in {"description", "ip", "ipv6", "shutdown", "switchport"} else NOT_MODELLED


_SWITCH_WIDE = (["polling-interval"], ["counter-poll"])


def interface_parts(port: str) -> Iterator[Key]:
    """Yield the entries that the statements of a port may make."""
    for table in ("PORT_QOS_MAP", "PFC_WD", "CABLE_LENGTH", "PORTCHANNEL_MEMBER"):
        yield table, port
    for table in ("QUEUE", "BUFFER_PG"):
        yield from ((table, f"{port}|{number}") for number in _QUEUES)


def _number(found: Interface, words: Sequence[str], index: int, negated: bool) -> LineState:
    """Read `mtu N` and `speed N`, which is in megabits a second; a speed that is negotiated is none yet."""
    if negated or words[1:2] == ["auto"]:
        return found.drop("PORT", [words[0]])
    return found.put("PORT", {words[0]: words[1] if len(words) == 2 else ""}, index)  # noqa: PLR2004  name and value


_FEC = {"rs": "rs", "fc": "fc", "auto": "auto", "none": "none", "off": "none", "disabled": "none"}


def _fec(found: Interface, words: Sequence[str], index: int, negated: bool) -> LineState:
    if negated:
        return found.drop("PORT", ["fec"])
    mode = _FEC.get("".join(words[1:]).lower())
    return found.put("PORT", {"fec": mode}, index) if mode else UNRECOGNISED


def _shutdown(found: Interface, words: Sequence[str], index: int, negated: bool) -> LineState:
    if len(words) > 1:
        return UNRECOGNISED
    return found.put("PORT", {"admin_status": "up" if negated else "down"}, index)


def _description(found: Interface, words: Sequence[str], index: int, negated: bool) -> LineState:
    if negated:
        return found.drop("PORT", ["description"])
    return found.put("PORT", {"description": " ".join(words[1:]).strip('"')}, index)


_CABLE = re.compile(r"\d{1,6}m")


def _cable(found: Interface, words: Sequence[str], index: int, negated: bool) -> LineState:
    for port in found.ports:
        if negated:
            found.writer.drop("CABLE_LENGTH", port)
        elif len(words) != 2 or not _CABLE.fullmatch(words[1]):  # noqa: PLR2004  name and value
            return UNRECOGNISED
        else:
            found.writer.put("CABLE_LENGTH", port, {port: words[1]}, index, found.head)
    return MODELLED


def _qos_map(found: Interface, words: Sequence[str], index: int, negated: bool) -> LineState:
    known = MAPS.get(words[1]) if len(words) > 1 else None
    if known is None:
        return UNRECOGNISED
    if negated:
        return found.drop("PORT_QOS_MAP", [known[1]])
    return found.put("PORT_QOS_MAP", {known[1]: words[2]}, index) if len(words) == 3 else UNRECOGNISED  # noqa: PLR2004


def _scheduler(found: Interface, words: Sequence[str], index: int, negated: bool) -> LineState:
    if negated:
        return found.drop("PORT_QOS_MAP", ["scheduler"])
    return found.put("PORT_QOS_MAP", {"scheduler": words[1]}, index) if len(words) == 2 else UNRECOGNISED  # noqa: PLR2004


def _queue(found: Interface, words: Sequence[str], index: int, negated: bool) -> LineState:
    numbers = expand(words[1], 0, _QUEUES[-1]) if len(words) > 2 and words[2] == "wred-policy" else None  # noqa: PLR2004
    if numbers is None:
        return UNRECOGNISED
    for number in numbers:
        if negated:
            found.drop("QUEUE", ["wred_profile"], f"|{number}")
        elif len(words) != 4 or found.put("QUEUE", {"wred_profile": words[3]}, index, f"|{number}") is not MODELLED:  # noqa: PLR2004
            return UNRECOGNISED
    return MODELLED


def _buffer(found: Interface, words: Sequence[str], index: int, negated: bool) -> LineState:
    """Read `buffer priority-group LIST PROFILE`; the profile of a queue says nothing of what enters."""
    if words[1] == "queue":
        return NOT_MODELLED
    numbers = expand(words[2], 0, 7) if len(words) > 2 else None  # noqa: PLR2004  and the profile
    if numbers is None or (not negated and len(words) != 4):  # noqa: PLR2004
        return UNRECOGNISED
    for number in numbers:
        if negated:
            found.drop("BUFFER_PG", None, f"|{number}")
        else:
            found.put("BUFFER_PG", {"profile": words[3]}, index, f"|{number}")
    return MODELLED


def _pfc(found: Interface, words: Sequence[str], index: int, negated: bool) -> LineState:
    rest = list(words[1:])
    if rest == ["asymmetric"]:
        return found.put("PORT", {"pfc_asym": "off" if negated else "on"}, index)
    if rest[:1] == ["watchdog"]:
        return _watchdog(found, rest[1:], index, negated)
    numbers = expand("".join(rest[1:]), 0, 7) if rest[:1] == ["priority"] else None
    if numbers is None:
        return UNRECOGNISED
    for port in found.ports:
        before = found.writer.get("PORT_QOS_MAP", port, "pfc_enable") or ""
        paused = {int(number) for number in before.split(",") if number}
        paused = paused - set(numbers) if negated else paused | set(numbers)
        text = ",".join(map(str, sorted(paused)))
        if text:
            found.writer.put("PORT_QOS_MAP", port, {"pfc_enable": text}, index, found.head)
        else:
            found.writer.drop("PORT_QOS_MAP", port, ["pfc_enable"])
    return MODELLED


_TIMES = {"detect-time": "detection_time", "restore-time": "restoration_time", "action": "action"}


def _watchdog(found: Interface, words: Sequence[str], index: int, negated: bool) -> LineState:
    """Read `watchdog on [detect-time N]`, `watchdog off`, and `action`, `detect-time` and `restore-time` by themselves.

    A detection time starts the watchdog as `on` does.
    """
    if words in (["off"], ["on"]):
        is_on = words == ["on"] and not negated
        return found.put("PFC_WD", {RUNNING_FIELD: "on" if is_on else "off"}, index)
    rest = words[1:] if words[:1] == ["on"] else words
    name = _TIMES.get(rest[0]) if rest else None
    if name is None:
        return UNRECOGNISED
    starts = name == "detection_time"
    if negated:
        return found.drop("PFC_WD", [name, RUNNING_FIELD] if starts else [name])
    said = {name: rest[1] if len(rest) == 2 else ""}  # noqa: PLR2004  name and value
    return found.put("PFC_WD", {**said, RUNNING_FIELD: "on"} if starts else said, index)


def _channel_group(found: Interface, words: Sequence[str], index: int, negated: bool) -> LineState:
    number = decimal(words[1], 0, 9999) if len(words) > 1 else None
    if number is None and not negated:
        return UNRECOGNISED
    for port in found.ports:
        found.writer.drop("PORTCHANNEL_MEMBER", port)
        if number is not None and not negated:
            found.writer.put("PORTCHANNEL_MEMBER", port, {"name": f"PortChannel{int(number)}"}, index)
    return MODELLED


def _service_policy(found: Interface, words: Sequence[str], index: int, negated: bool) -> LineState:
    """Read `service-policy type qos in NAME`: what it matches is not modelled, so it hides how packets are sorted."""
    if words[1:4] != ["type", "qos", "in"]:
        return NOT_MODELLED
    if negated:
        return found.drop("PORT_QOS_MAP", [POLICY_FIELD])
    found.put("PORT_QOS_MAP", {POLICY_FIELD: words[-1]}, index)
    return NOT_MODELLED


def _address(found: Interface, words: Sequence[str], index: int, negated: bool) -> LineState:
    """Read `ip address`, `ip unnumbered`, `ipv6 address` and `ipv6 enable`: the port is routed."""
    if negated or "".join(words[1:2]) not in {"address", "unnumbered", "enable"}:
        return IGNORED
    return found.put("PORT", {FORWARDING_FIELD: "routed", TAGGED_FIELD: "false"}, index)


def _switchport(found: Interface, words: Sequence[str], index: int, negated: bool) -> LineState:
    """Read `switchport access Vlan N` and `switchport trunk allowed Vlan LIST`; a port may have both."""
    kind = "".join(words[1:2])
    if negated or kind not in {"access", "trunk"}:
        return IGNORED
    for port in found.ports:
        said = {FORWARDING_FIELD: "switched"}
        if kind == "trunk" or found.writer.get("PORT", port, TAGGED_FIELD) != "true":
            said[TAGGED_FIELD] = "true" if kind == "trunk" else "false"
        found.writer.put("PORT", port, said, index, found.head)
    return MODELLED


_READERS: Mapping[str, Callable[[Interface, Sequence[str], int, bool], LineState]] = {
    "mtu": _number,
    "speed": _number,
    "fec": _fec,
    "shutdown": _shutdown,
    "description": _description,
    CABLE: _cable,
    "qos-map": _qos_map,
    "scheduler-policy": _scheduler,
    "queue": _queue,
    "buffer": _buffer,
    "priority-flow-control": _pfc,
    "channel-group": _channel_group,
    "service-policy": _service_policy,
    "ip": _address,
    "ipv6": _address,
    "switchport": _switchport,
}
"""Statements by their first word: the interface, the words, the line's index, and whether `no` stood before."""
