"""The dumps of one run: parsing and checking, each device once.

The key of a step contains every input of the step. A new input belongs in the key.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Self

from auditor.engine.attempts import PLEA, report_lost
from auditor.engine.child import Bounds, NoAnswer
from auditor.engine.errors import CannotAudit
from auditor.engine.files import FileFinder, OpenFiles
from auditor.engine.keys import describe_intents, describe_surroundings, list_parts
from auditor.engine.options import Options
from auditor.engine.steps import FabricPart, check_alone, check_part, find_part, load_arrays, load_readers
from auditor.engine.workers import Work
from auditor.util.values import dataclass

if TYPE_CHECKING:
    from auditor.checks.catalogue import Rule
    from auditor.collect.cluster import Cluster
    from auditor.engine.check import Outcome, PartOutcome
    from auditor.engine.load import DeviceReading
    from auditor.engine.result import Report
    from auditor.inputs.rawtext import Problem
    from auditor.inputs.snapshot import DeviceUnit, Snapshot
    from auditor.intent import Expectation, Intents
    from auditor.model.device import Device
    from auditor.model.fabric import End, Fabric


DEVICES_PER_SHARE = 50
"""Link and fabric rules may cost as much again as a device for each so many devices."""


@dataclass(frozen=True, slots=True)
class Readings:
    """The devices that were parsed, each with its dumps and cache key, and a problem for each of the others."""

    units: "tuple[DeviceUnit, ...]"
    keys: tuple[str, ...]
    reads: "tuple[DeviceReading, ...]"
    problems: "tuple[Problem, ...]"


class Dumps:
    """The steps of a run; earlier results come from the cache, workers do the rest."""

    def __init__(self, options: Options) -> None:
        from auditor.util.build_id import fingerprint

        self._options = options
        self._program = fingerprint() if options.cache is not None else ""
        self._keyed: tuple[Sequence[DeviceUnit], list[str]] = ((), [])
        bounds = Bounds(options.device_seconds, options.device_memory)
        self._work = Work(bounds, options.jobs, options.cache, options.progress, _open_cluster(options))
        self.finder = FileFinder(options, self._work, self._make_key)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._work.close()

    def read_inventory(self, expected: "Expectation | None") -> tuple[str, ...]:
        """Return the devices of the inventory that is *expected*, none without one; raises CannotAudit."""
        from auditor.engine.inventory import InventoryNames, name_inventory, read_names

        if expected is None or not expected.inventory:
            return ()
        step = "reading the inventory"
        (found,) = self._work.run(read_names, [expected], [self._make_key(step)], InventoryNames, step, kept=False)
        wrong = found.why if isinstance(found, NoAnswer) else found.wrong
        if wrong:
            raise CannotAudit(f"{expected.file}:{expected.line}: inventory {name_inventory(expected)}: {wrong}")
        return tuple(found.names)

    def read(self, snapshot: "Snapshot") -> "Readings":
        """Return the devices, parsed, and the problems of those that could not be parsed."""
        from auditor.engine.load import DeviceReading, read_device

        keys = self._list_keys(snapshot)
        found = self._work.run(
            read_device,
            snapshot.units,
            keys,
            DeviceReading,
            "parsing devices",
            is_shared=True,
            prepare=load_readers,
        )
        kept = [row for row in zip(snapshot.units, keys, found, strict=True) if not isinstance(row[2], NoAnswer)]
        lost = [
            report_lost(each, "parsing the device", unit.source)
            for unit, each in zip(snapshot.units, found, strict=True)
            if isinstance(each, NoAnswer)
        ]
        return Readings(
            tuple(unit for unit, _, _ in kept),
            tuple(key for _, key, _ in kept),
            tuple(each for _, _, each in kept),
            tuple(lost),
        )

    def check(  # noqa: PLR0913  the fabric and what judges it
        self,
        fabric: "Fabric",
        cables: "Sequence[tuple[End, End]]",
        keys: Sequence[str],
        intents: "Intents",
        site: "Sequence[Rule]",
        *,
        is_linked: bool = True,
    ) -> "tuple[Outcome, tuple[Problem, ...]]":
        """Return the outcome of built-in and *site* rules on each device, on links and on the fabric, and its problems.

        Without links, which is not *is_linked*, no rule judges links or the fabric.
        *keys* are the cache keys of the devices. The other devices and the *cables* of files can change a device after
        parsing: its name, the cable lengths of its ports, the growth of their counters, and the overrides of its jobs.
        """
        from auditor.engine.check import Outcome

        own = self._make_keys(fabric.devices, keys, intents, site)
        whole = self._make_key("between", own, map(repr, cables))
        found = self._check_devices(fabric.devices, own, intents, site)
        problems = [
            report_lost(part, "checking the device", device.source)
            for device, part in zip(fabric.devices, found, strict=True)
            if isinstance(part, NoAnswer)
        ]
        outcome = Outcome()
        outcome.add(part for part in found if not isinstance(part, NoAnswer))
        if is_linked:
            problems += self._check_between(fabric, intents, whole, outcome)
        return outcome, tuple(problems)

    def check_alone(
        self, devices: "Sequence[Device]", keys: Sequence[str], intents: "Intents"
    ) -> "Sequence[PartOutcome | None]":
        """Return the outcome of the built-in rules on each device by itself; None where a device gives none."""
        own = self._make_keys(devices, keys, intents, ())
        found = self._check_devices(devices, own, intents, ())
        return [None if isinstance(each, NoAnswer) else each for each in found]

    def _make_keys(
        self, devices: "Sequence[Device]", keys: Sequence[str], intents: "Intents", site: "Sequence[Rule]"
    ) -> list[str]:
        """Return the keys of the results on *devices*, of which *keys* are those of their dumps."""
        judged_by = (describe_intents(intents), *(repr((rule.file, rule.check.run)) for rule in site))
        return [
            self._make_key("checked", key, device.name, device.hostname, describe_surroundings(device), judged_by)
            for key, device in zip(keys, devices, strict=True)
        ]

    def _check_devices(
        self, devices: "Sequence[Device]", keys: Sequence[str], intents: "Intents", site: "Sequence[Rule]"
    ) -> "Sequence[PartOutcome | NoAnswer]":
        from auditor.engine.check import PartOutcome

        check = partial(check_alone, intents=intents, site=site)
        kept = all(rule.check.repeats for rule in site)
        return self._work.run(
            check, devices, keys, PartOutcome, "checking devices", kept=kept, is_shared=True, prepare=load_arrays
        )

    def _check_between(self, fabric: "Fabric", intents: "Intents", key: str, outcome: "Outcome") -> "Iterator[Problem]":
        """Add the outcome of link and fabric rules to *outcome*; yield a problem for each rule that is lost."""
        from auditor.checks.catalogue import load_rules
        from auditor.engine.check import PartOutcome

        def run(names: Sequence[str]) -> Sequence[Any]:
            keys = [self._make_key(key, name) for name in names]
            step = "checking the fabric"
            return self._work.run(check, names, keys, PartOutcome, step, scale=scale, makes_garbage=False)

        check = partial(check_part, fabric=fabric, intents=intents)
        scale = 1 + len(fabric.devices) / DEVICES_PER_SHARE
        parts = run(list(FabricPart))
        lost = {part for part, found in zip(FabricPart, parts, strict=True) if isinstance(found, NoAnswer)}
        names = [rule.file.id for rule in load_rules(intents.tuning) if find_part(rule) in lost]
        single = run(names)
        outcome.add(found for found in (*parts, *single) if not isinstance(found, NoAnswer))
        for name, found in zip(names, single, strict=True):
            if isinstance(found, NoAnswer):
                yield report_lost(found, f"rule {name}", "")

    def make_report_key(self, opened: OpenFiles, *parts: str | Iterable[str]) -> str:
        """Return the key of the report on *opened*; *parts* are all else on which it depends beside the program."""
        from auditor.inputs.recall import list_content

        texts = [self.finder.digest(raw) for raw in opened.bundle.raws]
        return self._make_key("report", list_content(opened.bundle), texts, sorted(opened.used), *parts)

    def recall_report(self, key: str) -> "Report | None":
        """Return the report that an earlier run has kept under *key*."""
        from auditor.engine.result import Report

        found: Report | None = self._work.recall(key, Report)
        return found

    def keep_report(self, key: str, report: "Report") -> None:
        """Keep *report* under *key*, unless a step failed, which may not fail the next time."""
        from auditor.engine.result import Report

        if self._work.is_whole and not any(problem.message.endswith(PLEA) for problem in report.problems):
            self._work.keep(key, report, Report)

    def _list_keys(self, snapshot: "Snapshot") -> list[str]:
        """Return the keys of the parsed devices, computed once for the same dumps."""
        if self._keyed[0] is not snapshot.units:
            self._keyed = snapshot.units, [self._make_key("read", *list_parts(unit)) for unit in snapshot.units]
        return self._keyed[1]

    def _make_key(self, *parts: str | Iterable[str]) -> str:
        from auditor.engine.cache import compute_digest

        return compute_digest(self._program, *parts)


def _open_cluster(options: Options) -> "Cluster | None":
    """Return the connection to the cluster of *options*, None without one; raises CannotAudit."""
    if options.cluster is None:
        return None
    from auditor.engine.shards import open_cluster

    return open_cluster(options.cluster, options.notify)
