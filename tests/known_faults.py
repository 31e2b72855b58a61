"""Faults that a second reader found in real dumps: which rule finds each, or why none does.

`python tests/known_faults.py` prints the table, row by row. The dumps and the readings lie beside this checkout
(`../shared/corpus`); here stand only the numbers of the readings and what answers them.
"""

import contextlib
import csv
import io
import json
import re
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from auditor.cli import main

CORPUS = Path(__file__).parent.parent.parent / "shared" / "corpus"
READINGS = CORPUS / "facts" / "faults.csv"
WARNING = "warning"
"""In the place of a rule: the report warns of the line."""
_NOWHERE = "the dump is a part without an interface: what it defines is in force nowhere"
_MEANT = "what is meant is in no line: a declared intent tells it"


@dataclass(frozen=True, slots=True)
class Answer:
    """What answers a reading: rules, and the preset without which they cannot know; or why nothing does.

    `part` says why the rules name fewer ports or other lines than the reader.
    """

    rules: tuple[str, ...] = ()
    preset: str = ""
    part: str = ""
    why: str = ""


def _by(*rules: str, preset: str = "", part: str = "") -> Answer:
    return Answer(rules, preset, part)


def _none(why: str) -> Answer:
    return Answer(why=why)


_UNBOUND = "the policy that is bound nowhere is named by its own lines, whatever the port"
ANSWERS: Mapping[str, Answer] = {
    "F001": _by("ECN009", "CLS005", part="said once for the fabric"),
    "F002": _by("PFC002"),
    "F003": _by("CLS005", part=_UNBOUND),
    "F004": _by("ECN009", "CLS005", part="the other ports are shut down"),
    "F005": _by("ECN009", "CLS005", part="said once for the fabric"),
    "F006": _by("PFC002"),
    "F007": _by("CLS001"),
    "F008": _by("CLS001"),
    "F009": _by("CLS001"),
    "F010": _none("one switch alone: what its peers take is not known (MTU001 judges both ends, FLT001 the fleet)"),
    "F011": _by("WDG001"),
    "F012": _by("CLS005"),
    "F013": _by("CLS001"),
    "F014": _by("CLS001"),
    "F015": _by("CLS001"),
    "F016": _by("CLS001"),
    "F017": _by("CLS001"),
    "F018": _by("WDG001"),
    "F019": _none("the dump is a part of a configuration: the name may be defined elsewhere"),
    "F020": _by("PFC002"),
    "F021": _by("CLS005", part=_UNBOUND),
    "F022": _none("PFC is off for the whole switch: the watchdog watches nothing"),
    "F023": _by("CLS004"),
    "F024": _none("a line that a later one replaces has no effect, and is what a change leaves behind"),
    "F025": _by("CLS004"),
    "F026": _by("ECN002"),
    "F027": _none("which queue a class gets without the map depends on the platform: rules are open there"),
    "F028": _by("WDG002"),
    "F029": _by("WDG002"),
    "F030": _by("WDG002"),
    "F031": _by("WDG001"),
    "F032": _by("CLS002", preset="nvidia-spectrum-lossless"),
    "F033": _none(_MEANT),
    "F034": _by(WARNING),
    "F035": _none("which class a DSCP gets without a map depends on the platform: rules are open there"),
    "F036": _by("WDG001"),
    "F037": _by("PFC005"),
    "F038": _by("PFC006"),
    "F039": _by("CLS005", part=_UNBOUND),
    "F040": _by("CLS009", preset="nvidia-spectrum-lossy"),
    "F041": _none("a low threshold is a choice: no rule says how low is too low"),
    "F042": _by("CLS005", part=_UNBOUND),
    "F043": _by("CLS009", preset="nvidia-spectrum-lossy"),
    "F044": _none("a low threshold is a choice: no rule says how low is too low"),
    "F045": _none("a port without a classifier may be no port of RDMA"),
    "F046": _none("a port without a classifier may be no port of RDMA"),
    "F047": _none(_NOWHERE),
    "F048": _none(_NOWHERE),
    "F049": _none(_NOWHERE),
    "F050": _by("CLS004", "CLS005"),
    "F051": _none("two ports of another kind are too few to be outliers by a rule for fleets"),
    "F052": _by("CLS001", "PFC001", preset="nvidia-spectrum-lossless"),
    "F053": _by("CLS001", "PFC001", preset="nvidia-spectrum-lossless"),
    "F054": _by("PFC001", "PFC004", "CLS003", preset="nvidia-spectrum-lossless"),
    "F055": _by("PFC005"),
    "F056": _by("PFC005"),
    "F057": _by("PFC001", "CLS002", preset="amd-pollara"),
    "F058": _by("HST005", preset="nvidia-spectrum-lossless"),
    "F059": _none("the MTU of the netdev is not in the dump, and what is meant neither"),
    "F060": _by("HST014"),
    "F061": _none("the kernel's log is not read: `lspci -vvv` shows the same"),
    "F062": _none("whether relaxed ordering is asked of a NIC without RDMA in the dump, is in no line"),
    "F063": _by(WARNING),
    "F064": _by("PFC001", preset="azure-local-converged"),
    "F065": _by("HST006", preset="broadcom-thor"),
    "F066": _none("the value has no part in RDMA over Ethernet"),
    "F067": _by("PFC001", "PFC004", preset="broadcom-thor"),
    "F068": _by("HST011"),
}
"""What answers each reading, by its number."""


