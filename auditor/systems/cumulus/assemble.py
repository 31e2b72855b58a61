"""The object model to ports: each port gets its profiles; equal ports share one configuration object."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from auditor.model.buffers import Pool, PriorityGroup
from auditor.model.port import Ethernet, Forwarding, LinkPause, Pfc, Port, PortConfig, RateLimits, Watchdog
from auditor.model.qos import Classification, Marking, Queue
from auditor.model.setting import HEAD, Known, Origin, Setting, Unknown, Unset, Where
from auditor.model.spreading import Spreading
from auditor.systems.cumulus import profiles
from auditor.systems.cumulus.egress import Egress, find_rate, list_queues
from auditor.systems.cumulus.names import CHILD, PORT
from auditor.systems.cumulus.objects import (
    ObjectNode,
    Proof,
    T,
    find_value,
    is_up,
    or_silent,
    parse_gbps,
    parse_number,
    parse_switch,
    parse_word,
)
from auditor.systems.cumulus.pausing import Pausing, list_priority_groups, resolve_link_pause, resolve_pausing
from auditor.systems.cumulus.presets import MODES, QOS_PAGE, list_roce_statements
from auditor.systems.cumulus.sharing import ROUTED, find_head, find_inheritable, make_key, make_relative
from auditor.util.regex import regex
from auditor.util.values import dataclass

EVERY = "*"
"""The name of the settings for all ports."""
GLOBAL = "default-global"
_KINDS = ("mapping", "pfc", "congestion-control", "egress-scheduler", "remark")
_OWN_KINDS = ("link-pause", "egress-shaper")
"""Kinds of profiles without a global profile."""


@dataclass(frozen=True, slots=True)
class _Breakout:
    """The split of a port: the number of parts, the speed of each, and the line."""

    count: int
    speed_gbps: Setting[float]
    where: Where


@dataclass(frozen=True, slots=True)
class _Policies:
    """The effect of a set of profiles, computed once for all ports with the same set."""

    pausing: Pausing
    pause: LinkPause
    classification: Classification
    marking: Marking
    queues: Setting[tuple[Queue, ...]]
    priority_groups: Setting[tuple[PriorityGroup, ...]]
    limits: RateLimits


class Assembler:
    """Builds the ports of one object model, with one object for each distinct thing."""

    def __init__(self, root: ObjectNode) -> None:
        self._root = root
        self._is_documented = root.at("qos", "mapping") is not None  # laid under by the release or a RoCE profile
        self._interfaces = (root.at("interface") or ObjectNode(root.proof)).children
        self._top = root.proof.where
        self._silent = Unset(HEAD)
        self._mode = list_roce_statements(root)
        self._policies: dict[tuple[int, ...], _Policies] = {}
        self._configs: dict[object, PortConfig] = {}
        self._lags = dict(self._members())
        self._routed = dict(self._neighbours())

    def ports(self) -> tuple[Port, ...]:
        """Return the ports by number, without split ports and ports that lost their lanes to another port."""
        broken = {name: b for name, node in self._interfaces.items() if PORT.match(name) and (b := _breakout(node))}
        named = [name for name in (*self._interfaces, *self._lags) if PORT.match(name)]
        children = {f"{parent}s{n}": b for parent, b in broken.items() for n in range(b.count)}
        parents = {m["parent"] for name in (*named, *children) if (m := CHILD.match(name))}
        parents |= {name for name, node in self._interfaces.items() if node.at("link", "breakout", "disabled")}
        names = {name for name in (*named, *children) if name not in parents}
        return tuple(self._port(name, children.get(name)) for name in sorted(names, key=_by_number))

    def pools(self) -> tuple[Pool, ...]:
        """Return the traffic pools; the bytes of a share depend on the switch."""
        found = self._root.at("qos", "traffic-pool")
        return tuple(
            Pool(
                name,
                "both",
                lossless=Known("lossless" in name, pool.proof.origin, pool.proof.where, QOS_PAGE),
                size_bytes=Unset(pool.proof.where),
                memory_percent=find_value(pool, "memory-percent", _percent),
            )
            for name, pool in (found.children if found else {}).items()
        )

    def _members(self) -> Iterator[tuple[str, tuple[str, Proof]]]:
        for bond, node in self._interfaces.items():
            members = node.at("bond", "member")
            for name, member in (members.children if members else {}).items():
                yield name, (bond, member.proof)

    def _neighbours(self) -> Iterator[tuple[str, Where]]:
        """Yield the ports over which BGP peers without an address: they are routed."""
        for vrf in (self._root.at("vrf") or ObjectNode(self._root.proof)).children.values():
            found = vrf.at("router", "bgp", "neighbor")
            for name, node in (found.children if found else {}).items():
                if PORT.match(name):
                    yield name, node.proof.where

    def _port(self, name: str, breakout: _Breakout | None) -> Port:
        lag, proof = self._lags.get(name, (None, Proof(breakout.where if breakout else self._top)))
        node = self._interfaces.get(name) or ObjectNode(proof)
        head = find_head(node)
        written = self._with_inherited(make_relative(node, head), lag)
        routed = self._routed.get(name)
        key = (make_key(written), breakout.speed_gbps if breakout else None, lag, routed is not None)
        if key not in self._configs:
            self._configs[key] = self._config(written, breakout, routed)
        parent = CHILD.match(name)
        text = find_value(node, "description", parse_word)
        return Port(
            name=name,
            config=self._configs[key],
            where=head,
            lag=Known(lag, Origin.INTENDED, proof.where if lag else head),
            parent=Known(parent["parent"] if parent else None, Origin.INTENDED, breakout.where if breakout else head),
            description=text.value if isinstance(text, Known) else None,
        )

    def _with_inherited(self, node: ObjectNode, lag: str | None) -> ObjectNode:
        """Return the statements of a port over those of its bond, and over those of all ports."""
        every = self._interfaces.get(EVERY)
        bond = self._interfaces.get(lag) if lag else None
        if every is None and bond is None:
            return node
        found = ObjectNode(node.proof)
        for under in (every, find_inheritable(bond) if bond else None, node):
            if under:
                found.lay(under)
        return found

    def _config(self, node: ObjectNode, breakout: _Breakout | None, routed: Where | None) -> PortConfig:
        found = self._resolve(node)
        return PortConfig(
            ethernet=self._ethernet(node, breakout, routed),
            pfc=replace(found.pausing.pfc, watchdog=self._watchdog(node)),
            pause=found.pause,
            classification=found.classification,
            marking=found.marking,
            queues=found.queues,
            priority_groups=found.priority_groups,
            cable_length_m=found.pausing.cable_length_m,
            limits=found.limits,
            spreading=self._spreads(node),
        )

    def _spreads(self, node: ObjectNode) -> Setting[Spreading]:
        """Return what stays on one path: the port's state of adaptive routing counts, unless the switch's is off."""
        whole, own = (_adaptive_routing(holder) for holder in (self._root, node))
        if isinstance(whole, Known) and whole.value is Spreading.FLOW:
            return whole
        if isinstance(whole, Known) and not isinstance(own, Known):
            return Unknown("adaptive routing is on for the switch, and the port says nothing of it")
        return own if isinstance(own, Known) else Unset(self._silent.where)

    def _resolve(self, node: ObjectNode) -> _Policies:
        """Return the policies of the active profiles: the port's own, else the global ones."""
        if self._mode and self._mode.value not in MODES:
            return _make_unknown(f"what `qos roce mode {self._mode.value}` stands for is not known here")
        used = {kind: self._profile(node, kind) for kind in (*_KINDS, *_OWN_KINDS)}
        key = tuple(map(id, used.values()))
        if key not in self._policies:
            pauses = resolve_pausing(used["pfc"], self._silent, self._mode, is_documented=self._is_documented)
            classes = profiles.list_traffic_classes(self._root, pauses.pfc, pauses.lines)
            egress = Egress(
                used["congestion-control"],
                used["egress-scheduler"],
                used["egress-shaper"],
                self._root.at("qos", "advance-buffer-config", "default-global"),
            )
            groups = list_priority_groups(pauses, classes, self._root)
            self._policies[key] = _Policies(
                pauses,
                resolve_link_pause(used["link-pause"], self._silent),
                profiles.resolve_classification(used["mapping"], classes, self._root, self._silent),
                profiles.resolve_marking(used["remark"], self._silent),
                Known(list_queues(egress, classes, self._silent), Origin.INTENDED, self._silent.where),
                Known(groups, Origin.INTENDED, self._silent.where),
                RateLimits(or_silent(find_rate(egress.shaper, "port-max-rate"), self._silent)),
            )
        return self._policies[key]

    def _profile(self, node: ObjectNode, kind: str) -> ObjectNode | None:
        """Return the profile of a port, None without a profile; an undefined name is an empty profile."""
        holder = node.at("qos", kind)
        names = holder.at("profile") or holder if holder else None
        name = next(reversed(names.children), None) if names and not names.ended else None
        found = self._root.at("qos", kind, name or (GLOBAL if kind in _KINDS else ""))
        return found or (names if name else None)

    def _watchdog(self, node: ObjectNode) -> Watchdog:
        asked = node.at("qos", "pfc-watchdog")
        timing = self._root.at("qos", "pfc-watchdog")
        polling, count = (
            find_value(timing, "polling-interval", parse_number),
            find_value(timing, "robustness", parse_number),
        )
        detection: Setting[float] = self._silent
        polled: Setting[float] = self._silent
        if isinstance(polling, Unknown):
            polled = detection = polling
        elif isinstance(polling, Known):
            polled = Known(float(polling.value), polling.origin, polling.where, polling.reference)
            if isinstance(count, Known):
                told = count if count.origin is Origin.INTENDED else polling
                detection = Known(float(polling.value * count.value), told.origin, told.where, told.reference)
            elif isinstance(count, Unknown):
                detection = count
        state = find_value(asked, "state", parse_switch)
        taken = node.find_negation("qos", "pfc-watchdog", "state")
        enabled: Setting[bool] = state
        if isinstance(state, Unset) and taken:
            enabled = Unset(taken.where)
        elif isinstance(state, Unset):
            enabled = Known(value=True, origin=Origin.INTENDED, where=asked.proof.where) if asked else self._silent
        return Watchdog(enabled, detection, self._silent, polled, self._silent, self._silent)

    def _ethernet(self, node: ObjectNode, breakout: _Breakout | None, routed: Where | None) -> Ethernet:
        silent = self._silent
        speed: Setting[float] = self._link(node, "speed", parse_gbps)
        if isinstance(speed, Unset) and breakout:
            speed = breakout.speed_gbps
        addressed = next((found for name in ROUTED if (found := node.find_object(name, "address"))), None)
        bridged = node.find_object(*_DOMAIN)
        taken = _silence(node, silent, *((name, "address") for name in ROUTED), _DOMAIN)
        forwarding: Setting[Forwarding] = taken
        tagged: Setting[bool] = taken
        if bridged:
            forwarding = Known(Forwarding.SWITCHED, Origin.INTENDED, bridged.proof.where)
            domains = bridged.children.values()
            access = next(
                (d.at("access") for d in domains if isinstance(find_value(d, "access", parse_word), Known)), None
            )
            where = access.proof.where if access else bridged.proof.where
            tagged = Known(access is None, Origin.INTENDED, where)
        elif addressed or routed:
            where = addressed.proof.where if addressed else HEAD
            forwarding = Known(Forwarding.ROUTED, Origin.INTENDED, where)
            tagged = Known(value=False, origin=Origin.INTENDED, where=where)
        return Ethernet(
            enabled=self._link(node, "state", is_up),
            speed_gbps=speed,
            lanes=self._link(node, "lanes", parse_number),
            fec=self._link(node, "fec", _fec),
            mtu_bytes=self._link(node, "mtu", parse_number),
            ip_mtu_bytes=silent,
            max_frame_bytes=silent,
            forwarding=forwarding,
            tagged=tagged,
            negotiates=self._link(node, "auto-negotiate", parse_switch),
        )

    def _link(self, node: ObjectNode, name: str, convert: Callable[[str], T | None]) -> Setting[T]:
        """Return a value of the link; Unset with the line that took it back, else with the port's head."""
        found = find_value(node.at("link"), name, convert)
        is_silent = isinstance(found, Unset) and found.where is None
        return _silence(node, self._silent, ("link", name)) if is_silent else found


