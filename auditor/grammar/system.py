"""One operating system that is read in its core: putting a switch together from its dumps."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from auditor.grammar.assemble import Assembler, Resolve, names
from auditor.grammar.config import Config, Dialect, Switch, read_config
from auditor.grammar.operational import with_learned
from auditor.grammar.output import System as OutputForm
from auditor.grammar.output import read_outputs
from auditor.grammar.show import PortReader, ShowTable
from auditor.model.buffers import Pool
from auditor.model.device import Device
from auditor.model.dump import Capture, list_dump_files
from auditor.model.setting import NOT_COLLECTED, Setting

S = TypeVar("S", bound=Switch)


@dataclass(frozen=True, slots=True)
class System(Generic[S]):
    """All that is particular to one operating system.

    `shows` are its outputs. The group `kind` of the names of physical ports is the type of a port, whose Gb/s `rates`
    gives where it tells them; `new` makes the statements of a whole switch; `built_in` are named objects that need no
    definition.
    """

    os: str
    name: str
    shows: ShowTable[PortReader]
    dialect: Dialect[S]
    new: Callable[[], S]
    resolve: Resolve[S]
    reads_like_qos: re.Pattern[str]
    rates: Mapping[str, float] = field(default_factory=dict)
    built_in: Mapping[str, frozenset[str]] = field(default_factory=dict)
    pools: Callable[[Config[S]], Setting[tuple[Pool, ...]]] = lambda _: NOT_COLLECTED

    def parse(self, name: str, source: str, captures: Sequence[Capture]) -> Device:
        """Return the switch that *captures* show; *name* is used where they do not tell the hostname.

        A file that is not recognised is read as a configuration: somebody said that it is of this system.
        """
        form = OutputForm(
            self.name,
            self.shows.config,
            self.shows.recognise,
            self.shows.find_name,
            lambda configs: read_config(configs, self.dialect, self.new),
            self.shows.readers,
            self.reads_like_qos,
            "",
        )
        found = read_outputs(captures, form)
        config = found.config
        ports = Assembler(config, self.dialect.port, self.rates, self.resolve).ports() if config else ()
        undefined, unattached = names(config, self.built_in) if config else ((), ())
        return Device(
            name=config.name.value if config and config.name else name,
            kind="switch",
            os=self.os,
            source=source,
            ports=with_learned(ports, found.learned),
            os_version=config.version or NOT_COLLECTED if config else NOT_COLLECTED,
            pools=self.pools(config) if config else NOT_COLLECTED,
            undefined=undefined,
            unattached=unattached,
            dumps=list_dump_files(self.os, found.dumps),
            doubts=tuple(found.doubts),
        )