LOOKED_AT = frozenset({"CLS001", "WDG001", "WDG002"})
"""Rules that warn on dumps which were read as clean, rightly: each finding was held against its dump."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a reading came out: the rules that found it, and of the ports it names how many they found."""

    reading: Mapping[str, str]
    answer: Answer
    rules: tuple[str, ...] = ()
    ports: tuple[int, int] = (0, 0)
    is_at_line: bool = True

    @property
    def is_found(self) -> bool:
        """Whether each rule speaks: of this device, of all its ports or of fewer for a reason, at a line of its own."""
        all_ports = self.ports[0] == self.ports[1] or (bool(self.ports[0]) and bool(self.answer.part))
        return bool(self.answer.rules) and self.rules == self.answer.rules and all_ports and self.is_at_line

    @property
    def status(self) -> str:
        """Return `found`, `with intent`, `no` where nothing is to find it, or `MISSED`."""
        if not self.answer.rules:
            return "no"
        return ("with intent" if self.answer.preset else "found") if self.is_found else "MISSED"


def readings() -> list[dict[str, str]]:
    """Return the table of faults; empty where it is not beside this checkout."""
    return list(csv.DictReader(READINGS.read_text(encoding="utf-8").splitlines())) if READINGS.is_file() else []


def result(reading: Mapping[str, str]) -> Result:
    """Audit the dump of a reading and compare."""
    answer = ANSWERS.get(reading["id"], Answer())
    if not answer.rules:
        return Result(reading, answer)
    report = audited(reading["file"], answer.preset)
    device, named = reading["device"], ports(reading["ports"])
    failed = [f for f in report["findings"] if f["kind"] == "fail" and device in {f["device"], "host"}]
    of_ports = [f for f in failed if f["port"] is None or not named or device == "host" or f["port"] in named]
    told = {rule: [f for f in of_ports if f["rule"] == rule] for rule in answer.rules}
    told |= {WARNING: report["warnings"]} if WARNING in answer.rules else {}
    found = tuple(rule for rule in answer.rules if told[rule])
    lines = {line for rule in answer.rules for f in told[rule] for line in (f["line"], *_related(f))}
    wanted = evidence(reading["evidence"])
    hit = {f["port"] for rule in answer.rules for f in told[rule] if f.get("port")} & named
    by_port = bool(hit) and device != "host"
    return Result(
        reading,
        answer,
        found,
        (len(hit), len(named)) if by_port else (0, 0),
        not wanted or any(low <= line <= high for line in lines if line for low, high in wanted),
    )


def _related(found: Mapping[str, Any]) -> Iterable[int]:
    return (place["line"] for place in found.get("related", ()))