_DOMAIN = ("bridge", "domain")


def _silence(node: ObjectNode, silent: Unset, *paths: tuple[str, ...]) -> Unset:
    """Return Unset with the line that took back one of *paths*, *silent* where no line did."""
    proof = next((proof for path in paths if (proof := node.find_negation(*path))), None)
    return Unset(proof.where) if proof else silent


def _make_unknown(why: str) -> _Policies:
    """Return unknown policies for a port under an undocumented RoCE profile."""
    unknown = Unknown(why)
    pfc = Pfc(unknown, priorities=unknown, tx_priorities=unknown, rx_priorities=unknown)
    sorting = Classification(unknown, unknown, unknown, unknown, unknown, unknown)
    return _Policies(
        Pausing(pfc, PriorityGroup(0), unknown),
        LinkPause(unknown, unknown),
        sorting,
        Marking(unknown, unknown, unknown),
        unknown,
        unknown,
        RateLimits(unknown),
    )


def _percent(text: str) -> float | None:
    return float(text) if re.fullmatch(r"\d{1,3}(?:\.\d{1,4})?", text) else None


def _parse_spreading(text: str) -> Spreading | None:
    """Return what adaptive routing keeps together, by its state."""
    state = parse_switch(text)
    return None if state is None else Spreading.PACKET if state else Spreading.FLOW


def _adaptive_routing(node: ObjectNode) -> Setting[Spreading]:
    """Return the state of adaptive routing of a port or the switch; up to release 5.14 it is `enable on`."""
    found = node.at("router", "adaptive-routing")
    told = [find_value(found, name, _parse_spreading) for name in ("state", "enable")]
    return next((each for kind in (Unknown, Known) for each in told if isinstance(each, kind)), Unset())


def _fec(text: str) -> str | None:
    return None if text == "auto" else text


_BREAKOUT = regex(r"(?P<count>\d)x(?P<speed>\d{1,4}[GM])?", re.IGNORECASE)


def _breakout(node: ObjectNode) -> _Breakout | None:
    """Return the split of a port, None if the port is whole."""
    split = node.at("link", "breakout")
    for text, leaf in reversed((split.children if split and not split.ended else {}).items()):
        match = _BREAKOUT.fullmatch(text)
        if match and int(match["count"]) > 1:
            where = leaf.proof.where
            speed = parse_gbps(match["speed"]) if match["speed"] else None
            told: Setting[float] = Unset(where) if speed is None else Known(speed, Origin.INTENDED, where)
            return _Breakout(int(match["count"]), told, where)
    return None


def _by_number(name: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", name)))
