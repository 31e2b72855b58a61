"""`ip link` and `ip addr`: MTU, administrative state, address, bond and kind of each netdev; text and JSON."""

import re
from collections.abc import Iterator
from dataclasses import field, replace

from auditor.model.dump import Capture, Doubt
from auditor.model.hardware import Hardware
from auditor.model.host import Host
from auditor.model.nic import Nic
from auditor.model.port import Ethernet, Port, PortConfig
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Unset, Where
from auditor.systems.linux import jsontext, text
from auditor.systems.linux.command import MTU, Command
from auditor.systems.linux.evidence import Call, Events, HostFact, NetdevFact, PortFact, Rank, Strength, VirtualFunction
from auditor.systems.linux.facts import make_nic_port
from auditor.systems.linux.fetch import SCRIPT, Fetch
from auditor.systems.linux.marks import mark_modelled, mark_not_modelled
from auditor.systems.linux.portnames import Subject, parse_pci
from auditor.util.regex import regex
from auditor.util.values import dataclass

_HEAD = regex(r"\d{1,9}:\s+([^\s:@]+)(?:@([^\s:]+))?:\s+<([^>]*)>\s*(.*)")
_BRIEF = regex(
    r"([^\s:@]+)(?:@(\S+))?\s+(?:UP|DOWN|UNKNOWN|LOWERLAYERDOWN|DORMANT)\s+((?:[0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2})\s+"
    r"<([^>]*)>"
)
_BOND_MODE = regex(r"bond mode (\S+)")
_BONDS = frozenset({"bond", "team"})
_PERMANENT = regex(r"\bpermaddr ([0-9A-Fa-f:]{17})")
_ADDRESS = regex(r"link/(\S+)(?:\s+([0-9A-Fa-f:]{17})\b)?(?:\s.*)?")
_ALTNAME = regex(r"altname\s+(\S+)")
_PCI = regex(r"parentbus\s+pci\s+parentdev\s+(\S+)")
_VF = regex(r"vf \d{1,4}\s+(?:link/ether |MAC )((?:[0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2})\b")
_KIND = regex(
    r"(bridge|vlan|veth|bond|team|dummy|ifb|tun|vxlan|macvlan|macvtap|ipvlan|geneve|gre|gretap|ip6tnl|sit|vrf|vti"
    r"|wireguard|netkit|openvswitch|ipoib|xfrm|nlmon|vcan)(?:\s.*)?"
)
_DETAIL = regex(
    r"(?:inet6?|valid_lft|vf|RX|TX|\d+|bond_slave|bridge_slave|alias|permaddr|promiscuity|numtxqueues|xdp|prog)\b.*|"
    r"link-netns.*|(?:in|e)gress-qos-map\b.*"
)
_KEPT = frozenset(
    {"ifname", "mtu", "flags", "address", "permaddr", "master", "info_kind", "info_slave_kind", "altnames", "parentdev"}
)


@dataclass(frozen=True, slots=True)
class _Netdev:
    name: str
    where: Where
    flags: frozenset[str]
    mtu: Setting[int] = NOT_COLLECTED
    link_type: str = ""
    mac: Setting[str] = NOT_COLLECTED
    kind: str = ""
    slave_kind: str = ""
    master: str = ""
    lower: str = ""
    altnames: tuple[str, ...] = field(default=())
    pci: str = ""
    slot: Setting[str] = NOT_COLLECTED
    vfs: tuple[str, ...] = ()  # their MAC addresses, empty where none is set
    bond_mode: Setting[str] = NOT_COLLECTED


def read_links(capture: Capture, _: Call) -> Events:
    """Yield the netdevs of `ip link` or `ip addr`."""
    if jsontext.is_json(capture):
        root = yield from jsontext.open_json(capture, _KEPT)
        if root is None:
            return
        netdevs = []
        for node in root.items():
            problem = _find_problem(node)
            if problem:
                yield problem
            if node.text("ifname"):
                netdevs.append(_parse_netdev(node))
    else:
        netdevs = []
        yield from _read_text(capture, netdevs)
    kinds = {netdev.name: netdev.kind for netdev in netdevs}
    for netdev in netdevs:
        yield _make_fact(netdev, _find_bond(netdev, kinds))
        if netdev.link_type == "infiniband":
            nic = Nic(link_layer=Known("infiniband", Origin.LEARNED, netdev.where))
            yield PortFact(
                Subject(netdev=netdev.name), make_nic_port(nic, netdev.where), Strength.LISTED, Rank.FALLBACK
            )
        if isinstance(netdev.bond_mode, Known):
            modes = {netdev.name: netdev.bond_mode}
            yield HostFact(Host(bonds=Known(modes, Origin.LEARNED, netdev.bond_mode.where)))
        if netdev.vfs:
            yield VirtualFunction(Subject(netdev=netdev.name), macs=tuple(mac for mac in netdev.vfs if mac))
            count = Nic(virtual_functions=Known(len(netdev.vfs), Origin.LEARNED, netdev.where))
            yield PortFact(Subject(netdev=netdev.name), make_nic_port(count, netdev.where), Strength.LISTED)
        yield PortFact(
            Subject(netdev=netdev.name, pci=netdev.pci), _make_port(netdev, _find_bond(netdev, kinds)), Strength.LISTED
        )


