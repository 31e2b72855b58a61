"""A device or port leaves the audit by two changes: `retired` in the base permits it, and nothing at the head does."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., tuple[int, str, str]]
RULE = Path(__file__).parents[2] / "fixtures" / "rules" / "no-longer-audited" / "bad"
RETIRED = 'retired:\n  - {device: leaf2, reason: "rack 12 is gone"}\n'
INTENT = (RULE / "old" / "roce-audit.yaml").read_text(encoding="utf-8")
PORT = "interface Ethernet1/4\n"
LEFT = {"leaf1": ["ports"], "leaf2": ["device"]}


def git(*arguments: str) -> None:
    who = ["-c", "user.name=n", "-c", "user.email=e@example.org"]
    subprocess.run(["git", *who, *arguments], capture_output=True, check=True)


def commit() -> None:
    git("add", "-A")
    git("commit", "-qm", "change")


@pytest.fixture
def fabric(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of three switches in a repository, committed; the repository is the working folder."""
    root = tmp_path / "repo" / "fabric"
    root.mkdir(parents=True)
    for path in (RULE / "old").iterdir():
        (root / path.name).write_bytes(path.read_bytes())
    monkeypatch.chdir(root.parent)
    git("init", "-q", "-b", "main")
    commit()
    return root


def leave(fabric: Path) -> None:
    """Let leaf2 and a port of leaf1 leave."""
    (fabric / "leaf2.cfg").unlink()
    path = fabric / "leaf1.cfg"
    path.write_text(path.read_text().partition(PORT)[0])


def losses(run: Run, *arguments: object, kind: str = "fail") -> tuple[int, list[dict[str, Any]], dict[str, Any]]:
    status, out, err = run("check", "fabric", "--format", "json", *arguments)
    assert out, err
    report = json.loads(out)
    return status, [f for f in report["findings"] if (f["rule"], f["kind"]) == ("AUD001", kind)], report


def test_a_loss_is_an_error_at_the_line_of_the_base(run: Run, fabric: Path) -> None:
    line = (fabric / "leaf1.cfg").read_text().splitlines().index(PORT.strip()) + 1
    leave(fabric)
    status, found, _ = losses(run, "--base", "main")
    assert status == 1
    assert [(f["device"], f["file"], f["line"], f["level"], f["state"]) for f in found] == [
        ("leaf1", "fabric/leaf1.cfg", line, "error", "new"),
        ("leaf2", "fabric/leaf2.cfg", 1, "error", "new"),
    ]


EVADED = {
    "retired": RETIRED,
    "ignored": "ignore: [{rule: AUD001, reason: not now}, {rule: no-longer-audited, reason: not now}]\n",
    "turned off": "rules: {AUD001: {enabled: false}}\n",
    "a note": "rules: {AUD001: {level: note}}\n",
    "a pack that is off": "packs: {audit: false}\n",
}


@pytest.mark.parametrize("side", ["head", "base"])
@pytest.mark.parametrize("more", EVADED.values(), ids=EVADED)
def test_the_head_permits_nothing(run: Run, fabric: Path, more: str, side: str) -> None:
    leave(fabric)
    (fabric / "roce-audit.yaml").write_text(INTENT + more)
    status, found, report = losses(run, "--base", "main", "--config-from", side)
    assert (status, [(f["device"], f["level"]) for f in found]) == (1, [("leaf1", "error"), ("leaf2", "error")])
    assert report["compared"]["edits"]


def test_a_comment_of_the_head_permits_nothing(run: Run, fabric: Path) -> None:
    leave(fabric)
    path = fabric / "leaf1.cfg"
    path.write_text("! roce-audit: ignore[AUD001] not now\n" + path.read_text())
    assert [f["device"] for f in losses(run, "--base", "main")[1]] == ["leaf1", "leaf2"]


