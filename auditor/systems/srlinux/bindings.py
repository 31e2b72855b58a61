"""What is bound to a port: entries of `qos interfaces`, and in older releases blocks of the interface itself."""

from collections.abc import Iterator, Sequence

from auditor.model.setting import Known, Setting, Unknown, Unset
from auditor.systems.srlinux.config import Config
from auditor.systems.srlinux.tree import Stanza
from auditor.util.values import dataclass

OLD_NAMES = {
    "dscp-policy": "dscp",
    "ipv4-dscp-policy": "ipv4-dscp",
    "ipv6-dscp-policy": "ipv6-dscp",
}
"""Names of bindings up to release 22.6."""


@dataclass(frozen=True, slots=True)
class Binding:
    """An entry of `qos interfaces`: of a port or bundle, or of one of its subinterfaces."""

    interface: str
    subinterface: str
    stanza: Stanza


def list_bindings(config: Config) -> Iterator[Binding]:
    """Yield the entries of `qos interfaces`; without a reference the name of the entry is that of the interface."""
    for entry in config.top.entries("qos", "interfaces", "interface"):
        named = entry.word("interface-ref", "interface")
        base, _, index = entry.node.word.partition(".")
        if isinstance(named, Known):
            unit = entry.word("interface-ref", "subinterface")
            yield Binding(named.value, unit.value if isinstance(unit, Known) else "", entry)
        else:
            yield Binding(base, index, entry)


@dataclass(frozen=True, slots=True)
class PortBindings:
    """What is bound to a port: its own block, its entries of `qos interfaces`, then those of its bundle.

    `units` has by subinterface the blocks and entries on it.
    """

    whole: tuple[Stanza, ...]
    units: tuple[tuple[Stanza, ...], ...]

    def find(self, *path: str) -> Known[str] | Unset:
        """Return the name that is bound at *path* to the whole port, from the nearest place that has one."""
        return find_word(self.whole, path)

    def find_in_units(self, kind: Sequence[str], name: str) -> Setting[str]:
        """Return the name that all subinterfaces are bound to; Unknown where they differ."""
        paths = ((*kind, name), (*kind, OLD_NAMES.get(name, name)))
        found = [_find_any((*unit, *self.whole), paths) for unit in self.units or ((),)]
        names = {each.value if isinstance(each, Known) else None for each in found}
        if len(names) > 1:
            return Unknown("the subinterfaces of the port are bound to different policies")
        return found[0]


def find_word(stanzas: Sequence[Stanza], path: Sequence[str]) -> Known[str] | Unset:
    """Return the value of a leaf from the first part that has it; Unset with a line that deleted it, if any."""
    gone = Unset()
    for stanza in stanzas:
        found = stanza.word(*path)
        if isinstance(found, Known):
            return found
        gone = found if gone.where is None else gone
    return gone


def _find_any(stanzas: Sequence[Stanza], paths: Sequence[Sequence[str]]) -> Known[str] | Unset:
    found = [find_word(stanzas, path) for path in paths]
    return next((each for each in found if isinstance(each, Known)), found[0])
