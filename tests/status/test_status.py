"""The hand-over after twelve weeks, and the life of a ticket."""

import contextlib
import json
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from weeks import write_history

from auditor.cli.commands import run_command
from auditor.engine.drift.model import Moment
from auditor.engine.findings import Cause, ReportedFinding
from auditor.engine.options import Options
from auditor.engine.status.model import Action, Status, TicketFinding, TicketState
from auditor.engine.status.run import take_over
from auditor.engine.status.tickets import CLEAN_CAPTURES, Tickets
from auditor.model.finding import FindingKind, Level
from auditor.report import status_json
from auditor.report.status import WIDTH, render

HERE = Path(__file__).parent
GOLDEN = HERE.parent / "golden" / "status.txt"
SCREEN = 40
"""Lines of a terminal that is not small."""


@pytest.fixture(scope="module")
def status(tmp_path_factory: pytest.TempPathFactory) -> Status:
    folder = tmp_path_factory.mktemp("weeks")
    write_history(folder)
    with contextlib.chdir(folder):
        return take_over(["dumps"], Options(config=str(HERE / "handover.yaml")), since="2026-09-01")


def test_the_hand_over_at_week_twelve_fits_one_screen(status: Status) -> None:
    text = render(status)
    assert text == GOLDEN.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= SCREEN
    assert all(len(line) <= WIDTH for line in text.splitlines())


def test_the_hand_over_for_programs(status: Status) -> None:
    for render_part, build in (
        (status_json.render, status_json.build_schema),
        (status_json.render_tickets, status_json.build_tickets_schema),
    ):
        Draft202012Validator(build()).validate(json.loads(render_part(status)))
    tickets = json.loads(status_json.render_tickets(status))["tickets"]
    assert len({each["id"] for each in tickets}) == len(tickets)
    assert {owner for each in tickets for owner in each["owners"]} == {"hosts", "network"}


def make_cause(*prints: str, message: str = "PFC is off") -> Cause:
    findings = tuple(
        ReportedFinding(
            Level.ERROR, FindingKind.FAIL, "PFC001", "pfc-off", "pfc", "leaf1", name, message, None, None, (), name
        )
        for name in prints
    )
    return Cause(prints[0], findings[0], None, None, findings)


def follow(*captures: Sequence[Cause], unclear: Sequence[int] = ()) -> tuple[Tickets, list[list[tuple[str, Action]]]]:
    tickets, told = Tickets(), []
    for number, causes in enumerate(captures):
        is_unclear = number in unclear
        tickets.add(Moment(str(number), "", ""), causes, _name, {True: _yes, False: _no}[is_unclear])
        told.append([(each.id, each.action) for each in tickets.list_present()])
    return tickets, told


def _name(_: ReportedFinding) -> str:
    return "show running-config"


def _yes(_: TicketFinding) -> bool:
    return True


def _no(_: TicketFinding) -> bool:
    return False


A = make_cause("a")


def test_a_ticket_is_closed_after_two_clean_captures() -> None:
    assert follow([A], [A], [], [], [])[1] == [
        [("a", Action.OPEN)],
        [("a", Action.NONE)],
        [("a", Action.NONE)],
        [("a", Action.CLOSE)],
        [],
    ]


def test_a_cause_that_comes_and_goes_does_not_flap() -> None:
    _, told = follow([A], [], [A], [], [A], [], [])
    assert [action for capture in told for _, action in capture] == [Action.OPEN, *[Action.NONE] * 5, Action.CLOSE]


def test_a_capture_that_cannot_tell_is_not_clean() -> None:
    _, told = follow([A], [], [], [], unclear=(1, 3))
    assert [action for capture in told for _, action in capture] == [Action.OPEN, *[Action.NONE] * 3]


def test_a_cause_that_returns_opens_its_ticket_again() -> None:
    tickets, told = follow([A], [], [], [A])
    assert told[-1] == [("a", Action.OPEN)]
    assert [each.opened for each in tickets.list_present()] == [2]


def test_a_cause_that_spreads_keeps_its_ticket() -> None:
    wider = replace(make_cause("b", "a"), id="b")
    assert follow([A], [wider], [wider])[1] == [[("a", Action.OPEN)], [("a", Action.UPDATE)], [("a", Action.NONE)]]


def test_a_cause_that_falls_apart_keeps_one_ticket() -> None:
    both = make_cause("a", "b")
    assert follow([both], [make_cause("a"), make_cause("b")])[1][-1] == [("a", Action.UPDATE)]


@given(st.lists(st.sampled_from(["there", "gone", "unclear"]), max_size=30))
def test_a_ticket_opens_only_when_none_is_open_and_closes_only_when_clean(history: list[str]) -> None:
    captures = [[A] if each == "there" else [] for each in history]
    unclear = [number for number, each in enumerate(history) if each == "unclear"]
    _, told = follow(*captures, unclear=unclear)
    is_open = False
    for number, capture in enumerate(told):
        for _, action in capture:
            assert action is not Action.OPEN or (not is_open and history[number] == "there")
            if action is Action.CLOSE:
                known = [each for each in history[: number + 1] if each != "unclear"]
                assert is_open
                assert known[-CLEAN_CAPTURES:] == ["gone"] * CLEAN_CAPTURES
            is_open = {Action.OPEN: True, Action.CLOSE: False}.get(action, is_open)


