"""The statements of an interface."""

from collections.abc import Iterable, Iterator
from typing import Any

from auditor.grammar.numbers import decimal, expand
from auditor.grammar.rows import skip
from auditor.grammar.statements import Arguments, Keys, Negation, Statement, Table
from auditor.model.dump import LineState
from auditor.model.setting import Setting, Unknown, Unset, Where
from auditor.systems.enterprise_sonic.block import (
    INTERFACES_PAGE,
    L2_PAGE,
    L3_PAGE,
    LAG_PAGE,
    PFC_PAGE,
    QOS_INTERFACES_PAGE,
    QOS_PAGE,
    QosBlock,
    field,
    parse_word,
)
from auditor.systems.enterprise_sonic.names import MAPS
from auditor.systems.enterprise_sonic.store import Key, Place
from auditor.systems.sonic.assemble import FORWARDING_FIELD, POLICY_FIELD, RUNNING_FIELD, TAGGED_FIELD
from auditor.systems.sonic.vocabulary import IGNORED, MODELLED, NOT_MODELLED, UNRECOGNISED
from auditor.util.regex import regex
from auditor.util.values import dataclass

CABLE = "CABLE_LENGTH.length"
PAUSED = "PORT_QOS_MAP.pfc_enable"
FORWARDING, TAGGED = f"PORT.{FORWARDING_FIELD}", f"PORT.{TAGGED_FIELD}"
ROUTED, SWITCHED = "PORT.routed", "PORT.switched"
"""The two ways of forwarding by themselves: the negation of the one leaves the other."""
RUNNING, DETECTION = f"PFC_WD.{RUNNING_FIELD}", "PFC_WD.detection_time"
_QUEUES = range(48)
_SWITCH_WIDE = regex(
    r"(?:no )?(?:priority-flow-control watchdog (?:polling-interval|counter-poll)|"
    r"buffer(?! priority-group| queue))(?: |\Z)"
)
_QOS_WORD = regex(r"(?P<no>(?:no )?)qos (?=(?:buffer|default-lossless-buffer-profile)(?: |\Z))")
"""Some releases write `qos` before statements about buffers."""


@dataclass(slots=True)
class Interface(QosBlock):
    """`interface NAME` or `interface range …`; `ports` is empty for other interfaces than physical ports."""

    ports: tuple[str, ...]

    @property
    def table(self) -> Table["Interface"]:
        """Return the statements of an interface."""
        return INTERFACE

    def open(self) -> LineState:
        """Begin the interface: a setting without a line is not configured."""
        for port in self.ports:
            self.writer.begin("PORT", port, self.head, list_interface_entries(port))
            self.writer.begin("PORT_QOS_MAP", port, self.head)
        return MODELLED if self.ports else NOT_MODELLED

    def read(self, text: str, where: Where) -> LineState | None:
        """Read one line."""
        if "qos " in text:
            text = _QOS_WORD.sub(r"\g<no>", text, count=1)
        line = INTERFACE.split(text)[1]
        if _SWITCH_WIDE.match(line):
            return None
        if not INTERFACE.begins(line):
            state = INTERFACE.state_of(line)
            return None if state is UNRECOGNISED else state
        return INTERFACE.read(self, text, where) if self.ports else _of_no_port(line.partition(" ")[0])

    def places(self, name: str, member: object = None) -> Iterator[Place]:
        """Yield the field `TABLE.name` of each port, or of its queue or priority group *member*."""
        if name in _WAYS:
            yield from self._forwarding(_WAYS[name])
            return
        table, _, name = name.partition(".")
        item = "" if member is None else f"|{member}"
        for port in self.ports:
            yield table, f"{port}{item}", port if table == "CABLE_LENGTH" else name

    def _forwarding(self, way: str) -> Iterator[Place]:
        """Yield the fields of each port without another forwarding mode."""
        for port in self.ports:
            if self.writer.get("PORT", port, FORWARDING_FIELD) in {way, None}:
                yield "PORT", port, FORWARDING_FIELD
                yield "PORT", port, TAGGED_FIELD

    def assign_members(self, name: str, keys: Iterable[Any], found: Setting[str]) -> None:
        """Keep the setting of entries of a field; priorities are members of one field."""
        if name != PAUSED:
            QosBlock.assign_members(self, name, keys, found)
        elif isinstance(found, Unset) and found.where:
            self.pause((), keys, found.where)
        else:
            self.assign(name, found)

    def pause(self, more: Iterable[int], less: Iterable[int], where: Where) -> None:
        """Add *more* priorities to each port's list and remove *less*; an unknown list stays unknown."""
        index = self.writer.index(where)
        for place in self.places(PAUSED):
            if self.writer.is_unknown(*place):
                continue
            before = self.writer.get(*place) or ""
            paused = ({int(number) for number in before.split(",") if number} | set(more)) - set(less)
            text = ",".join(map(str, sorted(paused)))
            if text:
                self.writer.put(place[0], place[1], {place[2]: text}, index, self.head)
            else:
                self.writer.blank(place, index, self.head)


