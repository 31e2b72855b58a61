"""Equal-cost paths of Junos: the hash, the policy that installs them, and dynamic load balancing."""

from collections.abc import Iterable
from dataclasses import field

from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Unset
from auditor.model.spreading import Ecmp, HashField, Spreading
from auditor.systems.junos.definitions import NOTHING
from auditor.systems.junos.reading import StatementReader
from auditor.systems.junos.tree import StatementNode
from auditor.util.values import dataclass

_LAYERS = {
    "layer-3": frozenset({HashField.SOURCE_IP, HashField.DESTINATION_IP, HashField.PROTOCOL}),
    "layer-4": frozenset({HashField.SOURCE_PORT, HashField.DESTINATION_PORT}),
}
_EXCLUDED = {
    "no-ipv4-source-address": HashField.SOURCE_IP,
    "no-ipv4-destination-address": HashField.DESTINATION_IP,
    "no-l4-source-port": HashField.SOURCE_PORT,
    "no-l4-destination-port": HashField.DESTINATION_PORT,
    "no-protocol": HashField.PROTOCOL,
}
_MODES = {"per-packet": Spreading.PACKET, "flowlet": Spreading.FLOWLET, "assigned-flow": Spreading.FLOW}
_OVERVIEW = (
    "https://juniper.net/documentation/us/en/software/junos/sampling-forwarding-monitoring/topics/concept/"
    "policy-per-packet-load-balancing-overview.html"
)


@dataclass(frozen=True, slots=True)
class Multipath:
    """How the switch spreads flows, and what it keeps together."""

    ecmp: Ecmp = field(default_factory=Ecmp)
    spreading: Setting[Spreading] = NOT_COLLECTED


def read_multipath(reading: StatementReader, *, is_whole: bool) -> Multipath:
    """Return what the configuration says of equal-cost paths; a part of it says nothing by its silence."""
    root = reading.written.root
    fields = _read_fields(reading, root)
    seed = reading.whole(root, "forwarding-options", "enhanced-hash-key", "hash-seed", high=2**32)
    paths = _find_max_paths(reading, root) if is_whole else NOT_COLLECTED
    silent: Setting[frozenset[HashField]] = NOTHING if is_whole else NOT_COLLECTED
    return Multipath(Ecmp(fields if isinstance(fields, Known) else silent, seed, paths), _read_spreading(reading, root))


def _read_fields(reading: StatementReader, root: StatementNode) -> Setting[frozenset[HashField]]:
    """Return the fields that the hash reads: those of the layers it names, without those that are taken out."""
    layers = reading.block(root, "forwarding-options", "hash-key", "family", "inet")
    named = [entry for entry in layers.active() if entry.word in _LAYERS] if layers else []
    own = reading.block(root, "forwarding-options", "enhanced-hash-key", "family", "inet")
    excluded = [entry for entry in own.active() if entry.word in _EXCLUDED] if own else []
    if not named and not excluded:
        return NOTHING
    for entry in (*named, *excluded):
        reading.mark(entry)
    read = frozenset[HashField]().union(*(_LAYERS[entry.word] for entry in named)) if named else _ALL
    left = read - {_EXCLUDED[entry.word] for entry in excluded}
    return Known(left, Origin.INTENDED, reading.where((excluded or named)[-1]))


_ALL = frozenset[HashField]().union(*_LAYERS.values())


def _find_max_paths(reading: StatementReader, root: StatementNode) -> Setting[int]:
    """Return the most next hops of a route: one, unless a policy for the forwarding table balances load."""
    if root.get("protocols", "bgp") is None:
        return NOT_COLLECTED
    export = reading.block(root, "routing-options", "forwarding-table", "export")
    policies = {entry.word: entry for entry in export.active()} if export else {}
    balancing_by = {entry.word: found for entry in _list_policies(root) if (found := _list_balancing(entry))}
    for name, entry in policies.items():
        if balancing := balancing_by.get(name, ()):
            for read in (entry, *balancing, *(mode for each in balancing for mode in each.below())):
                reading.mark(read)
            return reading.whole(root, "chassis", "maximum-ecmp", high=1024)
    unused = next((found[0] for found in balancing_by.values()), None)
    place = next(iter(policies.values()), None) or unused or root.get("protocols", "bgp")
    return Known(1, Origin.DEFAULT, reading.where(place) if place else None, _OVERVIEW)


def _list_policies(root: StatementNode) -> Iterable[StatementNode]:
    policies = root.get("policy-options", "policy-statement")
    return policies.active() if policies else ()


def _list_balancing(policy: StatementNode) -> tuple[StatementNode, ...]:
    """Return the statements by which a policy lets the forwarding table have several next hops."""
    return tuple(below for below in policy.below() if below.word == "load-balance")


def _read_spreading(reading: StatementReader, root: StatementNode) -> Setting[Spreading]:
    """Return what dynamic load balancing keeps together, where it is configured."""
    block = reading.block(root, "forwarding-options", "enhanced-hash-key", "ecmp-dlb")
    found = next((entry for entry in block.active() if entry.word in _MODES), None) if block else None
    if found is None:
        return Unset()
    reading.mark(found)
    return Known(_MODES[found.word], Origin.INTENDED, reading.where(found))
