"""Enterprise SONiC (Dell, Broadcom): command lines, show outputs, and the database that it shares with SONiC."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace

from auditor.grammar.doubts import doubts_of
from auditor.model.device import Device
from auditor.model.dump import Capture, LineState
from auditor.model.setting import Origin
from auditor.systems.enterprise_sonic.complete import complete, remove_unconfigured
from auditor.systems.enterprise_sonic.config import PROMPT, READS_LIKE_QOS, ConfigReader, sort_captures
from auditor.systems.enterprise_sonic.counters import parse_counters
from auditor.systems.enterprise_sonic.names import DIALECT
from auditor.systems.enterprise_sonic.output import ShowOutput
from auditor.systems.enterprise_sonic.show import (
    CONFIG,
    COUNTERS,
    READERS,
    SAVED,
    match_command,
    recognise,
    shows_whole,
)
from auditor.systems.enterprise_sonic.store import Store, Writer
from auditor.systems.enterprise_sonic.system import SYSTEM
from auditor.systems.enterprise_sonic.tunnels import read_tunnels
from auditor.systems.sonic.assemble import Assembler
from auditor.systems.sonic.config import make_config
from auditor.systems.sonic.reading import JSON, CaptureReader
from auditor.systems.sonic.rows import Row
from auditor.systems.sonic.show import LOOKUP
from auditor.systems.sonic.show import READERS as SONIC_READERS
from auditor.systems.sonic.show import recognise as recognise_sonic
from auditor.systems.sonic.switch import Identity, find_part, make_switch
from auditor.util.values import dataclass

_OF_SONIC = frozenset({*JSON, *SONIC_READERS, LOOKUP}) - frozenset(READERS)
_COMMANDS = (
    "priority-flow-control scheduler-policy wred-policy minimum-threshold maximum-threshold drop-probability "
    "traffic-class priority-group pfc-priority interface description channel-group cable-length watchdog shutdown "
    "hostname"
)


@dataclass(slots=True)
class _Switch:
    """The content of a switch's captures: the database, and the rows of command lines and outputs."""

    reading: CaptureReader = field(default_factory=CaptureReader)
    store: Store = field(default_factory=Store)
    whole: bool = False
    typed: bool = True

    def add(self, capture: Capture) -> None:
        """Read one capture; a session contains several outputs and typed lines."""
        what = recognise(capture) or recognise_sonic(capture)
        if what in _OF_SONIC:
            self.reading.add(capture, what or "")
            return
        states: list[LineState] = []
        typed = Writer(self.store, capture)
        for said, start, end in _pieces(capture):
            states += [LineState.IGNORED] * (start - len(states))
            name = match_command(said) if said else what
            if name and name in READERS:
                states += self._output(name, ShowOutput(said, capture.lines, start, end, typed))
            elif name == COUNTERS:
                states += parse_counters(capture, start, end, self.reading.shown.operation)
            elif name in {CONFIG, SAVED} or not said:
                states += self._config(said, capture, start, end)
            else:
                states += [LineState.IGNORED if said else LineState.UNRECOGNISED] * (end - start)
        shown = self.reading.shown
        shown.dumps.append((capture, states))
        shown.doubts += doubts_of(capture, states, READS_LIKE_QOS, _COMMANDS.split(), "Enterprise SONiC")

    def _config(self, said: str, capture: Capture, start: int, end: int) -> list[LineState]:
        if shows_whole(said):
            self.store.forget(Origin.INTENDED)
            self.whole = True
        self.typed = self.typed and not said
        reader = ConfigReader(capture, Writer(self.store, capture, shows=bool(said)))
        reader.read(start, end)
        return reader.states

    def _output(self, name: str, output: ShowOutput) -> list[LineState]:
        show = READERS[name]
        if output.command == name:
            self.store.forget(Origin.LEARNED, show.tables)
        output.writer.origin, output.writer.shows = Origin.LEARNED, True
        states = show.read(output)
        output.writer.origin, output.writer.shows = Origin.INTENDED, False
        return states


def parse(name: str, source: str, captures: Sequence[Capture]) -> Device:
    """Return the switch in *captures*; *name* is its name if they contain no hostname.

    An unrecognised file is read as a configuration, because `--os` or a manifest names this system.
    """
    found = _Switch()
    for capture in sort_captures(captures):
        found.add(capture)
    place = {id(capture): number for number, capture in enumerate(captures)}
    found.reading.shown.dumps.sort(key=lambda dump: place[id(dump[0])])
    removed = found.store.removed
    database = {
        table: [row for row in rows if (table, row.key) not in removed] for table, rows in found.reading.rows().items()
    }
    names = _database_names(database)
    written = found.store.rows(names)
    operation = found.reading.shown.operation
    operation.ports = {names.get(port, port): learned for port, learned in operation.ports.items()}
    bare = {} if database or found.whole else remove_unconfigured(written)
    written = complete(written, database, whole=found.whole, typed=found.typed)
    rows = {table: [*database.get(table, ()), *written.get(table, ())] for table in (*database, *written)}
    dialect = replace(DIALECT, titles={}) if database else DIALECT
    others = Assembler(make_config(bare, dialect), None).ports()
    config = make_config(rows, dialect)
    switch = make_switch(Identity(name, SYSTEM.os, source), config, found.reading.shown, others)
    return replace(switch, tunnels=read_tunnels(config), part=None if found.whole else find_part(rows))


def _pieces(capture: Capture) -> Iterator[tuple[str, int, int]]:
    """Yield each command with the first line of its output and the line after it; prompts lie between.

    The command is empty for typed lines and for plain files.
    """
    said = capture.command or _of_file(capture)
    start = 0
    for index, line in enumerate(capture.lines):
        prompt = PROMPT.fullmatch(line)
        run = re.match(r"(?:do )?(?P<command>show .*)", prompt["rest"].strip()) if prompt else None
        if run:
            yield said, start, index
            said, start = run["command"], index + 1
        elif prompt and prompt["rest"].strip() and said:
            yield said, start, index
            said, start = "", index
    yield said, start, len(capture.lines)


def _of_file(capture: Capture) -> str:
    """Return the command in a file's name, empty if the name has no known command."""
    said = re.sub(r"[ _]+", " ", re.sub(r".*/|\.\w{1,5}\Z", "", capture.file))
    return said if match_command(said) else ""


def _database_names(rows: Mapping[str, Sequence[Row]]) -> dict[str, str]:
    """Return the database's name of each port by its name in the other naming modes."""
    ports = rows.get("PORT", ())
    return {row.body.fields["alias"]: row.key for row in ports if "alias" in row.body.fields}