_WAYS = {ROUTED: "routed", SWITCHED: "switched"}


def _of_no_port(word: str) -> LineState:
    return IGNORED if word in {"description", "ip", "ipv6", "shutdown", "switchport"} else NOT_MODELLED


def list_interface_entries(port: str) -> Iterator[Key]:
    """Yield the possible entries of a port's statements."""
    for table in ("PORT_QOS_MAP", "PFC_WD", "CABLE_LENGTH", "PORTCHANNEL_MEMBER"):
        yield table, port
    for table in ("QUEUE", "BUFFER_PG"):
        yield from ((table, f"{port}|{number}") for number in _QUEUES)


def _write_negotiation(body: Interface, _: Arguments, where: Where) -> LineState:
    """Write `speed auto`: a negotiated speed is not in the configuration."""
    body.assign("PORT.speed", Unset(where))
    return MODELLED


_FEC = {"rs": "rs", "fc": "fc", "auto": "auto", "none": "none", "off": "none", "disabled": "none"}
_CABLE = regex(r"\d{1,6}m")


def _cable(text: str) -> str | None:
    return text if _CABLE.fullmatch(text) else None


def _shutdown(body: Interface, _: Arguments, where: Where) -> LineState:
    return body.put({"PORT.admin_status": "down"}, where)


def _numbers(highest: int) -> Keys:
    """Return a reader of the list of `numbers` up to *highest*."""
    return lambda arguments: expand(arguments["numbers"], 0, highest)


def _item(form: str, name: str, highest: int, *, example: str, page: str) -> Statement[Interface]:
    """Return a statement that binds the profile `value` to the queues or priority groups `numbers`."""
    members = _numbers(highest)

    def write(body: Interface, arguments: Arguments, where: Where) -> LineState | None:
        numbers, text = members(arguments), parse_word(arguments["value"])
        if numbers is None or text is None:
            return None
        return body.put_each(name, text, where, numbers)

    return Statement(form, example, write, Negation(page, member=(name, members)))


def _asymmetric(body: Interface, _: Arguments, where: Where) -> LineState:
    return body.put({"PORT.pfc_asym": "on"}, where)


def _watch(state: str) -> Statement[Interface]:
    """Return the statement that switches the watchdog on or off; its negation switches off."""
    form = f"priority-flow-control watchdog {state}"

    def write(body: Interface, _: Arguments, where: Where) -> LineState:
        return body.put({RUNNING: state}, where)

    return Statement(form, form, write, Negation(PFC_PAGE, off={RUNNING: "off"}))


def _detect(body: Interface, arguments: Arguments, where: Where) -> LineState | None:
    """Write `watchdog [on] detect-time N`: a detection time starts the watchdog as `on` does."""
    text = parse_word(arguments["value"])
    return None if text is None else body.put({DETECTION: text, RUNNING: "on"}, where)


_PRIORITIES = _numbers(7)


def _pause(body: Interface, arguments: Arguments, where: Where) -> LineState:
    numbers = _PRIORITIES(arguments)
    if numbers is None:
        body.assign(PAUSED, Unknown(f"`priority-flow-control priority {arguments['numbers'][:40]}` is malformed"))
        return UNRECOGNISED
    body.pause(numbers, (), where)
    return MODELLED


def _join(body: Interface, arguments: Arguments, where: Where) -> LineState | None:
    number = decimal(arguments["number"], 0, 9999)
    return None if number is None else body.put({"PORTCHANNEL_MEMBER.name": f"PortChannel{int(number)}"}, where)


def _route(body: Interface, _: Arguments, where: Where) -> LineState:
    return body.put({FORWARDING: "routed", TAGGED: "false"}, where)


def _switch(kind: str, example: str) -> Statement[Interface]:
    """Return the statement of a port's VLANs, tagged on a trunk; a port may have both kinds."""
    is_trunk = kind == "trunk"

    def write(body: Interface, _: Arguments, where: Where) -> LineState:
        for port in body.ports:
            texts = {FORWARDING_FIELD: "switched"}
            if is_trunk or body.writer.get("PORT", port, TAGGED_FIELD) != "true":
                texts[TAGGED_FIELD] = str(is_trunk).lower()
            body.writer.put("PORT", port, texts, body.writer.index(where), body.head)
        return MODELLED

    return Statement(f"switchport {kind} ...", example, write, Negation(L2_PAGE, (SWITCHED,)))


