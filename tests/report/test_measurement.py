"""Tables of measured values: text, Markdown, hostile names, and the page of published numbers."""

import runpy
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from auditor.estimate.measurement import Comparison, compare, read_measurements
from auditor.estimate.simulation.seeds import TableSimulator
from auditor.report.measurement import count_matches, format_value, render, render_markdown

Run = Callable[..., tuple[int, str, str]]
ROOT = Path(__file__).parents[2]
SOURCE = {"title": "Lab", "address": "rack 1", "setup": "two hosts", "reading": "own"}


def compare_overload(value: float, tolerance: float, **case: object) -> tuple[Comparison, ...]:
    """Return the comparison of a loss of 60 % with a measured value."""
    measured = {
        "name": "one",
        "formula": "overload_loss",
        "inputs": {"offered_gbps": 200, "drain_gbps": 80},
        "measured": {"loss_ratio": {"value": value, "tolerance": tolerance}},
        **case,
    }
    return compare(read_measurements(yaml.safe_dump({"source": SOURCE, "cases": [measured]}), "lab.yaml"))


def test_a_match() -> None:
    assert render(compare_overload(0.6, 0.01)).splitlines() == [
        "case  measure              measured  closed form  error  simulated  error",
        "one   loss_ratio  60 % +/- 1 points         60 %      0          -      -",
        "",
        "closed forms: 1 of 1 within tolerance; simulation: not asked",
    ]


def test_a_miss_with_and_without_its_cause() -> None:
    assert "miss, +10 points" in render(compare_overload(0.5, 0.01))
    assert "one: the miss of loss_ratio is not explained\n" in render(compare_overload(0.5, 0.01))
    assert "one: drops twice\n" in render(compare_overload(0.5, 0.01, explained={"loss_ratio": "drops twice"}))


def test_markdown() -> None:
    assert render_markdown(compare_overload(0.5, 0.01, explained={"loss_ratio": "drops twice"})).splitlines() == [
        "| case | measure | measured | closed form | error | simulated | error |",
        "| --- | --- | --- | --- | --- | --- | --- |",
        "| one | `loss_ratio` | 50 % +/- 1 points | 60 % | miss, +10 points | - | - |",
        "",
        "- one: drops twice",
    ]


def test_hostile_texts_are_printable() -> None:
    hostile = compare_overload(0.5, 0.01, explained={"loss_ratio": "a\x85b | `x` <b> ::error::y \u202e"})
    text, page = render(hostile), render_markdown(hostile)
    assert all(character.isprintable() or character == "\n" for character in text + page)
    assert "::error::" not in text
    assert "<b>" not in page
    assert " | `x`" not in page


def test_flags_are_words() -> None:
    assert [format_value("any_loss", value) for value in (0, 1, 0.25)] == ["no", "yes", "25 % of runs"]
    assert count_matches(()) == "closed forms: 0 of 0 within tolerance; simulation: not asked"


def test_the_example_of_the_page_runs() -> None:
    file = ROOT / "docs" / "lab-incast.yaml"
    found = compare(read_measurements(file.read_text(encoding="utf-8"), file.name))
    assert [each.measure for each in found] == ["loss_ratio", "pause_fraction", "goodput_fraction", "pfc_fires"]


@pytest.mark.long
def test_the_page_is_current() -> None:
    """`python tests/tools/write_validation.py` writes it."""
    tool = runpy.run_path(str(ROOT / "tests" / "tools" / "write_validation.py"))
    assert tool["write_page"]() == (ROOT / "docs" / "pages" / "background" / "validation.md").read_text(
        encoding="utf-8"
    )


@pytest.mark.long
def test_the_command_of_the_page_runs(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (ROOT / "docs" / "pages" / "background" / "validation.md").read_text(encoding="utf-8")
    monkeypatch.chdir(ROOT)
    _, *words = shlex.split(page.partition("```sh\n")[2].partition("```")[0])
    status, out, _ = run(*words)
    assert status == 0
    assert "cx7-tomahawk5-8-to-1" in out


@pytest.mark.long
def test_a_simulated_range_is_shown() -> None:
    document = {
        "source": SOURCE,
        "cases": [
            {"name": "one", "scenario": {"n_senders": 2, "flow_bytes": 10_000}, "measured": {"loss_ratio": {"most": 1}}}
        ],
    }
    found = compare(read_measurements(yaml.safe_dump(document), "lab.yaml"), TableSimulator(2))
    assert "at most 100 %" in render(found)
    assert "simulation: 1 of 1 within tolerance" in render(found)