@cache
def audited(file: str, preset: str) -> Any:  # noqa: ANN401  JSON
    """Return the report on a dump, judged by a preset or by what is inferred."""
    with tempfile.TemporaryDirectory() as folder:
        options = []
        if preset:
            config = Path(folder) / "intent.yaml"
            config.write_text(f"schema: roce-audit/intent/1\npreset: {preset}\n", encoding="utf-8")
            options = ["--config", str(config)]
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            main(["check", "--format", "json", *options, str(CORPUS / file)])
    return json.loads(out.getvalue())


def evidence(text: str) -> list[tuple[int, int]]:
    """Return the ranges of lines that a reader gives as evidence.

    >>> evidence("L57-59 wred; L110 policy against L364, L491")
    [(57, 59), (110, 110), (364, 364), (491, 491)]
    """
    return [(int(low), int(high or low)) for low, high in re.findall(r"\bL(\d+)(?:-(\d+))?", text)]


def ports(text: str) -> set[str]:
    """Return the ports that a reader names, in the short forms of tables.

    >>> sorted(ports("ethernet1/1/31-32, 1/1/39")), sorted(ports("Ethernet24, 28"))
    (['ethernet1/1/31', 'ethernet1/1/32', 'ethernet1/1/39'], ['Ethernet24', 'Ethernet28'])
    >>> sorted(ports("swp9s0-swp10s1"))
    ['swp10s0', 'swp10s1', 'swp9s0', 'swp9s1']
    """
    found: set[str] = set()
    word = ""
    for piece in re.sub(r"\(.*?\)", "", text).split(","):
        name = piece.strip()
        if split := re.fullmatch(r"([a-z]+)(\d+)s(\d+)-\1(\d+)s(\d+)", name):
            low, first, high, last = map(int, split.groups()[1:])
            lanes = range(first, last + 1)
            found |= {f"{split[1]}{n}s{lane}" for n in range(low, high + 1) for lane in lanes}
            continue
        head = re.match(r"[A-Za-z]+-?", name)
        word, name = (head[0], name) if head else (word, f"{word}{name}")
        last_number = re.fullmatch(r"(.*?)(\d+)-(\d+)", name)
        if last_number:
            found |= {f"{last_number[1]}{n}" for n in range(int(last_number[2]), int(last_number[3]) + 1)}
        elif name and name != "all":
            found.add(name)
    return found


def unasked() -> dict[str, set[str]]:
    """Return by dump that was read as clean which rules warn or fail there, and are of none that were looked at."""
    rows = csv.DictReader((CORPUS / "facts" / "clean.csv").read_text(encoding="utf-8").splitlines())
    told: dict[str, set[str]] = {}
    for row in rows:
        findings = audited(row["file"], "")["findings"]
        bad = {f["rule"] for f in findings if f["kind"] == "fail" and f["level"] != "note"} - LOOKED_AT
        if bad:
            told[row["file"]] = bad
    return told


def table(results: Sequence[Result]) -> str:
    """Return all results as text, one row for each reading, and the sums."""
    lines = []
    for each in results:
        row, answer = each.reading, each.answer
        ports_found = f"{each.ports[0]}/{each.ports[1]} ports" if each.ports[1] else ""
        how = ", ".join(each.rules) or answer.why
        more = "; ".join(filter(None, (ports_found, answer.preset and f"preset {answer.preset}", answer.part)))
        lines.append(f"{row['id']}  {each.status:11}  {row['severity']:7} {row['certainty']:7}  {row['file']}")
        lines.append(f"      expected  {row['statement']}")
        lines.append(f"      {'by' if answer.rules else 'why not':8}  {how}{f' ({more})' if more else ''}")
    sure = [r for r in results if r.reading["certainty"] == "certain" and r.reading["severity"] != "note"]
    for title, some in (("certain errors and warnings", sure), ("all", results)):
        states = ("found", "with intent", "no", "MISSED")
        sums = ", ".join(f"{sum(r.status == state for r in some)} {state}" for state in states)
        lines.append(f"{title}: {len(some)}: {sums}")
    return "\n".join(lines)


if __name__ == "__main__":
    if not READINGS.is_file():
        sys.exit("the readings are not beside this checkout")
    sys.stdout.write(table([result(reading) for reading in readings()]) + "\n")