def _find_problem(node: jsontext.JsonNode) -> Doubt | None:
    if not isinstance(node.value, dict):
        return node.doubt("an object per netdev")
    mtu = node.get("mtu")
    if mtu and mtu.whole(range(text.MAX_MTU)) is None:
        return mtu.doubt("an MTU in bytes")
    return None


def _parse_netdev(node: jsontext.JsonNode) -> _Netdev:
    where = node.where
    mtu_node, info = node.get("mtu"), node.get("linkinfo")
    mtu = mtu_node.whole(range(text.MAX_MTU)) if mtu_node else None
    flags, altnames = node.get("flags"), node.get("altnames")
    parent = node.get("parentdev")
    pci = parse_pci(node.text("parentdev")) if node.text("parentbus") == "pci" else ""
    # a member of a bond shows the bond's address, and its own as the permanent one
    is_member = bool(info and info.text("info_slave_kind") in _BONDS)
    address = node.get("permaddr") or (None if is_member else node.get("address"))
    mac = str(address.value).lower() if address and node.text("link_type") == "ether" else ""
    return _Netdev(
        name=node.text("ifname"),
        where=where,
        flags=frozenset(_list_strings(flags)),
        mtu=Known(mtu, Origin.INTENDED, mtu_node.where) if mtu_node and mtu is not None else NOT_COLLECTED,
        link_type=node.text("link_type"),
        mac=Known(mac, Origin.LEARNED, address.where) if mac and address else NOT_COLLECTED,
        kind=info.text("info_kind") if info else "",
        slave_kind=info.text("info_slave_kind") if info else "",
        master=node.text("master"),
        lower=node.text("link"),
        altnames=tuple(_list_strings(altnames)),
        pci=pci,
        slot=Known(pci, Origin.LEARNED, parent.where) if parent and pci else NOT_COLLECTED,
        vfs=tuple(_list_vfs(node.get("vfinfo_list"))),
        bond_mode=_parse_bond_mode(info),
    )


def _list_vfs(listed: jsontext.JsonNode | None) -> Iterator[str]:
    """Yield the MAC address of each virtual function."""
    for each in listed.items() if listed else ():
        yield _parse_mac(each.text("address") or each.text("mac"))


def _parse_mac(mac: str) -> str:
    """Return the address *mac*; empty for zeros, which mean unset."""
    return mac.lower() if mac.strip("0:") else ""


def _parse_bond_mode(info: jsontext.JsonNode | None) -> Setting[str]:
    data = info.get("info_data") if info and info.text("info_kind") == "bond" else None
    mode = data.get("mode") if data else None
    return Known(mode.value, Origin.LEARNED, mode.where) if mode and isinstance(mode.value, str) else NOT_COLLECTED


def _list_strings(node: jsontext.JsonNode | None) -> Iterator[str]:
    values = node.value if node and isinstance(node.value, list) else []
    yield from (value for value in values if isinstance(value, str))


def _read_text(capture: Capture, netdevs: list[_Netdev]) -> Events:
    for index, line in text.list_lines(capture):
        head = _HEAD.fullmatch(line)
        if head:
            netdevs.append(_parse_head(head, capture.where(index)))
            mtu = re.search(r"\bmtu (\S+)", head[4])
            readable = mtu is not None and text.parse_whole(mtu[1], range(text.MAX_MTU)) is not None
            yield mark_modelled(index) if readable else text.make_doubt(capture, index, "an MTU in bytes")
        elif brief := _BRIEF.fullmatch(line):
            netdevs.append(_parse_brief(brief, capture.where(index)))
            yield mark_modelled(index)
        elif netdevs:
            below = _add_line(netdevs[-1], line, capture.where(index))
            if below:
                netdevs[-1] = below
                yield mark_modelled(index)
            elif _DETAIL.fullmatch(line):
                yield mark_not_modelled(index)


def _parse_head(head: re.Match[str], where: Where) -> _Netdev:
    words = head[4].split()
    options = dict(zip(words[::2], words[1::2], strict=False))
    mtu = text.parse_whole(options.get("mtu", ""), range(text.MAX_MTU))
    return _Netdev(
        name=head[1],
        where=where,
        flags=frozenset(head[3].split(",")),
        mtu=Known(mtu, Origin.INTENDED, where) if mtu is not None else NOT_COLLECTED,
        master=options.get("master", ""),
        lower=head[2] or "",
        kind="stacked" if head[2] else "",
    )


def _parse_brief(brief: re.Match[str], where: Where) -> _Netdev:
    """Return the netdev of a line of `ip -br link`, which has no MTU; only Ethernet addresses match."""
    mac = Known(brief[3].lower(), Origin.LEARNED, where) if brief[3].strip("0:") else NOT_COLLECTED
    flags = frozenset(brief[4].split(","))
    kind = "stacked" if brief[2] else ""
    return _Netdev(name=brief[1], where=where, flags=flags, link_type="ether", mac=mac, lower=brief[2] or "", kind=kind)


