"""Links between devices, from LLDP on either side or from a links file."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any, Literal

from pydantic import BaseModel, Field

from auditor.model.device import Device
from auditor.model.fabric import End, Fabric, Link
from auditor.model.setting import value_of
from auditor.util.listing import join_first
from auditor.util.model_config import CLOSED
from auditor.util.natsort import natural
from auditor.util.regex import regex
from auditor.util.schema import describe_read
from auditor.util.yamlfile import load


class _Closed(BaseModel):
    model_config = CLOSED


class EndFile(_Closed):
    """One end of a cable."""

    device: str
    port: str


class LinkFile(_Closed):
    """A cable."""

    a: EndFile
    b: EndFile


class LinksFile(_Closed):
    """links.yaml: the cables of a fabric."""

    schema_: Literal["roce-audit/links/1"] = Field(alias="schema")
    links: list[LinkFile]


@cache
def make_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a links file."""
    return describe_read(LinksFile)


def read_links(file: str, text: str) -> tuple[tuple[End, End], ...]:
    """Return the cables that a links file names; raises YamlError."""
    written = LinksFile.model_validate(load(file, text, make_schema()).data)
    return list_pairs(written.links)


def list_pairs(links: Iterable[LinkFile]) -> tuple[tuple[End, End], ...]:
    """Return the two ends of each cable that a file names."""
    return tuple((End(w.a.device, w.a.port), End(w.b.device, w.b.port)) for w in links)


def link_devices(devices: Sequence[Device], cables: Iterable[tuple[End, End]] = ()) -> Fabric:
    """Return *devices* with the links that their neighbours and *cables* from a links file give."""
    finder = _Finder(devices)
    evidence: dict[tuple[End, End], dict[str, None]] = {}
    told_by: dict[tuple[End, End], set[End]] = {}
    for device in devices:
        for port in device.ports:
            peer = value_of(port.peer)
            if peer is None:
                continue
            here = End(device.name, port.name)
            pair = _order_ends(here, finder.find(peer.device, peer.port, peer.mac))
            if pair[0] == pair[1]:
                continue
            evidence.setdefault(pair, {})[peer.evidence] = None
            told_by.setdefault(pair, set()).add(here)
    for a, b in cables:
        pair = _order_ends(finder.find(a.device, a.port), finder.find(b.device, b.port))
        if pair[0] != pair[1]:
            evidence.setdefault(pair, {})["links_file"] = None
    known = {end for pair in evidence for end in pair}
    described = map_described(devices)
    for pair in {_order_ends(near, far) for near, far in described.items() if described.get(far) == near}:
        if pair in evidence or known.isdisjoint(pair):
            evidence.setdefault(pair, {})[DESCRIPTION] = None
    shared: dict[tuple[str, ...], tuple[str, ...]] = {}
    links = (
        _make_link(pair, told_by.get(pair, ()), shared.setdefault(found := tuple(kinds), found))
        for pair, kinds in sorted(evidence.items(), key=lambda item: _sort_key(item[0]))
    )
    return Fabric(tuple(devices), tuple(links))


def _make_link(pair: tuple[End, End], told_by: Collection[End], evidence: tuple[str, ...]) -> Link:
    tellers = [end for end in pair if end in told_by]
    return Link(*pair, evidence, confirmed=len(tellers) > 1, teller=tellers[0] if len(tellers) == 1 else None)


MOST_NAMES = 3
"""Ports that a warning names."""
DESCRIPTION = "description"
"""The evidence of a link whose ends name each other in their descriptions."""
_APART = regex(r"[\s,;()\[\]<>=|]+")


def map_described(devices: Sequence[Device]) -> dict[End, End]:
    """Return the ports of switches whose descriptions name another port of these devices, with that port.

    A bundle of ports has no cable of its own.
    """
    finder = _Finder(devices)
    bundles = {End(device.name, lag) for device in devices for port in device.ports if (lag := value_of(port.lag))}
    ends = {End(device.name, port.name) for device in devices for port in device.ports} - bundles
    named = {
        End(device.name, port.name): finder.find_described(port.description)
        for device in devices
        if device.kind == "switch"
        for port in device.ports
        if port.description
    }
    return {near: far for near, far in named.items() if far in ends and near in ends and near != far}


def _order_ends(a: End, b: End) -> tuple[End, End]:
    return (a, b) if (a.device, a.port) <= (b.device, b.port) else (b, a)


def _sort_key(pair: tuple[End, End]) -> tuple[tuple[object, ...], ...]:
    return tuple((end.device, *natural(end.port)) for end in pair)


