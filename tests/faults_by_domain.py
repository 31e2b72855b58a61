"""Faults of the second corpus: a finding of a fitting domain at the device and port, or why none is there.

`python tests/faults_by_domain.py` prints the table. The dumps and the readings lie beside this checkout
(`../shared/corpus2`). No fault has an answer of its own: the rules that fit are those of its domain.
"""

import contextlib
import csv
import io
import json
import re
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from auditor.cli import main

CORPUS = Path(__file__).parent.parent.parent / "shared" / "corpus2"
READINGS = CORPUS / "facts" / "faults.csv"
FITTING: Mapping[str, tuple[str, ...]] = {
    "buffer": ("BUF", "HST007", "CNT"),
    "classification": ("CLS", "HST006"),
    "counters": ("CNT",),
    "ecn": ("ECN", "CCN"),
    "host": ("HST", "JOB", "CNT"),
    "mtu": ("MTU", "TOP001", "TOP010"),
    "pfc": ("PFC", "CLS004", "CFG"),
    "scheduler": ("SCH", "CLS004"),
    "topology": ("TOP",),
    "watchdog": ("WDG",),
}
"""Which rules fit a domain, by the beginning of their numbers. A link's rate is filed under `mtu` by the reader, a
reference that leads nowhere under the domain of what is referred to."""
BESIDE: Mapping[str, str] = {"nccl-769/ibv_devinfo_v_part.txt": "$ env\nNCCL_IB_GID_INDEX=1\n"}
"""What the page around a dump declares: the environment of the job."""
MISSED: Mapping[str, str] = {
    "G009": "the name of the file alone contradicts the hostname, and file names are free",
    "W010": "the rate that is meant is on the page around the dump; `ethtool` was cut to the speed that runs",
}
"""Why a certain error or warning has no finding."""
_ANY_PORT = frozenset({"", "-", "all"})


@dataclass(frozen=True, slots=True)
class Outcome:
    """A fault and the rules that found it."""

    fault: Mapping[str, str]
    rules: tuple[str, ...]

    @property
    def is_sure(self) -> bool:
        """Whether the reader was certain of an error or warning."""
        return self.fault["certainty"] == "certain" and self.fault["severity"] in {"error", "warning"}


def read_faults() -> list[dict[str, str]]:
    """Return the table of faults; empty where it is not beside this checkout."""
    return list(csv.DictReader(READINGS.read_text(encoding="utf-8").splitlines())) if READINGS.is_file() else []


def judge(fault: Mapping[str, str]) -> Outcome:
    """Audit the dump of a fault, and return the fitting rules that warn or fail at its device and port."""
    rules = {
        found["rule"]
        for found in audit(fault["corpus"], fault["local_path"])
        if found["kind"] == "fail"
        and found["level"] in {"error", "warning"}
        and found["rule"].startswith(FITTING[fault["domain"]])
        and (found["port"] is None or has_port(fault["ports"], found["port"]))
    }
    return Outcome(fault, tuple(sorted(rules)))


@cache
def audit(kind: str, name: str) -> Sequence[Mapping[str, Any]]:
    """Return the findings on a dump alone, with what its page declares."""
    path = CORPUS / kind / name
    with tempfile.TemporaryDirectory() as folder:
        command = _read_commands().get(name, "") if kind == "nic" else ""
        if command and not command.startswith("("):
            text = path.read_text(encoding="utf-8")
            path = Path(folder) / "host.txt"
            path.write_text(f"$ {command}\n{text}{BESIDE.get(name, '')}", encoding="utf-8")
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            main(["check", "--no-cache", "--jobs", "1", "--format", "json", str(path)])
    findings: Sequence[Mapping[str, Any]] = json.loads(out.getvalue())["findings"]
    return findings


@cache
def _read_commands() -> Mapping[str, str]:
    with (CORPUS / "nic" / "MANIFEST.csv").open(encoding="utf-8") as table:
        return {row["local_path"]: row["command"] for row in csv.DictReader(table)}


def has_port(listed: str, port: str) -> bool:
    """Return whether a reader's list of ports and ranges holds *port*.

    >>> has_port("Ethernet1/3/1-1/10/4", "Ethernet1/4/2"), has_port("Ethernet1/27-30", "Ethernet1/31")
    (True, False)
    >>> has_port("swp1-32", "swp9"), has_port("Ethernet0,Ethernet4", "Ethernet4"), has_port("all", "swp1")
    (True, True, True)
    """
    if listed in _ANY_PORT:
        return True
    for piece in listed.split(","):
        first, _, last = piece.strip().partition("-")
        low, high, own = _numbers(first), _numbers(last), _numbers(port)
        high = (*low[: len(low) - len(high)], *high)
        same_kind = re.match(r"\D*", first)[0] == re.match(r"\D*", port)[0]  # type: ignore[index]
        if piece.strip() == port or (last and same_kind and len(own) == len(low) and low <= own <= high):
            return True
    return False


def _numbers(name: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", name)))


def render(outcomes: Sequence[Outcome]) -> str:
    """Return all outcomes as text, and the sums by domain of those that are sure."""
    lines = []
    for each in outcomes:
        fault = each.fault
        status = "found" if each.rules else "missed"
        lines.append(f"{fault['id']:6} {status:7} {fault['severity']:7} {fault['certainty']:7} {fault['local_path']}")
        lines.append(f"       {fault['domain']}: {fault['statement']}")
        if each.is_sure or each.rules:
            lines.append(f"       {', '.join(each.rules) or MISSED.get(fault['id'], 'no reason is written down')}")
    sure = [each for each in outcomes if each.is_sure]
    for domain in sorted(FITTING):
        own = [each for each in sure if each.fault["domain"] == domain]
        lines.append(f"{domain:15} {sum(bool(each.rules) for each in own)}/{len(own)}")
    lines.append(f"certain errors and warnings: {sum(bool(each.rules) for each in sure)}/{len(sure)}")
    return "\n".join(lines)


if __name__ == "__main__":
    if not READINGS.is_file():
        sys.exit("the readings are not beside this checkout")
    sys.stdout.write(render([judge(fault) for fault in read_faults()]) + "\n")
