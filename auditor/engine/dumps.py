"""The dumps of one run: finding, parsing and checking, each file and each device once.

The key of a step contains every input of the step. A new input belongs in the key.
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
    """The steps of a run; earlier results come from the cache, workers do the rest."""

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
        """Return the dumps in the user's *paths*; raises CannotAudit for an unknown operating system."""
        options = self._options
        config = options.config or Path(paths[0]) / CONFIG
        used = {str(Path(path)) for path in (config, options.links) if path}
        if options.rules and Path(options.rules).is_dir():
            used |= {str(path) for path in Path(options.rules).iterdir()}
        return self.find(paths, used, options.stdin)

    def find(self, paths: Sequence[str], used: Collection[str], stdin: BinaryIO | None = None) -> "Snapshot":
        """Return the dumps in *paths*; *used* holds the settings files that the caller reads."""
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
            self._make_key(
                "told", PurePath(raw.name).name, said or "", str(raw.ends_with_newline), raw.shunned, raw.lines
            )
            for raw in raws
        ]
        return self._work.run(partial(identify_file, os=said), raws, keys, FileIdentity, "identifying files")

    def list_keys(self, snapshot: "Snapshot") -> Sequence[str]:
        """Return the cache key of each device."""
        return [self._make_key("read", *_list_parts(unit)) for unit in snapshot.units]

    def read(self, snapshot: "Snapshot", keys: Sequence[str] | None = None) -> "Sequence[DeviceReading]":
        """Return each device, parsed."""
        from auditor.engine.load import DeviceReading, read_device

        return self._work.run(
            read_device, snapshot.units, keys or self.list_keys(snapshot), DeviceReading, "parsing devices"
        )

    def check(
        self,
        fabric: "Fabric",
        cables: "Sequence[tuple[End, End]]",
        keys: Sequence[str],
        intents: "Intents",
        site: "Sequence[Rule]",
    ) -> "Outcome":
        """Return the outcome of built-in and *site* rules on each device, on links and on the fabric.

        *keys* are the cache keys of the devices. The other devices and the *cables* of files can change a device after
        parsing: its name, the cable lengths of its ports, and the overrides of its jobs.
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
        for part in self._work.run(check, fabric.devices, own, Outcome, "checking devices", kept=kept):
            outcome.add(part)
        (between,) = self._work.run(
            partial(_check_fabric, intents=intents), [fabric], [whole], Outcome, "checking the fabric"
        )
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
    """Return all that rules read of *intents*; ignores and retirements apply later, when findings are put together."""
    from dataclasses import replace

    return repr(replace(intents, ignores=(), links=(), retired=()))


def _check(device: Any, intents: "Intents", site: "Sequence[Rule]") -> "Outcome":  # noqa: ANN401  in a worker
    from auditor.checks.catalogue import load_rules
    from auditor.engine.check import check_device

    return check_device(device, intents, (*load_rules(intents.tuning), *site))


def _check_fabric(fabric: Any, intents: "Intents") -> "Outcome":  # noqa: ANN401  as above
    from auditor.checks.catalogue import load_rules
    from auditor.engine.check import check_fabric

    return check_fabric(fabric, intents, load_rules(intents.tuning))