def _add_line(netdev: _Netdev, line: str, where: Where) -> _Netdev | None:
    virtual = _VF.match(line)
    if virtual:
        return replace(netdev, vfs=(*netdev.vfs, _parse_mac(virtual[1])))
    address, kind, altname = _ADDRESS.fullmatch(line), _KIND.fullmatch(line), _ALTNAME.fullmatch(line)
    pci = _PCI.search(line)
    if pci:
        slot = parse_pci(pci[1])
        netdev = replace(netdev, pci=slot, slot=Known(slot, Origin.LEARNED, where) if slot else NOT_COLLECTED)
    if address:
        permanent = _PERMANENT.search(line)
        own = permanent[1] if permanent else "" if "SLAVE" in netdev.flags else address[2]
        is_mac = address[1] == "ether" and own
        mac = Known(own.lower(), Origin.LEARNED, where) if is_mac else netdev.mac
        return replace(netdev, link_type=address[1], mac=mac)
    if altname:
        return replace(netdev, altnames=(*netdev.altnames, altname[1]))
    if kind:
        mode = _BOND_MODE.match(line)
        known = Known(mode[1], Origin.LEARNED, where) if mode else netdev.bond_mode
        return replace(netdev, kind=kind[1], bond_mode=known)
    if line.startswith("bond_slave"):
        return replace(netdev, slave_kind="bond")
    return netdev if pci else None


VIRTUAL_NAME = regex(
    r"(?:lo|docker|virbr|br-|veth|cni|flannel|cali|tun|tap|dummy|ifb|vxlan|bond|team|vnet|sit|ip6tnl|kube|cilium|lxc"
    r"|ovs|tailscale|wg|nerdctl|podman)[\w.-]*"
)


def _find_bond(netdev: _Netdev, kinds: dict[str, str]) -> str | None:
    is_member = netdev.slave_kind in _BONDS or "SLAVE" in netdev.flags or kinds.get(netdev.master) in _BONDS
    return netdev.master if is_member and netdev.master else None


def _make_fact(netdev: _Netdev, lag: str | None) -> NetdevFact:
    kind = netdev.kind
    if not kind and (VIRTUAL_NAME.fullmatch(netdev.name) or "LOOPBACK" in netdev.flags):
        kind = "bond" if "MASTER" in netdev.flags else "virtual"
    return NetdevFact(netdev.name, netdev.link_type == "ether", kind, lag or "", netdev.lower)


def _make_port(netdev: _Netdev, lag: str | None) -> Port:
    # a netdev that is down has no carrier
    is_up = Known("LOWER_UP" in netdev.flags and "UP" in netdev.flags, Origin.LEARNED, netdev.where)
    config = PortConfig(ethernet=_make_ethernet(netdev), nic=Nic(link_up=is_up))
    return Port(
        "",
        config,
        netdev.where,
        aliases=netdev.altnames,
        mac=netdev.mac,
        lag=Known(lag, Origin.INTENDED, netdev.where),
        hardware=Hardware(slot=netdev.slot),
    )


def make_mtu(size: int, where: Where | None) -> Ethernet:
    """Return the MTU of a netdev of *size* bytes, from which the kernel derives the frame's size."""
    derived = Unset(where)
    return Ethernet(mtu_bytes=Known(size, Origin.INTENDED, where), ip_mtu_bytes=derived, max_frame_bytes=derived)


def _make_ethernet(netdev: _Netdev) -> Ethernet:
    enabled = Known("UP" in netdev.flags, Origin.INTENDED, netdev.where)
    mtu = netdev.mtu
    if not isinstance(mtu, Known) or netdev.link_type not in {"ether", ""}:
        return Ethernet(enabled=enabled, mtu_bytes=mtu)
    derived = Unset(mtu.where)
    return Ethernet(enabled=enabled, mtu_bytes=mtu, ip_mtu_bytes=derived, max_frame_bytes=derived)


_OPTIONS = r"(?: -[a-z]+)*"
COMMANDS = (
    Command(
        "ip -d link",
        rf"ip{_OPTIONS} (?:link|addr|address|l|a)(?: (?:show|list|ls|s))?(?: (?:dev )?{{netdev}})?",
        read_links,
        MTU,
        r"^\d+: [^\s:]+: <[A-Z_,0-9-]*> mtu \d+"
        r"|\"ifindex\"\s*:\s*\d+\s*,\s*(?:\"link\"\s*:[^,]*,\s*)?\"ifname\"\s*:\s*\"[^\"]*\"\s*,\s*\"flags\"",
        "MTU, administrative state, MAC address, bonds, virtual functions",
        fetch=(
            Fetch(("ip -j -d link", "ip -d link"), "MTU, state, bonds and VLANs", required=True),
            Fetch(("ip -j addr", "ip addr"), "addresses, which make GIDs", by=SCRIPT),
        ),
    ),
)
