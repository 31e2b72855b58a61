"""Write golden files anew after a wanted change; read the difference before you commit it.

python tests/tools/rewrite_golden.py            all of them
python tests/tools/rewrite_golden.py rules      those whose name is given: see NAMES below
"""

import contextlib
import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), *(str(ROOT / "tests" / folder) for folder in ("checks", "fabrics", "remedies"))]

from test_evidence import RULES, list_decisive  # noqa: E402  it lies beside this program, not in a package
from test_fabric import without_counts  # noqa: E402  it lies beside this program, not in a package
from test_rules import CASES, GOLDEN, line_of, list_arguments  # noqa: E402  it lies beside this program, not in a package
from trial import GOLDEN as REMEDIES  # noqa: E402  it lies beside this program, not in a package
from trial import list_cases, list_lines  # noqa: E402  it lies beside this program, not in a package

from auditor.cli import main  # noqa: E402  the path comes first


def run(*arguments: str, folder: Path = ROOT) -> str:
    """Return what the program prints, run in *folder*."""
    out = io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        main([*arguments, "--no-cache"] if arguments[0] in {"check", "diff", "show"} else [*arguments])
    return out.getvalue()


def write_rules() -> None:
    """Write `fixtures/rules/RULE/expected.txt`: the findings of each rule on its own cases."""
    lines: dict[Path, list[str]] = {case.parent / GOLDEN: [] for case in CASES}
    for case in CASES:
        report: Any = json.loads(run(*list_arguments(case), "--format", "json", folder=case))
        own = (found for found in report["findings"] if found["name"] == case.parent.name)
        lines[case.parent / GOLDEN] += [line_of(case, found) for found in own]
    for file, found in lines.items():
        file.write_text("".join(f"{line}\n" for line in sorted(found)), encoding="utf-8")


_DECLARED = re.compile(r"^rests_on:\n(?:  - .*\n)+", re.MULTILINE)


def write_evidence() -> None:
    """Write `rests_on` of each rule: the captures that decide its cases."""
    for file in (ROOT / "rules").glob("*/*.yaml"):
        decisive = list_decisive(file.stem) if file.stem in RULES else ()
        text = _DECLARED.sub("", file.read_text(encoding="utf-8"))
        if decisive:
            lines = "".join(f"  - {capture}\n" for capture in decisive)
            text = text.replace("\nexample:\n", f"\nrests_on:\n{lines}example:\n", 1)
        file.write_text(text, encoding="utf-8")


def write_remedies() -> None:
    """Write what each remedy does to the fixtures of its rule."""
    lines = (line for case in list_cases() for line in list_lines(case))
    REMEDIES.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def write_fabric() -> None:
    """Write the reports for people: each finding of the demo fabric, and the causes of the pod."""
    report = without_counts(run("check", "fixtures/fabric", "--all", "--statistics"))
    (ROOT / "tests/golden/fabric.txt").write_text(report, encoding="utf-8")
    (ROOT / "tests/golden/pod-faulty.txt").write_text(run("check", "fixtures/pod-faulty"), encoding="utf-8")


def run_test(file: str) -> Callable[[], None]:
    """Return a function that runs a test file as a program: it writes its own golden files."""

    def write() -> None:
        subprocess.run([sys.executable, ROOT / file], check=True, cwd=ROOT)

    return write


NAMES: Mapping[str, Callable[[], None]] = {
    "rules": write_rules,
    "evidence": write_evidence,
    "remedies": write_remedies,
    "fabric": write_fabric,
    "dumps": run_test("tests/systems/test_golden.py"),
    "cumulus": run_test("tests/systems/cumulus/test_golden.py"),
    "estimate": run_test("tests/report/test_estimate.py"),
    "formats": run_test("tests/report/test_exchange.py"),
    "show": run_test("tests/report/test_show.py"),
    "pod": run_test("tests/fabrics/pod.py"),
}
"""What can be written, by name."""


if __name__ == "__main__":
    os.environ["NO_COLOR"] = "1"
    wanted = sys.argv[1:] or list(NAMES)
    if unknown := set(wanted) - set(NAMES):
        sys.exit(f"{', '.join(sorted(unknown))}: no golden files of that name; expected {', '.join(NAMES)}")
    for name in wanted:
        NAMES[name]()
        print(name)
