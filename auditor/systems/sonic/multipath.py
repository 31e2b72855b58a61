"""Equal-cost paths of SONiC: the fields of the hash, and the most paths of BGP."""

from auditor.model.setting import NOT_COLLECTED, Known, Setting
from auditor.model.spreading import Ecmp, HashField
from auditor.systems.sonic.config import Config

_FIELDS = {
    "SRC_IP": HashField.SOURCE_IP,
    "DST_IP": HashField.DESTINATION_IP,
    "IP_PROTOCOL": HashField.PROTOCOL,
    "L4_SRC_PORT": HashField.SOURCE_PORT,
    "L4_DST_PORT": HashField.DESTINATION_PORT,
    "IPV6_FLOW_LABEL": HashField.FLOW_LABEL,
    "IN_PORT": HashField.INGRESS_PORT,
}


def read_ecmp(config: Config) -> Ecmp:
    """Return how the switch spreads flows, where its database says so."""
    return Ecmp(_read_fields(config), max_paths=_read_max_paths(config))


def _read_fields(config: Config) -> Setting[frozenset[HashField]]:
    row = config.entries.get("SWITCH_HASH", {}).get("GLOBAL")
    found = row.get("ecmp_hash") if row else NOT_COLLECTED
    if not isinstance(found, Known):
        return found
    named = {word.strip() for word in found.value.split(",")}
    fields = frozenset(_FIELDS[word] for word in named if word in _FIELDS)
    inner = {HashField.INNER} if any(word.startswith("INNER_") for word in named) else set()
    return Known(fields | inner, found.origin, found.where)


def _read_max_paths(config: Config) -> Setting[int]:
    """Return the fewest paths that an address family of BGP may have in the default VRF."""
    rows = config.entries.get("BGP_GLOBALS_AF", {})
    told = [row.get("max_ebgp_paths") for key, row in rows.items() if key.startswith("default|ipv")]
    known = [each for each in told if isinstance(each, Known) and each.value.isdecimal() and len(each.value) < _LONGEST]
    counts = [Known(int(each.value), each.origin, each.where) for each in known]
    return min(counts, key=lambda each: each.value) if counts else NOT_COLLECTED


_LONGEST = 6
"""Digits of a number of paths."""
