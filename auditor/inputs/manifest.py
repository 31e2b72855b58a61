"""Our own files beside dumps: manifests of devices, records of pulls, settings. Each is ours only as a whole."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from auditor.inputs.dates import CaptureDate, parse_day, parse_time
from auditor.inputs.detection import IdentifySystem
from auditor.inputs.rawtext import Problem, Raw, Skipped
from auditor.model.dump import Capture
from auditor.systems import systems
from auditor.util.surrogates import replace_halves
from auditor.util.values import dataclass
from auditor.util.yamlfile import YamlError, load

MANIFEST = "manifest.json"
PULL = "roce-audit/pull/1"
"""The schema of the record that `roce-audit pull` writes over the manifests of devices."""
KEYS = {
    "roce-audit/intent/1": frozenset(
        {
            *("cable_length_m", "cables", "campaigns", "congestion_control", "design", "devices", "expect"),
            *("gpus_per_nic", "homing", "ignore", "incast", "ip", "links", "oversubscription", "owners", "packs"),
            *("path_mtu_bytes", "preset", "rails", "retired", "roles", "rules", "schema", "sites", "traffic"),
        }
    ),
    "roce-audit/links/1": frozenset({"links", "schema"}),
    "roce-audit/custom-rule/1": frozenset(
        {
            *("for", "id", "level", "name", "python", "references", "remedy", "require", "schema", "summary", "when"),
            "why",
        }
    ),
}
"""The schemas of settings that may lie beside dumps, each with all keys that a file of it may have."""
_EXPECTED = "expected a JSON"


@dataclass(frozen=True, slots=True)
class Manifest:
    """The manifest of a folder: device and system, None where it leaves them open, and command and file of captures.

    `dates` say when each capture, by its file, was last seen on the device.
    """

    file: str
    folder: str
    device: str | None
    os: str | None
    captures: tuple[tuple[str, str], ...]
    dates: Mapping[str, CaptureDate]


def is_manifest(raw: Raw) -> bool:
    """Return whether a file is called like a manifest, and speaks for its folder."""
    return PurePath(raw.name).name == MANIFEST and not (raw.given or raw.bundle_file or raw.shunned)


def parse_manifest(raw: Raw) -> Manifest | Problem:
    """Return the manifest in *raw*; a Problem unless it names a capture, and all of it is of the right type."""
    try:
        data = json.loads(replace_halves("\n".join(raw.lines)))
        captures = tuple((c["command"], c["file"]) for c in data["captures"])
        device, os = data["device"], data.get("os")
        texts = (*(text for pair in captures for text in pair), *(each for each in (device, os) if each is not None))
        is_whole = bool(captures) and all(isinstance(each, str) for each in texts)
    except (RecursionError, KeyError, TypeError, ValueError, AttributeError) as error:
        line = error.lineno if isinstance(error, json.JSONDecodeError) else None
        return Problem(raw.name, line, f"{_EXPECTED} object with device, os and captures")
    if not is_whole:
        return Problem(raw.name, None, f"{_EXPECTED} object with device, os and at least one capture, as texts")
    found = ((each["file"], find_time(data, each), str(each.get("sha256") or "")) for each in data["captures"])
    dates = {
        file: CaptureDate(day, digest, parse_time(seen)) for file, seen, digest in found if (day := parse_day(seen))
    }
    return Manifest(raw.name, raw.folder, device or None, os, captures, dates)


def find_time(manifest: Mapping[str, Any], capture: Mapping[str, Any]) -> str:
    """Return when a *capture* of a *manifest* was last seen on the device, empty where the manifest does not say it.

    A manifest that has no time of the pull has that of each capture's content, which is older.

    >>> find_time({"seen": "2026-11-23"}, {"time": "2026-11-01"}), find_time({}, {"time": "2026-11-01"})
    ('2026-11-23', '2026-11-01')
    """
    return str(capture.get("seen", manifest.get("seen", capture.get("time", ""))))


def is_pull(raw: Raw) -> bool:
    """Return whether the whole of *raw* is the record of a pull."""
    try:
        data: Any = json.loads(replace_halves("\n".join(raw.lines)))
    except (RecursionError, ValueError):
        return False
    return isinstance(data, dict) and data.get("schema") == PULL and data.keys() == {"schema", "devices"}


def list_unpulled(record: Raw) -> Iterator[Skipped]:
    """Yield the devices without captures in the *record* of a pull, which a report must not omit silently."""
    try:
        devices = [
            (str(d["device"]), str(d["why"]))
            for d in json.loads(replace_halves("\n".join(record.lines)))["devices"]
            if not d["captures"]
        ]
    except (KeyError, TypeError):
        yield Skipped(record.name, "damaged record of a pull")
        return
    yield from (Skipped(f"{record.folder}/{name}", f"not pulled: {why}") for name, why in devices)


def is_settings(raw: Raw) -> bool:
    """Return whether the whole of *raw* is a settings file of ours, by its `schema` and its keys.

    Such a file may quote lines of any system, as a rule does; no dump has these keys alone.
    """
    text = "\n".join(("", *raw.lines))
    if "\nschema:" not in text:
        return False
    try:
        data = load(raw.name, text[1:], {}).data
    except YamlError:
        return False
    return isinstance(data, dict) and data.keys() <= KEYS.get(str(data.get("schema")), frozenset())


def find_contradiction(os: str, captures: Sequence[Capture], file: str, tell: IdentifySystem) -> Problem | None:
    """Return a problem of the manifest *file* where the content of *captures* shows another system than *os*.

    *tell* identifies the system of captures.
    """
    contents = [Capture("", capture.lines) for capture in captures]
    found = tell(contents, file)
    if found is None or found == os or isinstance(found, Problem):
        return found if isinstance(found, Problem) else None
    is_related = {systems()[os].relative, found} == {found, os} - {None}
    if is_related or any(systems()[os].recognise(content) for content in contents):
        return None
    why = f"says that this is {systems()[os].name}, but the captures are of {systems()[found].name}"
    return Problem(file, None, f"{why}; expected the system of the captures")