def write(folder: Path, day: str, pfc: str, name: str = "gpu1") -> None:
    (folder / day).mkdir(parents=True)
    bits = pfc.replace("on", "1").replace("off", "0")
    text = f"""\
$ uname -n
{name}
$ mlnx_qos -i rail0
DCBX mode: OS controlled
Priority trust state: dscp
PFC configuration:
\tpriority    0   1   2   3   4   5   6   7
\tenabled     0   0   0   {bits}   0   0   0   0
tc: 0 ratelimit: unlimited, tsa: vendor
"""
    (folder / day / f"{name}.txt").write_text(text)
    (folder / day / "roce-audit.yaml").write_text(
        "schema: roce-audit/intent/1\ntraffic:\n  - {name: RDMA, kind: rdma, dscp: [26], priority: 3, lossless: true}\n"
    )


def test_fixed_and_how_it_is_known(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for day, pfc in (("2026-11-02", "off"), ("2026-11-09", "on"), ("2026-11-16", "on")):
        write(tmp_path, day, pfc)
    run_command(["status", str(tmp_path)])
    text = capsys.readouterr().out
    assert "fixed (1)\n  clean in 2026-11-09 and 2026-11-16: error[PFC001] gpu1 rail0: PFC is off" in text
    assert run_command(["status", str(tmp_path), "--format", "tickets"]) == 0
    (ticket,) = (each for each in json.loads(capsys.readouterr().out)["tickets"] if each["rule"] == "PFC001")
    assert (ticket["action"], ticket["state"]) == ("close", TicketState.CLOSED)


def test_a_device_that_is_missing_is_no_proof(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, "2026-11-02", "off")
    for day in ("2026-11-09", "2026-11-16"):
        write(tmp_path, day, "on", name="gpu2")
    assert run_command(["status", str(tmp_path)]) == 1
    text = capsys.readouterr().out
    assert "not to be trusted now (1)\n  gpu1 is not in the last capture, seen last in 2026-11-02\n" in text
    assert "error[PFC001] gpu1 rail0" in text
    assert "seen last in 2026-11-02" in text


def test_a_ticket_of_two_devices_waits_for_both() -> None:
    """The first device is missing once its fault was seen; that the other one is mended says nothing of it."""
    tickets = Tickets()
    both = make_cause("a", "b")
    tickets.add(Moment("1", "", ""), [both], _name, _no)
    tickets.add(Moment("2", "", ""), [make_cause("b")], _name, _no)
    for number in ("3", "4"):
        tickets.add(Moment(number, "", ""), [], _name, lambda proved: proved.found.fingerprint == "a")
    (ticket,) = tickets.list_present()
    assert (ticket.state, ticket.is_unseen) == (TicketState.OPEN, True)


def test_what_the_site_ignores_is_a_ticket_to_close(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for day in ("2026-11-02", "2026-11-09"):
        write(tmp_path, day, "off")
    config = tmp_path / "2026-11-09" / "roce-audit.yaml"
    config.write_text(config.read_text() + "ignore:\n  - {rule: PFC001, reason: a lab host}\n")
    run_command(["status", str(tmp_path), "--format", "tickets"])
    (ticket,) = (each for each in json.loads(capsys.readouterr().out)["tickets"] if each["rule"] == "PFC001")
    assert (ticket["action"], ticket["state"]) == ("close", "acknowledged")
    assert "ignored: a lab host" in ticket["body"]


def test_a_capture_that_was_not_taken_again_is_no_proof(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, "2026-11-02", "off")
    for day in ("2026-11-09", "2026-11-16"):
        shutil.copytree(tmp_path / "2026-11-02", tmp_path / day)
        (tmp_path / day / "gpu1.txt").write_text("$ uname -n\ngpu1\n$ ethtool -a rail0\nPause parameters for rail0:\n")
    assert run_command(["status", str(tmp_path), "--format", "tickets"]) == 1
    (ticket,) = (each for each in json.loads(capsys.readouterr().out)["tickets"] if each["rule"] == "PFC001")
    assert (ticket["action"], ticket["state"]) == ("none", "open")


def test_the_same_dumps_elsewhere_are_the_same_tickets(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fabric = HERE.parents[1] / "fixtures" / "fabric"
    for name in ("one", "two"):
        shutil.copytree(fabric, tmp_path / name)
    run_command(["status", str(tmp_path / "one"), str(tmp_path / "two"), "--format", "tickets"])
    tickets = {each["id"] for each in json.loads(capsys.readouterr().out)["tickets"]}
    run_command(["check", str(fabric), "--format", "json"])
    assert tickets == {each["id"] for each in json.loads(capsys.readouterr().out)["causes"]}
