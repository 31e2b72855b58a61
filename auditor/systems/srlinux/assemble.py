"""Ports from the configuration; ports that are configured alike share one configuration object."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from auditor.model.port import ALONE, Ethernet, LinkPause, Port, PortConfig
from auditor.model.setting import HEAD, Known, Origin, Setting, Unset, value_of
from auditor.systems.srlinux.bindings import Binding, PortBindings, list_bindings
from auditor.systems.srlinux.classes import read_classification, read_marking
from auditor.systems.srlinux.config import Config
from auditor.systems.srlinux.interfaces import is_split, read_ethernet, read_pause
from auditor.systems.srlinux.names import LAG, PORT, find_parent
from auditor.systems.srlinux.pausing import Pausing
from auditor.systems.srlinux.queues import list_queues
from auditor.systems.srlinux.tree import Branch, Stanza


class Assembler:
    """A builder of the ports of one configuration."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._bindings: dict[str, list[Binding]] = {}
        for each in list_bindings(config):
            self._bindings.setdefault(each.interface, []).append(each)
        self._configs: dict[tuple[object, ...], PortConfig] = {}

    def ports(self) -> tuple[Port, ...]:
        """Return all ports in the order of the dump, without those that are split.

        Where the dump has no interfaces, they are those to which it binds quality of service.
        """
        if self._config.top.below("interface") is None:
            return tuple(self._build_bound(*each) for each in self._bindings.items() if PORT.match(each[0]))
        found = (entry for entry in self._config.top.entries("interface") if PORT.match(entry.node.word))
        return tuple(self._build(entry) for entry in found if not is_split(entry))

    def _build(self, entry: Stanza) -> Port:
        name = entry.node.word
        own = self._count_from(entry.node, 0)
        joined = own.word("ethernet", "aggregate-id")
        lag = self._find_lag(joined)
        bindings = self._bindings.get(name, [])
        parts = [self._count_from(each.stanza.node, number) for number, each in enumerate(bindings, 1)]
        of_lag = self._bindings.get(value_of(joined) or "", [])
        shapes = (own.shape(), *((each.subinterface, part.shape()) for each, part in zip(bindings, parts, strict=True)))
        key = (value_of(joined), find_parent(name), *shapes)
        if key not in self._configs:
            bound = _bind(own, lag, list(zip(bindings, parts, strict=True)), of_lag)
            self._configs[key] = self._read(own, lag, bound)
        absolute = entry.word("ethernet", "aggregate-id")
        description = entry.word("description")
        parent: Setting[str | None] = Known(find_parent(name), Origin.INTENDED, entry.where)
        return Port(
            name=name,
            config=self._configs[key],
            where=entry.where,
            lag=absolute if isinstance(absolute, Known) and LAG.match(absolute.value) else ALONE,
            parent=parent,
            description=description.value if isinstance(description, Known) else None,
            parts=tuple(each.stanza.where for each in bindings),
        )

    def _build_bound(self, name: str, bindings: Sequence[Binding]) -> Port:
        """Return a port of which the dump has the quality of service alone."""
        parts = [self._count_from(each.stanza.node, number) for number, each in enumerate(bindings)]
        key = tuple((each.subinterface, part.shape()) for each, part in zip(bindings, parts, strict=True))
        if key not in self._configs:
            bound = _bind(parts[0], None, list(zip(bindings, parts, strict=True)), ())
            self._configs[key] = replace(self._read(parts[0], None, bound), ethernet=Ethernet(), pause=LinkPause())
        where = bindings[0].stanza.where
        parent: Setting[str | None] = Known(find_parent(name), Origin.INTENDED, where)
        rest = tuple(each.stanza.where for each in bindings[1:])
        return Port(name=name, config=self._configs[key], where=where, parent=parent, parts=rest)

    def _count_from(self, node: Branch, part: int) -> Stanza:
        return Stanza(self._config.tree, node, node, part)

    def _find_lag(self, joined: Known[str] | Unset) -> Stanza | None:
        return self._config.top.below("interface", joined.value) if isinstance(joined, Known) else None

    def _read(self, own: Stanza, lag: Stanza | None, bound: PortBindings) -> PortConfig:
        config = self._config
        nothing = Unset(HEAD)
        ethernet = read_ethernet(config, own, lag, nothing)
        pausing = Pausing(config, bound, nothing)
        found = PortConfig(
            ethernet=ethernet,
            pfc=pausing.build(),
            pause=read_pause(own, nothing),
            classification=read_classification(config, bound, pausing, nothing),
            marking=read_marking(config, bound, nothing),
            queues=list_queues(config, bound, nothing),
            priority_groups=pausing.list_groups(),
        )
        return found if config.has_qos else _open_qos(found)


def _open_qos(found: PortConfig) -> PortConfig:
    """Return a port of an excerpt without quality of service: its line may stand elsewhere."""
    return PortConfig(ethernet=found.ethernet, pause=found.pause)


def _bind(
    own: Stanza, lag: Stanza | None, bindings: Iterable[tuple[Binding, Stanza]], of_lag: Iterable[Binding]
) -> PortBindings:
    """Return what is bound to a port; the subinterfaces of a member are those of its bundle."""
    every = [*bindings, *((each, each.stanza) for each in of_lag)]
    upper = lag or own
    whole = [part for each, part in every if not each.subinterface]
    blocks = [block for stanza in (own, *([lag] if lag else ())) if (block := stanza.below("qos"))]
    units: dict[str, list[Stanza]] = {unit.node.word: [] for unit in upper.entries("subinterface")}
    for unit in upper.entries("subinterface"):
        if block := unit.below("qos"):
            units[unit.node.word].append(block)
    for each, part in every:
        if each.subinterface:
            units.setdefault(each.subinterface, []).append(part)
    return PortBindings((*whole, *blocks), tuple(tuple(each) for each in units.values()))
