"""Bridge domains of `l2vpn`: the interface that routes into each, and the interfaces that are its members."""

from collections.abc import Iterator, Mapping
from dataclasses import field

from auditor.grammar.layers import place_setting
from auditor.grammar.running import CapturedStanza, InterfaceStanzas
from auditor.model.device import VlanInterface
from auditor.model.dump import LineState
from auditor.model.setting import Setting, Unset, value_of
from auditor.systems.iosxr.names import PORT, complete_name
from auditor.systems.iosxr.statements import Interface
from auditor.util.regex import regex
from auditor.util.values import dataclass

L2VPN = "l2vpn"
_PARTS = regex(
    r"(?:l2vpn )?(?:bridge group (?P<group>\S{1,80}))?\s?(?:bridge-domain (?P<domain>\S{1,80}))?\s?"
    r"(?:routed interface (?P<routed>BVI ?\d{1,6})|interface (?P<member>[A-Za-z-]{1,40} ?\d[\d/.]{0,40}))?\Z"
)
"""A line of a bridge domain, or all of them on one line, as the formal form writes them."""


@dataclass(slots=True)
class BridgeDomain:
    """The interfaces of a bridge domain: `routed` routes into it, empty without one."""

    routed: str = ""
    members: dict[str, None] = field(default_factory=dict)


BridgeDomains = dict[tuple[str, str], BridgeDomain]
"""Bridge domains by the names of group and domain."""


def read_bridges(block: CapturedStanza, into: BridgeDomains) -> None:
    """Read the lines of `l2vpn` and mark those of bridge domains."""
    group = domain = ""
    for line in (block.head, *block.lines):
        undo, text = line.text.startswith("no "), line.text.removeprefix("no ")
        parts = _PARTS.match(text)
        if parts is None or text == L2VPN:
            continue
        group, domain = parts["group"] or group, parts["domain"] or ("" if parts["group"] else domain)
        found = into.setdefault((group, domain), BridgeDomain())
        block.mark(line.index, LineState.MODELLED)
        if parts["routed"]:
            found.routed = "" if undo else parts["routed"].replace(" ", "")
        elif parts["member"] and undo:
            found.members.pop(complete_name(parts["member"]), None)
        elif parts["member"]:
            found.members[complete_name(parts["member"])] = None
        elif undo:
            into.pop((group, domain), None)


def list_vlan_interfaces(
    domains: BridgeDomains, interfaces: Mapping[str, InterfaceStanzas[Interface]]
) -> tuple[VlanInterface, ...]:
    """Return the interfaces that route into bridge domains, with the ports that are members."""
    found = ((each, interfaces[each.routed]) for each in domains.values() if each.routed in interfaces)
    return tuple(
        VlanInterface(
            domain.routed,
            written.where,
            _place(written.body.mtu, written),
            tuple(dict.fromkeys(_list_ports(domain, interfaces))),
            _place(written.body.ip_mtu, written),
        )
        for domain, written in found
        if value_of(written.body.enabled) is not False
    )


def _place(mtu: Setting[int], written: InterfaceStanzas[Interface]) -> Setting[int]:
    return Unset(written.where) if isinstance(mtu, Unset) else place_setting(mtu, written.where)


def _list_ports(domain: BridgeDomain, interfaces: Mapping[str, InterfaceStanzas[Interface]]) -> Iterator[str]:
    """Yield the ports below the members: a member may be a subinterface, or a bundle."""
    for member in domain.members:
        main = member.partition(".")[0]
        if PORT.match(main):
            yield main
        else:
            yield from (name for name, each in interfaces.items() if each.lag and each.lag.value == main)
