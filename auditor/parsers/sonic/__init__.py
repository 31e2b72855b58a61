"""Community SONiC: config_db.json and its fragments, the platform's table of headroom, and show captures."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from auditor.model.device import Device
from auditor.model.dump import Capture, Doubt, LineState, dump_files
from auditor.model.setting import Known, Setting, Unknown, value_of
from auditor.parsers.sonic.assemble import Assembler
from auditor.parsers.sonic.buffers import pools
from auditor.parsers.sonic.captures import READERS, Operation
from auditor.parsers.sonic.config import Config, configuration
from auditor.parsers.sonic.document import read
from auditor.parsers.sonic.hardware import architecture, asic
from auditor.parsers.sonic.learned import with_learned
from auditor.parsers.sonic.lookup import Lookup, read_lookup
from auditor.parsers.sonic.names import unattached, undefined
from auditor.parsers.sonic.recognise import CONFIG, FRAGMENT, LOOKUP, RUNNING, recognise, unread
from auditor.parsers.sonic.rows import Row, find_rows
from auditor.parsers.sonic.saved import differences

OS = "sonic"
__all__ = ["CONFIG", "OS", "parse", "recognise", "unread"]
_JSON = frozenset({CONFIG, FRAGMENT, RUNNING})


@dataclass(slots=True)
class _Reading:
    """What the captures of a switch hold, read one by one; rows of tables apart for each configuration.

    `is_cut`: one configuration is not there to its end, so that what it lacks says nothing.
    """

    saved: dict[str, list[Row]] = field(default_factory=dict)
    running: dict[str, list[Row]] = field(default_factory=dict)
    lookup: Lookup | None = None
    operation: Operation = field(default_factory=Operation)
    is_cut: bool = False
    dumps: list[tuple[Capture, Sequence[LineState]]] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)

    def add(self, capture: Capture) -> None:
        """Read one capture."""
        what = recognise(capture) or ("" if capture.command else CONFIG)
        states: Sequence[LineState]
        told: list[Doubt] = []
        if what in _JSON:
            states, told = _read_json(capture, self.running if what == RUNNING else self.saved)
            self.is_cut |= any(doubt.fatal for doubt in told)
        elif what == LOOKUP:
            self.lookup, states, told = read_lookup(capture)
        elif what:
            states = READERS[what].read(capture, self.operation)
        else:
            states = [LineState.UNRECOGNISED] * len(capture.lines)
        self.doubts += told
        self.dumps.append((capture, states))


def parse(name: str, source: str, captures: Sequence[Capture]) -> Device:
    """Return the switch that *captures* show; *name* is used where they do not tell the hostname.

    A file that is not recognised is read as a configuration: somebody said that it is of this system. Where the
    running and the saved configuration are both there, the running one counts, and the difference is told.
    """
    reading = _Reading()
    for capture in captures:
        reading.add(capture)
    if reading.running and reading.saved and not reading.is_cut:
        reading.doubts += differences(reading.saved, reading.running)
    config = configuration(reading.running or reading.saved)
    ports, contradictions = with_learned(Assembler(config, reading.lookup).ports(), reading.operation, config)
    return Device(
        name=value_of(_metadata(config, "hostname")) or name,
        kind="switch",
        os=OS,
        source=source,
        ports=ports,
        os_version=_metadata(config, "sonic_os_version"),
        model=_metadata(config, "hwsku"),
        asic=asic(config),
        buffer_architecture=architecture(config),
        pools=pools(config),
        undefined=undefined(config),
        unattached=unattached(config),
        dumps=dump_files(OS, reading.dumps),
        doubts=(*reading.doubts, *contradictions),
    )


def _read_json(capture: Capture, rows: dict[str, list[Row]]) -> tuple[Sequence[LineState], list[Doubt]]:
    document = read(capture)
    found = find_rows(capture, document)
    for table, own in found.rows.items():
        rows.setdefault(table, []).extend(own)
    doubts = found.doubts
    if document.fault:
        doubts.append(Doubt(capture.where(document.fault.index), "", document.fault.why, fatal=True))
    return found.states, doubts


def _metadata(config: Config, field: str) -> Setting[str]:
    if config.metadata is None:
        return Unknown("no table DEVICE_METADATA is in the dump")
    found = config.metadata.get(field)
    return found if isinstance(found, Known) else Unknown(f"DEVICE_METADATA has no {field}")
