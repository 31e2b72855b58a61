"""The clean fabrics that are mutated, read once: a mutant is judged by reading the one device anew that it changes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path, PurePath

from planted import Edit, Fault
from test_fabric_mixed import FAULTS as MIXED

from auditor.checks.catalogue import Rule, load_rules
from auditor.engine.build import drop_repeated
from auditor.engine.check import Outcome, check_device, check_fabric
from auditor.engine.findings import ReportedFinding
from auditor.engine.load import DeviceReading, distinguish_devices, read_device
from auditor.fabric.topology import link_devices
from auditor.inputs.snapshot import DeviceUnit, find
from auditor.intent import Intents, fill_cable_lengths, parse_intent
from auditor.model.device import Device
from auditor.model.dump import Capture
from auditor.model.fabric import Fabric
from auditor.model.finding import FindingKind as Verdict

FIXTURES = Path(__file__).parents[2] / "fixtures"
CLEAN: Mapping[str, tuple[Fault, ...]] = {
    "fabric-clean": (),
    "fabric-mixed": MIXED,
    "fabric-more": (),
    "fabric-ipv6": (),
    "hosts/nvidia": (),
    "hosts/broadcom": (),
    "hosts/intel": (),
    "hosts/amd": (),
    "pod-clean": (),
}
"""Folders of fixtures that are clean once the faults planted in them are undone; those that exist are mutated."""


def text_of(capture: Capture) -> str:
    """Return the text of a capture."""
    return "\n".join(capture.lines) + "\n"


def with_text(capture: Capture, text: str) -> Capture:
    """Return *capture* as it is with another text."""
    return replace(capture, lines=tuple(text.removesuffix("\n").split("\n")))


@dataclass(frozen=True)
class Judged:
    """What an audit says beyond what it says of the clean fabric: failures, open questions, lines not understood."""

    device: Device
    failed: tuple[ReportedFinding, ...]
    open: frozenset[tuple[str, str, str | None]]
    warned: frozenset[str]


@dataclass(frozen=True)
class Clean:
    """A clean fabric with its intent and what each of its devices was read and judged as."""

    name: str
    units: Sequence[DeviceUnit]
    reads: tuple[DeviceReading, ...]
    intents: Intents

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """The rules as the fabric's intent tunes them."""
        return load_rules(self.intents.tuning)

    @cached_property
    def _joined(self) -> Fabric:
        return self._join(self.reads)

    @cached_property
    def _own(self) -> Mapping[str, Outcome]:
        return {device.name: self._of_device(device) for device in self._joined.devices}

    @cached_property
    def said(self) -> tuple[frozenset[str], frozenset[tuple[str, str, str | None]], frozenset[str]]:
        """Fingerprints of what fails, what is open, and the lines not understood, of the fabric as it is."""
        found = self._findings(self._joined)
        return frozenset(f.fingerprint for f in found if f.kind is Verdict.FAIL), _open(found), _warned(self.reads)

    def neighbours(self, unit: int) -> frozenset[str]:
        """Return the names of the device that the unit at this index is, and of those that its cables lead to."""
        device = self._joined.devices[unit].name
        ends = [{link.a.device, link.b.device} for link in self._joined.links]
        return frozenset({device}.union(*(pair for pair in ends if device in pair)))

    def judged(self, unit: int, captures: Sequence[Capture]) -> Judged:
        """Return what is said newly where one unit has other captures."""
        other = read_device(replace(self.units[unit], captures=tuple(captures)))
        reads = (*self.reads[:unit], other, *self.reads[unit + 1 :])
        found = self._findings(self._join(reads))
        failed, opened, warned = self.said
        return Judged(
            other.device,
            tuple(f for f in found if f.kind is Verdict.FAIL and f.fingerprint not in failed),
            _open(found) - opened,
            _warned([other]) - warned,
        )

    def _join(self, reads: Sequence[DeviceReading]) -> Fabric:
        devices, _ = distinguish_devices(r.device for r in reads)
        return fill_cable_lengths(link_devices(devices, self.intents.links), self.intents)

    def _of_device(self, device: Device) -> Outcome:
        return check_device(device, self.intents, self.rules)

    def _findings(self, joined: Fabric) -> Sequence[ReportedFinding]:
        """Return the findings of a report; those of devices that are as they were are not found anew."""
        found = list(check_fabric(joined, self.intents, self.rules).findings)
        for device, before in zip(joined.devices, self._joined.devices, strict=True):
            same = device is before or (device.name == before.name and device == before)
            found += (self._own[device.name] if same else self._of_device(device)).findings
        return drop_repeated(found)


def _open(found: Sequence[ReportedFinding]) -> frozenset[tuple[str, str, str | None]]:
    return frozenset((f.rule, f.device, f.port) for f in found if f.kind is Verdict.OPEN)


def _warned(reads: Sequence[DeviceReading]) -> frozenset[str]:
    return frozenset(doubt.text for each in reads for doubt in each.device.doubts)


def clean(name: str, faults: Sequence[Fault]) -> Clean:
    """Return the fabric in a folder of fixtures, its faults undone."""
    folder = FIXTURES / name
    config = folder / "roce-audit.yaml"
    units = find([str(folder)], used={str(config)}).units
    for edit in (edit for fault in faults for edit in fault.undo):
        units = tuple(_edited(unit, folder, edit) for unit in units)
    intents = parse_intent(str(config), config.read_text(encoding="utf-8"))
    return Clean(name, units, tuple(map(read_device, units)), intents)


NAMES = tuple(name for name in CLEAN if (FIXTURES / name).is_dir())
"""The folders that exist."""


@cache
def clean_fabric(name: str) -> Clean:
    """Return the fabric of a name, read at its first use."""
    return clean(name, CLEAN[name])


def clean_fabrics() -> Iterator[Clean]:
    """Yield the clean fabrics that are there; one that nobody comes to is not read."""
    return map(clean_fabric, NAMES)


def _edited(unit: DeviceUnit, folder: Path, edit: Edit) -> DeviceUnit:
    def edited(capture: Capture) -> Capture:
        if PurePath(capture.file) != PurePath(folder / edit.file):
            return capture
        text = text_of(capture)
        assert text.count(edit.old) == edit.times
        return with_text(capture, text.replace(edit.old, edit.new))

    return replace(unit, captures=tuple(map(edited, unit.captures)))
