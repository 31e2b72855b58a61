"""The dumps of one run: finding, reading and checking them, each file and each device once.

Each step is a function of what its key is made of; whatever else it should come to depend on belongs in that key.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, BinaryIO, Self

from auditor.engine.errors import CannotAudit
from auditor.engine.options import Options
from auditor.engine.settings import CONFIG
from auditor.engine.workers import Work

if TYPE_CHECKING:
    from auditor.checks.catalogue import Rule
    from auditor.engine.check import Outcome
    from auditor.engine.load import DeviceReading
    from auditor.inputs.detection import FileIdentity
    from auditor.inputs.rawtext import Raw
    from auditor.inputs.snapshot import DeviceUnit, Snapshot
    from auditor.intent import Intents
    from auditor.model.device import Device
    from auditor.model.fabric import End, Fabric


class Dumps:
    """Finds, reads and checks; earlier results come from the cache, and workers may do the rest."""

    def __init__(self, options: Options) -> None:
        from auditor.util.build_id import fingerprint

        self._options = options
        self._program = fingerprint()
        self._work = Work(options.jobs, options.cache, options.progress)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._work.close()

    def find_all(self, paths: Sequence[str]) -> "Snapshot":
        """Find the dumps in *paths*, which the user names; raises CannotAudit where the system to read is unknown."""
        options = self._options
        config = options.config or Path(paths[0]) / CONFIG
        used = {str(Path(path)) for path in (config, options.links) if path}
        if options.rules:
            used |= {str(path) for path in Path(options.rules).iterdir()}
        return self.find(paths, used, options.stdin)

    def find(self, paths: Sequence[str], used: Collection[str], stdin: BinaryIO | None = None) -> "Snapshot":
        """Find the dumps in *paths*; *used* are settings files that the caller reads by itself."""
        from auditor.inputs.snapshot import find

        return find(paths, self._find_os(), stdin, used, self._identify)

    def _find_os(self) -> str | None:
        """Return the identifier of the system that every input is read as, None where each is detected."""
        if self._options.os is None:
            return None
        from auditor.systems import find_system, systems

        system = find_system(self._options.os)
        if system is None:
            names = ", ".join(systems())
            raise CannotAudit(f"no operating system {self._options.os!r}; expected one of {names}, or an alias")
        return system.os

    def _identify(self, raws: "Sequence[Raw]", said: str | None) -> "Sequence[FileIdentity]":
        from auditor.inputs.detection import FileIdentity, identify_file

        keys = [
            self._make_key("told", PurePath(raw.name).name, said or "", str(raw.ends_with_newline), raw.lines)
            for raw in raws
        ]
        return self._work.run(partial(identify_file, os=said), raws, keys, FileIdentity, "looking")

    def list_keys(self, snapshot: "Snapshot") -> Sequence[str]:
        """Return for each device what stands for all that is read of it."""
        return [self._make_key("read", *_list_parts(unit)) for unit in snapshot.units]

    def read(self, snapshot: "Snapshot", keys: Sequence[str] | None = None) -> "Sequence[DeviceReading]":
        """Read each device."""
        from auditor.engine.load import DeviceReading, read_device

        return self._work.run(read_device, snapshot.units, keys or self.list_keys(snapshot), DeviceReading, "reading")

    def check(
        self,
        fabric: "Fabric",
        cables: "Sequence[tuple[End, End]]",
        keys: Sequence[str],
        intents: "Intents",
        site: "Sequence[Rule]",
    ) -> "Outcome":
        """Check each device by the rules of the program and of the *site*, and what lies between them.

        *keys* are those by which the devices were read. A device may since have got another name, its ports a cable
        length, and its jobs what NICs do to what they ask for, by the fabric around it: by the other devices and by
        *cables*, which files give.
        """
        from auditor.engine.check import Outcome

        judged_by = (_describe_intents(intents), *(repr((rule.file, rule.check.run)) for rule in site))
        own = [
            self._make_key("checked", key, device.name, device.hostname, _describe_surroundings(device), judged_by)
            for key, device in zip(keys, fabric.devices, strict=True)
        ]
        whole = self._make_key("between", own, map(repr, cables))
        check = partial(_check, intents=intents, site=site)
        kept = all(rule.check.repeats for rule in site)
        outcome = Outcome()
        for part in self._work.run(check, fabric.devices, own, Outcome, "checking", kept=kept):
            outcome.add(part)
        (between,) = self._work.run(partial(_check_fabric, intents=intents), [fabric], [whole], Outcome, "checking")
        outcome.add(between)
        return outcome

    def _make_key(self, *parts: str | Iterable[str]) -> str:
        from auditor.engine.cache import compute_digest

        return compute_digest(self._program, *parts)


def _list_parts(unit: "DeviceUnit") -> Iterator[str | Sequence[str]]:
    yield from (unit.name, unit.source, unit.os)
    for capture in unit.captures:
        yield from (capture.file, capture.command, str(capture.first_line), str(capture.ends_mid_line), capture.lines)


def _describe_surroundings(device: "Device") -> list[str]:
    """Return the properties of a device that the fabric around it decides."""
    overridden = repr(device.jobs.is_overridden if device.jobs else None)
    configs = {id(port.config): port.config for port in device.ports}
    lengths = {number: repr(config.cable_length_m) for number, config in configs.items()}
    return [overridden, *(lengths[id(port.config)] for port in device.ports)]


def _describe_intents(intents: "Intents") -> str:
    """Return all that rules read of *intents*; ignores apply later, when findings are put together."""
    from dataclasses import replace

    return repr(replace(intents, ignores=(), links=()))


def _check(device: Any, intents: "Intents", site: "Sequence[Rule]") -> "Outcome":  # noqa: ANN401  in a worker
    from auditor.checks.catalogue import rules
    from auditor.engine.check import check_device

    return check_device(device, intents, (*rules(intents.tuning), *site))


def _check_fabric(fabric: Any, intents: "Intents") -> "Outcome":  # noqa: ANN401  as above
    from auditor.checks.catalogue import rules
    from auditor.engine.check import check_fabric

    return check_fabric(fabric, intents, rules(intents.tuning))
