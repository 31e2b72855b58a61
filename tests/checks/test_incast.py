"""The declared incast: who is judged, and by which reaction point."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from auditor.cli import main

BAD = Path(__file__).parents[2] / "fixtures" / "rules" / "incast-pauses-senders" / "bad"
RULE = "ECN005"


@pytest.fixture
def judged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[[str, str, str], tuple[Any, list[str]]]:
    """Return a function that puts a text in place of another in one file, and gives the count and the messages."""

    def run(name: str, old: str, new: str) -> tuple[Any, list[str]]:
        folder = tmp_path / "case"
        shutil.copytree(BAD, folder)
        path = folder / name
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")
        main(["check", str(folder), "--links", str(folder / "links.yaml"), "--format", "json", "--no-cache"])
        report = json.loads(capsys.readouterr().out)
        count = next(each for each in report["rules"] if each["rule"] == RULE)
        return count, [found["message"] for found in report["findings"] if found["rule"] == RULE]

    return run


def test_without_a_declared_incast_nobody_asks(judged: Callable[..., Any]) -> None:
    count, messages = judged("roce-audit.yaml", "incast: 32\n", "")
    assert (count["checked"], messages) == (0, [])


def test_fewer_senders_are_slowed_down_in_time(judged: Callable[..., Any]) -> None:
    count, messages = judged("roce-audit.yaml", "incast: 32\n", "incast: 2\n")
    assert (count["checked"], messages) == (2, [])


def test_the_nic_that_receives_tells_how_senders_react(judged: Callable[..., Any]) -> None:
    _, messages = judged("host2.txt", "min_time_between_cnps:50", "min_time_between_cnps:4")
    assert [message.split(" to ")[1].split(" bytes")[0] for message in messages] == ["18,594,576"]


def test_a_switch_that_queues_at_its_inputs_is_open(judged: Callable[..., Any]) -> None:
    count, messages = judged("leaf1/config_db.json", "ACS-MSN4600C", "Arista-7280CR3-C40")
    assert (count["failed"], count["open"]) == (1, 1)
    assert any("(VOQ)" in message for message in messages)


def test_a_nic_with_programmable_congestion_control_is_open(judged: Callable[..., Any]) -> None:
    shown = "$ mlxconfig -d 0000:1b:00.0 -e q\nDevice #1:\n----------\n\nDevice:         0000:1b:00.0\n\n"
    engine = "Configurations:  Default  Current  Next Boot\n    USER_PROGRAMMABLE_CC  False(0)  True(1)  True(1)\n"
    count, messages = judged("host2.txt", "$ grep", f"{shown}{engine}$ grep")
    assert (count["failed"], count["open"]) == (1, 1)
    assert "congestion control is not DCQCN" in messages