class _Finder:
    """Lookup of the dumped device and port that a neighbour announces."""

    def __init__(self, devices: Sequence[Device]) -> None:
        self._by_name = _map_unique(devices, lambda device: device.own_name.lower())
        self._by_host = _map_unique(devices, lambda device: device.own_name.lower().split(".")[0])
        self._devices = {device.name: device for device in devices}
        self._by_told_apart = {d.name.lower(): d for d in devices}
        self._ports: dict[int, dict[str, str]] = {}
        self._by_mac = _map_owners(devices)

    def find(self, device: str, port: str, mac: str = "") -> End:
        """Return the end by the names in its dump; the announced names if no dump or several dumps match.

        *mac* is the announced address of *port*.
        """
        name = _strip_serial(device).strip().lower()  # NX-OS appends the serial number: leaf1(FDO123)
        found = self._by_told_apart.get(device.lower()) if device.lower() != name else None
        found = found or self._by_name.get(name) or self._by_short_name(name)
        if found:
            names = self._names(found)
            return End(found.name, names.get(normalise_port_name(port)) or names.get(normalise_port_name(mac)) or port)
        # an LLDP agent in an adapter's firmware knows no names: it announces the address of the port it speaks for
        owner = self._by_mac.get(normalise_port_name(port)) or self._by_mac.get(normalise_port_name(mac))
        return owner or self._by_chassis(device, port) or End(device, port)

    def find_described(self, description: str) -> End | None:
        """Return the port of which two words of a *description*, one behind the other, give device and port.

        They may stand as `DEVICE:PORT`; a colon is part of the name of a split port of Junos.
        """
        words = [word.rstrip(":") for word in _APART.split(description) if any(map(str.isalnum, word))]
        joined = [(parts[0], parts[2]) for word in words if (parts := word.partition(":"))[2]]
        for device, port in (*pairwise(words), *joined):
            found = self._by_name.get(device.lower()) or self._by_short_name(device.lower())
            name = self._names(found).get(normalise_port_name(port)) if found else None
            if found and name:
                return End(found.name, name)
        return None

    def _by_chassis(self, address: str, port: str) -> End | None:
        """Return the port of the device that owns the *address* of a chassis, which may be that of another port."""
        owner = self._by_mac.get(normalise_port_name(address))
        if owner is None:
            return None
        return End(owner.device, self._names(self._devices[owner.device]).get(normalise_port_name(port), port))

    def _by_short_name(self, name: str) -> Device | None:
        """Return the device of the same short name if one of both names has no domain."""
        found = self._by_host.get(name.split(".", maxsplit=1)[0])
        return found if found and ("." not in name or "." not in found.own_name) else None

    def _names(self, device: Device) -> dict[str, str]:
        """Return the port names of *device* by every spelling that a neighbour may use."""
        if id(device) not in self._ports:
            names: dict[str, str] = {}
            macs = Counter(normalise_port_name(mac) for port in device.ports if (mac := value_of(port.mac)))
            for port in device.ports:
                mac = value_of(port.mac)
                # members of a bond may share the bond's
                own = [mac] if mac and macs[normalise_port_name(mac)] == 1 else []
                for spelling in (port.name, *port.aliases, *own):
                    names.setdefault(normalise_port_name(spelling), port.name)
            self._ports[id(device)] = names
        return self._ports[id(device)]


def _strip_serial(device: str) -> str:
    """Return a device's announced name without what stands in brackets at its end.

    >>> _strip_serial("leaf1(FDO123)"), _strip_serial("leaf1)"), _strip_serial("a(b)c(d)")
    ('leaf1', 'leaf1)', 'a(b)c')
    """
    start = device.find("(", device.rfind(")", 0, -1) + 1)
    return device[:start] if device.endswith(")") and start >= 0 else device


def _map_owners(devices: Sequence[Device]) -> Mapping[str, End]:
    """Return the port of each MAC address that only one port has."""
    ends = [
        (normalise_port_name(mac), End(d.name, p.name)) for d in devices for p in d.ports if (mac := value_of(p.mac))
    ]
    shared = Counter(mac for mac, _ in ends)
    return {mac: end for mac, end in ends if shared[mac] == 1}


def _map_unique(devices: Sequence[Device], key: Callable[[Device], str]) -> Mapping[str, Device]:
    """Return the devices by *key*, without devices that share a key."""
    shared = Counter(map(key, devices))
    return {key(device): device for device in devices if shared[key(device)] == 1}


def list_unknown_ends(found: Fabric, cables: Iterable[tuple[End, End]]) -> tuple[str, ...]:
    """Return a warning for each device of which *cables* name ports that it does not have, with the first of them."""
    finder, ends = _Finder(found.devices), found.ends()
    dumped = {device.name for device in found.devices}
    named = {end: finder.find(end.device, end.port) for cable in cables for end in cable}
    unknown: dict[str, list[str]] = {}
    for end, meant in named.items():
        if meant.device in dumped and meant not in ends:
            unknown.setdefault(meant.device, []).append(str(end))
    return tuple(
        f"a declared cable names {join_first(ports, MOST_NAMES)}, which the dumps of {device} do not have"
        for device, ports in unknown.items()
    )


@lru_cache(maxsize=2**16)
def normalise_port_name(port: str) -> str:
    """Return a port's name in one spelling.

    >>> normalise_port_name("Eth1/1") == normalise_port_name("Ethernet1/1"), normalise_port_name("0C:42:a1:00:00:01")
    (True, '0c42a1000001')
    """
    text = port.strip().lower()
    if re.fullmatch(r"(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}|(?:[0-9a-f]{4}[.-]){2}[0-9a-f]{4}", text):
        return re.sub(r"[^0-9a-f]", "", text)
    return re.sub(r"\A(?:ethernet|eth|et|e)\s*(?=\d+/)", "ethernet", text)
