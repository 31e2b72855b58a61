"""A switch of a system that is modelled in its core, from its dumps."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from typing import Generic, TypeVar

from auditor.grammar.assemble import Assembler, NameLag, Resolve, find_names, take_own_lag
from auditor.grammar.config import read_config
from auditor.grammar.configuration import SwitchStatements, ViewConfig
from auditor.grammar.dialect import ViewDialect
from auditor.grammar.doubts import Ending
from auditor.grammar.layers import is_silent
from auditor.grammar.multichassis import list_shared, share_ports
from auditor.grammar.operational import Ports, add_operational, compare_operation
from auditor.grammar.output import OutputReader, read_outputs
from auditor.grammar.running import ONLY_PART
from auditor.grammar.show import PortReader, ShowTable
from auditor.grammar.viewvlans import list_vlan_interfaces
from auditor.model.buffers import Pool
from auditor.model.device import Device, TurnGroup, VlanInterface
from auditor.model.dump import Capture
from auditor.model.routing import Routing
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting
from auditor.model.spreading import Ecmp
from auditor.util.values import dataclass

S = TypeVar("S", bound=SwitchStatements)


@dataclass(frozen=True, slots=True)
class ViewSystem(Generic[S]):
    """The particulars of one operating system.

    `shows` are its outputs. The group `kind` of the names of physical ports is the type of a port, whose Gb/s `rates`
    gives where it tells them; `new` makes the statements of a whole switch; `built_in` are named objects that need no
    definition; `ending` ends a whole configuration. `policy` is the kind of the policies that sort what arrives.
    `name_lag` returns the port-channel of a port by its full name, `ecmp` how the switch spreads flows,
    `turn_groups` the ports between which packets change their priority. `peer_link` returns the port-channel to the
    switch of the same pair, where its own view does not say so.
    """

    os: str
    name: str
    shows: ShowTable[PortReader]
    dialect: ViewDialect[S]
    new: Callable[[], S]
    resolve: Resolve[S]
    reads_like_qos: re.Pattern[str]
    ending: Ending | None = None
    rates: Mapping[str, float] = field(default_factory=dict)
    built_in: Mapping[str, frozenset[str]] = field(default_factory=dict)
    policy: str = ""
    pools: Callable[[ViewConfig[S]], Setting[tuple[Pool, ...]]] = lambda _: NOT_COLLECTED
    name_lag: NameLag[S] = take_own_lag
    ecmp: Callable[[ViewConfig[S]], Ecmp] = lambda _: Ecmp()
    list_vlans: Callable[[ViewConfig[S], re.Pattern[str]], tuple[VlanInterface, ...]] = list_vlan_interfaces
    routing: Callable[[ViewConfig[S]], Routing] = lambda _: Routing()
    turn_groups: Callable[[ViewConfig[S]], tuple[TurnGroup, ...]] = lambda _: ()
    peer_link: Callable[[ViewConfig[S]], Mapping[str, Known[str]]] = lambda _: {}

    def parse(self, name: str, source: str, captures: Sequence[Capture]) -> Device:
        """Return the switch that *captures* show; *name* stands in for a missing hostname.

        An unrecognised file counts as a configuration: the caller names the system.
        """
        reader = OutputReader(
            self.name,
            self.shows.config,
            self.shows.recognise,
            self.shows.find_name,
            lambda configs: read_config(configs, self.dialect, self.new),
            self.shows.readers,
            self.reads_like_qos,
            "",
            self.ending,
            self.shows.saved,
        )
        found = read_outputs(captures, reader)
        written = found.config.interfaces if found.config else {}
        self._learn_rates({name: port for name, port in found.learned.items() if name not in written})
        device, config = found.build_switch(self.os, name, source), found.config
        if config is None:
            return device
        undefined, unattached = find_names(config, self.built_in, self.policy)
        alone = Assembler(config, self.dialect.port, self.rates, self.resolve, self.name_lag).ports()
        ports = share_ports(alone, {**list_shared(config), **self.peer_link(config)})
        return replace(
            device,
            name=config.name.value if config.name else name,
            ports=add_operational(ports, found.learned),
            differences=compare_operation(ports, found.learned),
            os_version=config.version or NOT_COLLECTED,
            pools=self.pools(config),
            undefined=undefined,
            unattached=unattached,
            part=None if config.complete else ONLY_PART,
            vlan_interfaces=self.list_vlans(config, self.dialect.port) if self.dialect.find_vlan_line else (),
            routing=self.routing(config),
            ecmp=self.ecmp(config),
            turn_groups=self.turn_groups(config),
        )

    def _learn_rates(self, ports: Ports) -> None:
        """Give ports whose speed no output shows that of their kind; a cage with a module alone is no port."""
        for name, port in ports.items():
            match = self.dialect.port.match(name)
            rate = self.rates.get(match["kind"]) if match and self.rates else None
            if rate is not None and is_silent(port.speed_gbps) and not port.is_cage:
                port.speed_gbps = Known(rate, Origin.LEARNED, port.where)
