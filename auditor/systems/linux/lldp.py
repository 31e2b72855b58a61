"""`lldpctl` in its JSON formats and as text: the neighbour of each netdev."""

from collections.abc import Iterator
from dataclasses import field

from auditor.model.dump import Capture
from auditor.model.port import PeerPort, Pfc, Port, PortConfig
from auditor.model.setting import Known, Origin, Where
from auditor.systems.linux import jsontext, text
from auditor.systems.linux.command import Command
from auditor.systems.linux.evidence import Call, Events, PortFact, Strength
from auditor.systems.linux.facts import make_service
from auditor.systems.linux.fetch import Fetch
from auditor.systems.linux.marks import mark_ignored, mark_modelled, mark_not_modelled
from auditor.systems.linux.portnames import Subject
from auditor.util.regex import regex
from auditor.util.values import dataclass

PFC_TLV_PAGE = "IEEE Std 802.1Q-2022, D.2.10 (Priority-based Flow Control Configuration TLV)"
_PFC_TLV = ("00,80,C2", "11")
"""OUI and subtype of DCBX's TLV: an octet with the willing bit, and one with a bit for each priority."""
_TWO_BYTES = regex(r"([0-9A-F]{2}),([0-9A-F]{2})")
_TLV = regex(r"OUI: ([0-9A-F,]{8}), SubType: (\d{1,3}), Len: \d{1,3},? ([0-9A-F,]+)")
_KEPT = frozenset(
    {
        *("unknown-tlvs", "unknown-tlv", "oui", "subtype", "len"),
        *("name", "interface", "chassis", "port", "id", "value", "descr", "capability", "type", "enabled"),
    }
)
_INTERFACE = regex(r"Interface:\s*([^\s,]+)\s*(?:,.*)?")
_FIELD = regex(r"([\w-]+):\s*(.*)")
_PAIR = regex(r"lldp\.([^\s=]{1,64}?)\.((?:via|rid|age|chassis|port|vlan|ppvid|pi|[a-z]{1,20}-[a-z]{1,20})(?:\..*)?)")
_CAPABILITY = regex(r"chassis\.(\w+)\.enabled")
_TLV_PATH = "unknown-tlvs.unknown-tlv"
_CHASSIS_IDS = frozenset(f"chassis.{kind}" for kind in ("mac", "ip", "ifname", "local", "ifalias"))
_PORT_IDS = frozenset(f"port.{kind}" for kind in ("mac", "ip", "ifname", "local", "ifalias"))
_TEXT_FIELDS = frozenset({"SysName", "PortID", "PortDescr", "ChassisID"})


@dataclass(slots=True)
class _Neighbour:
    netdev: str
    where: Where
    chassis_name: str = ""
    chassis_id: str = ""
    port_type: str = ""
    port_id: str = ""
    port_description: str = ""
    capabilities: set[str] = field(default_factory=set)
    tlv: dict[str, str] = field(default_factory=dict)
    pfc: Known[tuple[int, ...]] | None = None

    def take_tlv(self, where: Where) -> None:
        """Take note of a TLV that lldpd does not decode, where it is the PFC Configuration TLV of DCBX."""
        if (self.tlv.get("oui"), self.tlv.get("subtype")) == _PFC_TLV and (
            match := _TWO_BYTES.fullmatch(self.tlv["value"])
        ):
            enabled = int(match[2], 16)
            on = tuple(priority for priority in range(8) if enabled >> priority & 1)
            self.pfc = Known(on, Origin.LEARNED, where, PFC_TLV_PAGE)
        self.tlv = {}

    @property
    def peer(self) -> PeerPort | None:
        """The neighbour's device and port, None where it names neither its chassis nor its port."""
        mac = self.port_id if self.port_type == "mac" else ""
        port = self.port_description if mac and self.port_description else self.port_id
        device = self.chassis_name or self.chassis_id
        return PeerPort(device, port, "lldp", mac) if device and port else None


def read_neighbours(capture: Capture, _: Call) -> Events:
    """Yield the neighbour of each netdev; of several the bridge, else the first."""
    if jsontext.is_json(capture):
        root = yield from jsontext.open_json(capture, _KEPT)
        if root is None:
            return
        neighbours = list(_read_json(root))
    else:
        neighbours = []
        yield from _read_text(capture, neighbours)
        yield from _read_pairs(capture, neighbours)
    if neighbours:
        yield make_service("lldpd", "active", capture.where(0))  # the tool repeats the daemon's answer
    for netdev in dict.fromkeys(neighbour.netdev for neighbour in neighbours):
        seen = [neighbour for neighbour in neighbours if neighbour.netdev == netdev and neighbour.peer]
        best = next((neighbour for neighbour in seen if "bridge" in neighbour.capabilities), seen[0] if seen else None)
        if best and best.peer:
            told = PortConfig(pfc=Pfc(peer_priorities=best.pfc)) if best.pfc else PortConfig()
            said = Port("", told, best.where, peer=Known(best.peer, Origin.LEARNED, best.where))
            yield PortFact(Subject(netdev=netdev), said, Strength.LISTED)


def _list_nodes(node: jsontext.JsonNode | None) -> Iterator[jsontext.JsonNode]:
    """Yield the elements of a list, or the node itself where lldpctl made no list of a single one."""
    if node and isinstance(node.value, list):
        yield from node.items()
    elif node:
        yield node


def _read_json(root: jsontext.JsonNode) -> Iterator[_Neighbour]:
    for lldp in _list_nodes(root.get("lldp")):
        for interface in _list_nodes(lldp.get("interface")):
            if interface.text("name"):
                yield _parse_neighbour(interface.text("name"), interface)
            else:
                for name, inner in interface.members():
                    yield _parse_neighbour(name, inner)