def test_the_head_is_told_when_its_retirement_counts(run: Run, fabric: Path) -> None:
    (fabric / "roce-audit.yaml").write_text(INTENT + RETIRED)
    status, found, report = losses(run, "--base", "main")
    assert found == []
    (told,) = report["compared"]["edits"]
    assert told["message"].startswith("the change retires leaf2 (rack 12 is gone); in effect only once the base")
    commit()
    (fabric / "leaf2.cfg").unlink()
    status, found, report = losses(run, "--base", "main")
    assert (status, found, report["compared"]["edits"]) == (0, [], [])
    ((ignored,),) = [losses(run, "--base", "main", kind="ignored")[1]]
    assert (ignored["device"], ignored["ignored"]) == ("leaf2", "rack 12 is gone")


@pytest.mark.parametrize(
    ("entry", "left"),
    [
        ("{device: leaf1, ports: [Ethernet1/4], reason: moved}", {"leaf2"}),
        ("{device: leaf1, ports: ['Ethernet1/[!4]'], reason: moved}", {"leaf1", "leaf2"}),
        ("{device: leaf2, ports: ['*'], reason: moved}", {"leaf1", "leaf2"}),
        ("{device: 'leaf*', reason: moved}", set()),
        ("{device: leaf2, reason: moved, expires: 2020-01-01}", {"leaf1", "leaf2"}),
        ("{device: leaf2, reason: moved, expires: 9999-01-01}", {"leaf1"}),
    ],
)
def test_what_an_entry_permits(run: Run, fabric: Path, entry: str, left: set[str]) -> None:
    (fabric / "roce-audit.yaml").write_text(f"{INTENT}retired: [{entry}]\n")
    commit()
    leave(fabric)
    status, found, _ = losses(run, "--base", "main")
    assert ({f["device"] for f in found}, status) == (left, int(bool(left)))


@pytest.mark.parametrize("entry", ["leaf2", "{device: leaf2}", "{device: leaf2, reason: x}", "{reason: because}"])
def test_an_entry_has_a_device_and_a_reason(run: Run, fabric: Path, entry: str) -> None:
    (fabric / "roce-audit.yaml").write_text(f"{INTENT}retired: [{entry}]\n")
    status, _, err = run("check", "fabric")
    assert (status, "fabric/roce-audit.yaml:3: retired" in err) == (2, True)


def test_a_renamed_file_or_device_is_no_loss(run: Run, fabric: Path) -> None:
    (fabric / "pod").mkdir()
    (fabric / "leaf1.cfg").rename(fabric / "pod" / "leaf1.txt")
    other = fabric / "leaf2.cfg"
    other.write_text(other.read_text().replace("hostname leaf2", "hostname edge2"))
    assert losses(run, "--base", "main")[1] == []
    assert losses(run, "--base", "main")[2]["compared"]["base"] == "main"


def test_a_baseline_records_what_was_audited(run: Run, fabric: Path) -> None:
    (fabric / "roce-audit.yaml").write_text(f"{INTENT}retired: [{{device: leaf2, reason: moved}}]\n")
    assert run("check", "fabric", "--write-baseline", "known.json")[0] == 0
    assert losses(run, "--baseline", "known.json")[:2] == (0, [])
    leave(fabric)
    (fabric / "roce-audit.yaml").write_text(INTENT)
    status, found, _ = losses(run, "--baseline", "known.json")
    groups = json.loads(Path("known.json").read_text())["devices"][0]["ports"]
    (line,) = (group["lines"][name] for group in groups if (name := PORT.split()[1]) in group["lines"])
    assert (status, [(f["device"], f["file"], f["line"]) for f in found]) == (1, [("leaf1", "fabric/leaf1.cfg", line)])
    assert run("check", "fabric", "--baseline", "known.json", "--write-baseline", "next.json")[0] == 0
    assert "AUD001" not in {f["rule"] for f in json.loads(Path("next.json").read_text())["findings"]}


def test_a_baseline_of_version_1_is_read_and_cannot_tell(run: Run, fabric: Path) -> None:
    run("check", "fabric", "--write-baseline", "known.json")
    known = json.loads(Path("known.json").read_text())
    old = {"schema": "roce-audit/baseline/1", "findings": known["findings"]}
    Path("known.json").write_text(json.dumps(old))
    leave(fabric)
    status, found, report = losses(run, "--baseline", "known.json")
    assert (status, found) == (0, [])
    assert any("AUD001 is not checked" in warning["message"] for warning in report["warnings"])
