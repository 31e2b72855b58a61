"""Names of the same port, joined, and one port out of all facts under these names."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import TypeAlias

from auditor.model.nic import Nic
from auditor.model.port import Port, PortConfig
from auditor.model.setting import Known, Where
from auditor.systems.linux import configs, merge
from auditor.systems.linux.evidence import NetdevFact, PortFact, Rank, Silence, Strength
from auditor.systems.linux.facts import make_nic_port
from auditor.systems.linux.portnames import EVERY, Subject
from auditor.util.quick import replace_fields
from auditor.util.regex import regex
from auditor.util.values import dataclass

_BONDS = frozenset({"bond", "team"})
_NO_CONFIG = PortConfig()
_REPRESENTOR = regex(r"pf\dhpf")


@dataclass
class _Names:
    """Names that belong together in the captures."""

    interfaces: dict[str, NetdevFact] = field(default_factory=dict)
    pairs: dict[str, list[Subject]] = field(default_factory=dict)
    """The ports of each RDMA device."""
    paired: set[str] = field(default_factory=set)
    """The netdevs of all RDMA devices."""
    netdevs_of_pci: dict[str, list[str]] = field(default_factory=dict)
    pcis_of_netdev: dict[str, set[str]] = field(default_factory=dict)
    rdmas_of_pci: dict[str, list[str]] = field(default_factory=dict)
    pci_of_mst: dict[str, str] = field(default_factory=dict)
    members: dict[str, list[str]] = field(default_factory=dict)

    @cached_property
    def has_representor(self) -> bool:
        """Whether a netdev stands for the host of an adapter, whose own cores the captures are from."""
        return any(map(_REPRESENTOR.fullmatch, self.interfaces))

    def is_virtual(self, name: str) -> bool:
        """Whether netdev *name* is virtual."""
        return name in self.interfaces and bool(self.interfaces[name].kind)

    def base(self, netdev: str) -> str:
        """Return the netdev on which the VLAN *netdev* is stacked, else *netdev* itself."""
        known = self.interfaces.get(netdev)
        if known and known.lower in self.interfaces and known.kind not in _BONDS:
            return known.lower
        name, dot, number = netdev.rpartition(".")
        is_listed = name in self.paired or name in self.interfaces
        return name if dot and number.isdecimal() and is_listed else netdev

    def pair(self, about: Subject) -> None:
        """Keep a netdev and its RDMA device."""
        self.pairs.setdefault(about.rdma, []).append(about)
        self.paired.add(about.netdev)

    def of_rdma(self, rdma: str, number: int | None) -> list[str]:
        """Return the netdevs of an RDMA device (on one of its ports), members of bonds included."""
        found: dict[str, None] = {}
        for pair in self.pairs.get(rdma, ()):
            if number is None or pair.rdma_port in {None, number}:
                netdev = self.base(pair.netdev)
                found |= dict.fromkeys([netdev, *self.members.get(netdev, [])])
        return list(found)


def join_ports(
    statements: Sequence[PortFact],
    interfaces: Iterable[NetdevFact],
    silences: Sequence[Silence],
    locate: merge.Locate,
    stem_of: Callable[[PortFact | Silence], str],
) -> tuple[tuple[Port, ...], tuple[PortFact, ...]]:
    """Return the ports of all facts, and the facts that may be about any of them.

    *locate* tells the places of facts that contradict each other, *stem_of* names a nameless port after its file.
    """
    general = [statement for statement in statements if statement.about == EVERY]
    single = [statement for statement in statements if statement.about != EVERY]
    names = _join_names([*single, *(PortFact(s.about, make_nic_port(Nic())) for s in silences)], interfaces)
    strengths = _rate_ports(names, single, silences)
    chosen = _select_ports(names, strengths)
    placed: dict[str, list[PortFact]] = {name: [] for name in chosen}
    unplaced: list[PortFact] = []
    for statement in single:
        found = _place_fact(names, chosen, placed, statement, stem_of)
        if not found and not _is_named(names, statement.about):
            unplaced.append(statement)
        for name in found:
            placed.setdefault(name, []).append(statement)
    for_rdma = [name for name in placed if strengths.get(name) is Strength.RDMA]
    for name in for_rdma:
        placed[name].extend(general)
    for silence in silences:
        if not silence.about.is_named and not chosen and not placed:
            placed[stem_of(silence)] = []
    silenced = _sort_silences(names, silences)
    ports = tuple(_merge_port(names, name, own, silenced, locate) for name, own in placed.items())
    return ports, (*unplaced, *(() if for_rdma else general))


def _rate_ports(names: _Names, statements: Sequence[PortFact], silences: Sequence[Silence]) -> dict[str, Strength]:
    """Return how surely each name is a port."""
    strengths: dict[str, Strength] = {}
    for statement in statements:
        for name in _find_ports(names, statement.about):
            strengths[name] = max(statement.strength, strengths.get(name, Strength.LISTED))
    for silence in silences:
        for name in _find_ports(names, silence.about):
            strengths[name] = max(Strength.NIC, strengths.get(name, Strength.LISTED))
    return strengths


def _is_named(names: _Names, about: Subject) -> bool:
    return about.is_named or bool(_find_ports(names, about))


def _place_fact(
    names: _Names,
    chosen: Sequence[str],
    placed: Collection[str],
    statement: PortFact,
    stem_of: Callable[[PortFact | Silence], str],
) -> list[str]:
    """Return the ports of a fact; empty for a function that no capture calls an RDMA NIC."""
    targets = [name for name in _find_ports(names, statement.about) if name in placed]
    if targets or (statement.about.is_named and not _is_card(statement.about)):
        return targets
    if statement.strength is Strength.LISTED and statement.about.pci and chosen:
        return []
    return _place_nameless(names, chosen, statement, stem_of)


def _is_card(about: Subject) -> bool:
    return not (about.netdev or about.rdma)


def _place_nameless(
    names: _Names, chosen: Sequence[str], statement: PortFact, stem_of: Callable[[PortFact | Silence], str]
) -> list[str]:
    """Return the only port for a nameless fact, none of several; without a port, the name of the card or file."""
    about = statement.about
    pci = about.pci or names.pci_of_mst.get(about.mst, "")
    if len(chosen) == 1 and not (pci and names.pcis_of_netdev.get(chosen[0], set()) - {pci}):
        return list(chosen)
    if len(chosen) > 1 and not pci and not about.mst:
        return []  # any of them may be meant
    return [about.pci or about.mst or stem_of(statement)]


def _join_names(statements: Sequence[PortFact], interfaces: Iterable[NetdevFact]) -> _Names:
    names = _Names()
    for interface in interfaces:
        known = names.interfaces.get(interface.name)
        if known is None or not known.kind:
            names.interfaces[interface.name] = interface
        if interface.master:
            names.members.setdefault(interface.master, []).append(interface.name)
    for about in dict.fromkeys(statement.about for statement in statements):
        _note_names(names, about)
    named = frozenset(names.pairs)
    for pci, rdmas in names.rdmas_of_pci.items():
        for netdev in names.netdevs_of_pci.get(pci, []):
            for rdma in rdmas:
                if rdma not in named:
                    names.pair(Subject(netdev, rdma))
    return names


def _note_names(names: _Names, about: Subject) -> None:
    if about.netdev and about.rdma:
        names.pair(about)
    if about.pci and about.mst:
        names.pci_of_mst[about.mst] = about.pci
    if about.pci and about.netdev:
        names.netdevs_of_pci.setdefault(about.pci, []).append(about.netdev)
        names.pcis_of_netdev.setdefault(about.netdev, set()).add(about.pci)
    if about.pci and about.rdma:
        names.rdmas_of_pci.setdefault(about.pci, []).append(about.rdma)


def _find_ports(names: _Names, about: Subject) -> list[str]:
    """Return the ports that *about* names; empty without a name, or for a card without a known port."""
    if about.netdev:
        netdev = names.base(about.netdev) if about.rdma else about.netdev
        return [netdev, *(names.members.get(netdev, []) if about.rdma else [])]
    if about.rdma:
        several = about.rdma_port is not None and about.rdma_port > 1
        alone = f"{about.rdma}/{about.rdma_port}" if several else about.rdma
        return names.of_rdma(about.rdma, about.rdma_port) or [alone]
    pci = about.pci or names.pci_of_mst.get(about.mst, "")
    by_rdma = [name for rdma in names.rdmas_of_pci.get(pci, []) for name in names.of_rdma(rdma, None) or [rdma]]
    netdevs = [name for each in names.netdevs_of_pci.get(pci, []) for name in (each, *names.members.get(each, []))]
    return list(dict.fromkeys(netdevs or by_rdma))


def _select_ports(names: _Names, strengths: dict[str, Strength]) -> list[str]:
    real = [
        name
        for name, strength in strengths.items()
        if strength is Strength.RDMA or (strength is Strength.NIC and not names.is_virtual(name))
    ]
    if real:
        return real
    return [n for n in strengths if n not in names.interfaces or _is_hardware(names.interfaces[n])]


def _is_hardware(interface: NetdevFact) -> bool:
    return interface.is_ethernet and not interface.kind


_Silenced: TypeAlias = Mapping[str | None, Mapping[tuple[str, ...], int]]
"""The first silence about each set of settings, by port; None stands for all ports."""


def _sort_silences(names: _Names, silences: Sequence[Silence]) -> tuple[Sequence[Silence], _Silenced]:
    """Return *silences*, and which of them matter: a later one about the same settings of a port changes nothing."""
    first: dict[str | None, dict[tuple[str, ...], int]] = {None: {}}
    for number, silence in enumerate(silences):
        for name in _find_ports(names, silence.about) if silence.about.is_named else (None,):
            first.setdefault(name, {}).setdefault(silence.paths, number)
    return silences, first


def _list_silences(name: str, silenced: tuple[Sequence[Silence], _Silenced]) -> Iterator[Silence]:
    """Yield the silences about a port in their order."""
    silences, first = silenced
    for number in sorted({*first[None].values(), *first.get(name, {}).values()}):
        yield silences[number]


def _merge_port(
    names: _Names,
    name: str,
    own: Sequence[PortFact],
    silenced: tuple[Sequence[Silence], _Silenced],
    locate: merge.Locate,
) -> Port:
    said, places = Port(name, _NO_CONFIG), dict[Rank, Where | None]()
    for rank in reversed(Rank):
        statements = [statement.says for statement in own if statement.rank is rank]
        if statements:
            ranked = merge.merge_equal(statements, locate, "config")
            said, places[rank] = merge.merge_preferred(ranked, said, "config"), ranked.where
    silences = [(silence.paths, silence.why) for silence in _list_silences(name, silenced)]
    for paths, why in silences:
        said = merge.silence_paths(said, (path for path in paths if not path.startswith(configs.CONFIG)), why)
    is_bond = _is_bond(names, name)
    around = configs.Surroundings(
        asked_at=places.get(Rank.REQUESTED),
        planned_at=places.get(Rank.NEXT_BOOT),
        silences=tuple(silences),
        has_rdma_device=isinstance(said.rdma.name, Known),
        is_bond=is_bond,
        bond_at=said.where if is_bond else None,
        is_arm_side=names.has_representor,
    )
    config = configs.merge_configs([(fact.rank, fact.says.config) for fact in own], around, locate)
    aliases = tuple(each for each in said.aliases if each != name)
    return replace_fields(said, {"name": name, "aliases": aliases, "config": config})


def _is_bond(names: _Names, name: str) -> bool:
    interface = names.interfaces.get(name)
    return interface.kind in _BONDS if interface else re.fullmatch(r"bond\d+", name) is not None