def _parse_neighbour(netdev: str, interface: jsontext.JsonNode) -> _Neighbour:
    found = _Neighbour(netdev, (interface.get("name") or interface).where)
    for chassis in _list_nodes(interface.get("chassis")):
        _fill_chassis(found, chassis)
    for port in _list_nodes(interface.get("port")):
        for identity in _list_nodes(port.get("id")):
            found.port_type, found.port_id = identity.text("type"), identity.text("value")
        found.port_description = _get_text(port.get("descr"))
    for tlvs in _list_nodes(interface.get("unknown-tlvs")):
        for tlv in _list_nodes(tlvs.get("unknown-tlv")):
            found.tlv = {name: tlv.text(name) for name in ("oui", "subtype", "value")}
            found.take_tlv(tlv.where)
    return found


def _fill_chassis(found: _Neighbour, chassis: jsontext.JsonNode) -> None:
    inner = chassis
    found.chassis_name = _get_text(chassis.get("name"))
    if not chassis.get("id"):  # plain `-f json` makes the chassis's name the key of its object
        name, only = next(chassis.members(), ("", chassis))
        found.chassis_name, inner = found.chassis_name or name, only
    for identity in _list_nodes(inner.get("id")):
        found.chassis_id = identity.text("value")
    for capability in _list_nodes(inner.get("capability")):
        enabled = capability.get("enabled")
        if enabled and enabled.value is True:
            found.capabilities.add(capability.text("type").lower())


def _get_text(node: jsontext.JsonNode | None) -> str:
    """Return a string that is given plainly, in an object's `value`, or in the first of a list of such."""
    for each in _list_nodes(node):
        return each.value if isinstance(each.value, str) else each.text("value")
    return ""


def _read_text(capture: Capture, neighbours: list[_Neighbour]) -> Events:
    for index, line in text.list_lines(capture):
        interface, match = _INTERFACE.fullmatch(line), _FIELD.fullmatch(line)
        if interface:
            neighbours.append(_Neighbour(interface[1], capture.where(index)))
            yield mark_modelled(index)
        elif match and neighbours and match[1] in _TEXT_FIELDS:
            _fill_text(neighbours[-1], match[1], match[2].strip())
            yield mark_modelled(index)
        elif match and neighbours and match[1] == "TLV" and (tlv := _TLV.fullmatch(match[2].strip())):
            neighbours[-1].tlv = dict(zip(("oui", "subtype", "value"), tlv.groups(), strict=True))
            neighbours[-1].take_tlv(capture.where(index))
            yield mark_modelled(index)
        elif match and neighbours and match[1] == "Capability":
            name, _, state = match[2].partition(",")
            if state.strip() == "on":
                neighbours[-1].capabilities.add(name.strip().lower())
            yield mark_modelled(index)
        elif set(line) <= {"-"} or line.endswith(":"):
            yield mark_ignored(index)
        elif match or neighbours:
            yield mark_not_modelled(index)


def _read_pairs(capture: Capture, neighbours: list[_Neighbour]) -> Events:
    """Read `-f keyvalue`, in which each line is a whole path and its value; a second neighbour begins with `via`."""
    for index, line in text.list_lines(capture):
        path, _, value = line.partition("=")
        match = _PAIR.fullmatch(path)
        if not match:
            continue
        netdev, name = match[1], match[2]
        if name == "via" or not neighbours or neighbours[-1].netdev != netdev:
            neighbours.append(_Neighbour(netdev, capture.where(index)))
        found = neighbours[-1]
        is_known = _fill_pair(found, name, value, capture.where(index))
        yield mark_modelled(index) if is_known else mark_not_modelled(index)


def _fill_pair(found: _Neighbour, name: str, value: str, where: Where) -> bool:
    """Take note of a path and its value, and return whether they are modelled."""
    capability = _CAPABILITY.fullmatch(name)
    if name == "chassis.name":
        found.chassis_name = value
    elif name in _CHASSIS_IDS:
        found.chassis_id = value
    elif name in _PORT_IDS:
        found.port_type, found.port_id = name.removeprefix("port."), value
    elif name == "port.descr":
        found.port_description = value
    elif capability and value == "on":
        found.capabilities.add(capability[1].lower())
    elif name.startswith(_TLV_PATH):
        part = name.removeprefix(_TLV_PATH).removeprefix(".") or "value"
        found.tlv[part] = value
        if part == "value":
            found.take_tlv(where)
    else:
        return name == "via"
    return True


def _fill_text(neighbour: _Neighbour, name: str, value: str) -> None:
    kind, _, rest = value.partition(" ")
    if name == "SysName":
        neighbour.chassis_name = value
    elif name == "PortDescr":
        neighbour.port_description = value
    elif name == "ChassisID":
        neighbour.chassis_id = rest.strip()
    else:
        neighbour.port_type, neighbour.port_id = kind, rest.strip()


COMMANDS = (
    Command(
        "lldpctl -f json0",
        r"lldpc(?:tl|li)(?: -f (?:json0?|plain|keyvalue))?(?: show neighbors)?(?: details)?"
        r"(?: -f (?:json0?|plain|keyvalue))?(?: .+)?",
        read_neighbours,
        ("peer",),
        r"^LLDP neighbors:|^lldp\.\S+?\.chassis\.\S+=|\A\s*\{\s*\"lldp\"\s*:\s*[\[{]",
        "the neighbour of each port",
        fetch=(Fetch(("lldpctl -f json0", "lldpctl"), "the switch port at the other end", is_root=True),),
    ),
)
