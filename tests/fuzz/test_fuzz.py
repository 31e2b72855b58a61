"""The fuzzer in the gate: the mutants of one seed for some seconds, and what it would say of a reader that raises.

The seed is today's date, so that each day has other mutants; `ROCE_AUDIT_FUZZ_SEED` gives another. The output has the
seed and the command that repeats a failure.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from cage import run_case, shrink
from case import Broken, Case, Fault
from seeds import Material, collect
from targets import TARGETS, Target, make_case

ROOT = Path(__file__).parents[2]
SECONDS = float(os.environ.get("ROCE_AUDIT_FUZZ_SECONDS", "32"))


@pytest.mark.guard
@pytest.mark.long
def test_no_mutant_fails(tmp_path: Path) -> None:
    seed = ["--seed", os.environ["ROCE_AUDIT_FUZZ_SEED"]] if "ROCE_AUDIT_FUZZ_SEED" in os.environ else []
    words = ["tests/tools/fuzz.py", "--own", "--seconds", str(SECONDS), "--keep", str(tmp_path), *seed]
    done = subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, text=True, check=False)
    print(done.stdout)  # noqa: T201  pytest shows it of a failure: the seed, and how to repeat it
    assert done.returncode == 0, done.stdout + done.stderr
    ran = re.search(r"^(\d+) mutants in ", done.stdout, re.MULTILINE)
    assert ran
    assert int(ran[1]) > 5 * SECONDS, "the fuzzer hardly runs"


@pytest.fixture(scope="module")
def material() -> Material:
    return collect([ROOT / "fixtures" / "dumps", ROOT / "fixtures" / "inventory"])


def test_a_case_is_the_same_for_the_same_seed_and_number_and_survives_its_file(material: Material) -> None:
    for number in range(40):
        case = make_case("again", number, material)
        assert make_case("again", number, material) == case
        assert Case.load(case.to_json()) == case


def _raise_at_a_word(case: Case) -> None:
    if "no-drop" in case.text:
        raise IndexError("no such row")


def _contradict(case: Case) -> None:
    raise Broken(f"finding of PFC001: line 9 of {len(case.files)}")


def _grow(_: Case) -> None:
    bytearray(2**42)


def _spin(_: Case) -> None:
    while True:
        pass


@pytest.mark.parametrize(
    ("run", "kind"), [(_raise_at_a_word, "traceback"), (_contradict, "broken"), (_grow, "memory"), (_spin, "hang")]
)
def test_each_kind_of_failure_is_seen(
    run: object, kind: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from cage import run_in_child  # noqa: PLC0415  beside what it is used for

    monkeypatch.setitem(TARGETS, "planted", Target(1, make_case, run))  # type: ignore[arg-type]
    case = Case("planted", {"a.cfg": b"interface Ethernet1/1\n  pause no-drop\n  mtu 9216\n"})
    with capsys.disabled():
        found = list(run_in_child(lambda send: send((run_case(case, 0.3) or Fault("", "")).kind)))
    assert found == [kind]


def test_a_failure_is_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TARGETS, "planted", Target(1, make_case, _raise_at_a_word))  # type: ignore[arg-type]
    lines = [f"interface Ethernet1/{n}\n  mtu 9216\n" for n in range(30)]
    lines.insert(17, "  pause no-drop 3\n")
    case = Case("planted", {"a.cfg": "".join(lines).encode(), "b.cfg": b"hostname x\n"})
    fault = run_case(case)
    assert fault
    assert shrink(case, fault, 200).files == {"a.cfg": b"no-drop"}