_ROUTE = Negation(L3_PAGE, (ROUTED,))
INTERFACE: Table[Interface] = Table(
    (
        field("mtu {value*}", "PORT.mtu", example="mtu 9216", page=INTERFACES_PAGE),
        Statement(
            "speed auto ...", "speed auto 100000", _write_negotiation, Negation(INTERFACES_PAGE, ("PORT.speed",))
        ),
        field("speed {value*}", "PORT.speed", example="speed 100000", page=INTERFACES_PAGE),
        field(
            "fec {value*}",
            "PORT.fec",
            example="fec RS",
            page=INTERFACES_PAGE,
            convert=lambda text: _FEC.get(text.lower()),
        ),
        Statement("shutdown", "shutdown", _shutdown, Negation(INTERFACES_PAGE, off={"PORT.admin_status": "up"})),
        field(
            "description {value*}",
            "PORT.description",
            example="description spare",
            page=INTERFACES_PAGE,
            convert=lambda text: text.strip('"'),
        ),
        field("cable-length {value*}", CABLE, example="cable-length 40m", page=QOS_INTERFACES_PAGE, convert=_cable),
        *(
            field(f"qos-map {kind} {{value*}}", f"PORT_QOS_MAP.{name}", example=f"qos-map {kind} M", page=QOS_PAGE)
            for kind, (_, name, _, _) in MAPS.items()
        ),
        field("scheduler-policy {value*}", "PORT_QOS_MAP.scheduler", example="scheduler-policy S", page=QOS_PAGE),
        _item(
            "queue {numbers} wred-policy {value*}",
            "QUEUE.wred_profile",
            _QUEUES[-1],
            example="queue 3 wred-policy W",
            page=QOS_PAGE,
        ),
        skip("buffer queue ..."),
        _item(
            "buffer priority-group {numbers} {value*}",
            "BUFFER_PG.profile",
            7,
            example="buffer priority-group 3 P",
            page=QOS_INTERFACES_PAGE,
        ),
        Statement(
            "priority-flow-control asymmetric",
            "priority-flow-control asymmetric",
            _asymmetric,
            Negation(PFC_PAGE, off={"PORT.pfc_asym": "off"}),
        ),
        _watch("on"),
        _watch("off"),
        Statement(
            "priority-flow-control watchdog [on] detect-time {value*}",
            "priority-flow-control watchdog on detect-time 200",
            _detect,
            Negation(PFC_PAGE, (DETECTION, RUNNING)),
        ),
        field(
            "priority-flow-control watchdog [on] restore-time {value*}",
            "PFC_WD.restoration_time",
            example="priority-flow-control watchdog restore-time 400",
            page=PFC_PAGE,
        ),
        field(
            "priority-flow-control watchdog [on] action {value*}",
            "PFC_WD.action",
            example="priority-flow-control watchdog action drop",
            page=PFC_PAGE,
        ),
        Statement(
            "priority-flow-control priority {numbers*}",
            "priority-flow-control priority 3",
            _pause,
            Negation(QOS_INTERFACES_PAGE, member=(PAUSED, _PRIORITIES)),
        ),
        Statement(
            "channel-group {number} ...",
            "channel-group 10 mode active",
            _join,
            Negation(LAG_PAGE, ("PORTCHANNEL_MEMBER.name",)),
        ),
        field(
            "service-policy type qos in {value*}",
            f"PORT_QOS_MAP.{POLICY_FIELD}",
            example="service-policy type qos in P",
            page=QOS_INTERFACES_PAGE,
            state=NOT_MODELLED,
        ),
        skip("service-policy ..."),
        Statement("ip address ...", "ip address 192.0.2.1/31", _route, _ROUTE),
        Statement("ip unnumbered ...", "ip unnumbered Loopback 0", _route, _ROUTE),
        Statement("ipv6 address ...", "ipv6 address 2001:db8::1/64", _route, _ROUTE),
        Statement("ipv6 enable", "ipv6 enable", _route, _ROUTE),
        _switch("access", "switchport access Vlan 10"),
        _switch("trunk", "switchport trunk allowed Vlan 20"),
    ),
    not_modelled=regex(r"(?:threshold|dcbx|default-lossless-buffer-profile|rate-shape)(?: |\Z)"),
    ignored=regex(
        r"(?:access-group|advertise|ars|authentication|autoneg|autostate|bfd|bgp|carrier-delay|client|dhcp|"
        r"dhcp-relay|dot1x|downlink|dropcounters|encapsulation|errdisable|evpn|fallback|flow|graceful-"
        r"shutdown|instance|ip|ipv6|keepalive|lacp|link|lldp|load-interval|logging|mab|mac|mclag|media|"
        r"minimum-links|mode|mpls|nat|nat-zone|neigh-suppress|neighbor|network-policy|ospf|phy|pim|poe|"
        r"poll|port-security|ptp|pvst|rate-interval|rate-limit|sag|sflow|snmp|spanning-tree|standalone-link-"
        r"training|storm-control|suppress|switchport|transceiver|tunnel|udld|unreliable-los|vrrp|xconnect)(?: |\Z)"
    ),
)
