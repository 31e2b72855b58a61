"""Equal-cost paths of Cumulus Linux: the fields of the hash, its seed, and the most paths of BGP."""

from auditor.grammar.numbers import parse_whole
from auditor.model.setting import Known, Origin, Setting, Unknown, Unset
from auditor.model.spreading import Ecmp, HashField
from auditor.systems.cumulus.objects import ObjectNode, find_value, parse_switch

_FIELDS = {
    "source-ip": HashField.SOURCE_IP,
    "destination-ip": HashField.DESTINATION_IP,
    "ip-protocol": HashField.PROTOCOL,
    "source-port": HashField.SOURCE_PORT,
    "destination-port": HashField.DESTINATION_PORT,
    "ipv6-label": HashField.FLOW_LABEL,
    "ingress-interface": HashField.INGRESS_PORT,
    "inner-ip-protocol": HashField.INNER,
    "inner-source-ip": HashField.INNER,
    "inner-destination-ip": HashField.INNER,
    "inner-source-port": HashField.INNER,
    "inner-destination-port": HashField.INNER,
    "inner-ipv6-label": HashField.INNER,
}
_DEFAULT = frozenset({"source-ip", "destination-ip", "ip-protocol", "source-port", "destination-port", "ipv6-label"})
"""What is on where nothing is said, by `nv show system forwarding` of the NVUE reference."""


def read_ecmp(root: ObjectNode) -> Ecmp:
    """Return how the switch spreads flows."""
    forwarding = root.at("system", "forwarding")
    unicast = root.at("vrf", "default", "router", "bgp", "address-family", "ipv4-unicast", "multipaths")
    return Ecmp(
        _read_fields(forwarding.at("ecmp-hash") if forwarding else None),
        find_value(forwarding, "hash-seed", parse_whole),
        find_value(unicast, "ebgp", parse_whole),
    )


def _read_fields(node: ObjectNode | None) -> Setting[frozenset[HashField]]:
    """Return the fields that are on, at the line of one that was switched off; Unset where none is named."""
    told = {name: find_value(node, name, parse_switch) for name in _FIELDS}
    if unclear := next((found for found in told.values() if isinstance(found, Unknown)), None):
        return unclear
    known = {name: found for name, found in told.items() if isinstance(found, Known)}
    if node is None or not known:
        return Unset(node.proof.where if node else None)
    on = {name for name in _FIELDS if (known[name].value if name in known else name in _DEFAULT)}
    off = next((found.where for found in known.values() if not found.value), None)
    return Known(frozenset(_FIELDS[name] for name in on), Origin.INTENDED, off or node.proof.where)
