"""The answer about one link, as text and as JSON; its estimate is made up, so that tuning the model moves nothing.

After a wanted change of the text write the golden file anew: `python tests/report/test_estimate.py`
"""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from auditor.estimate.answer import Band, Estimate, Influence, Simulation
from auditor.estimate.compare import Workload, compare_states
from auditor.estimate.link import Ecn, Pause, Range, headroom_terms, make_given, usual
from auditor.estimate.simulation.run import Outcome
from auditor.estimate.simulation.trace import Trace
from auditor.estimate.whatif import Chart, LinkAnswer, LinkComparison
from auditor.report import estimate, estimate_json

GOLDEN = Path(__file__).parents[1] / "golden" / "report" / "estimate.txt"
INCAST = Range(2, 8, 64, "assumed: the jobs decide")
ASKED = replace(
    usual(400),
    cable_m=make_given(40),
    headroom_bytes=make_given(60_000),
    cell_bytes=254,
    ecn=Ecn(150e3, 1500e3, 0.1),
)
FOUND = Estimate(
    loss=Band(0, 0, 0.1234),
    paused=Band(0.5, 0.777, 0.9999),
    peak_queue_bytes=Band(1234, 2_345_678, 3e9),
    goodput=Band(0.00001, 0.456, 1),
    victim_goodput=Band(0.04449, 0.1, 0.2),
    efficiency=Band(0.5, 0.892, 1),
    assumptions=(
        ("incast", INCAST),
        ("alpha", Range(1 / 8, 1, 8, "assumed: platforms ship from 1/8 to 8")),
        ("cable_m", make_given(40)),
        ("response_s", Range(0.3e-6, 0.5792e-6, 1.1584e-6, "assumed: up to the limit")),
        ("headroom_bytes", make_given(60_000)),
        ("recovery", "from the first lost packet on"),
    ),
    matters_most=Influence("incast", INCAST, (0.998, 0.123), (0, 0.56789)),
)
ANSWER = LinkAnswer(
    link=ASKED,
    estimate=FOUND,
    needed=headroom_terms(ASKED),
    needed_at_most=headroom_terms(ASKED, longest=True),
    exposed=0.2,
    gpu_hours=Band(0, 567.4, 4000),
    chart=Chart("incast", ((2, 0.998), (8, 0.456), (64, 0.123))),
)


def test_the_text() -> None:
    assert estimate.render(ANSWER) == GOLDEN.read_text(encoding="utf-8")


def test_the_text_is_ascii_and_coloured_for_terminals_only() -> None:
    plain, coloured = estimate.render(ANSWER), estimate.render(ANSWER, colour=True)
    assert plain.isascii()
    assert "\x1b" not in plain
    assert "\x1b[" in coloured


@pytest.mark.parametrize(
    ("answer", "line"),
    [
        (replace(ANSWER, gpu_hours=Band(0, 0, 0)), "  0 GPU-hours lost a day per 1,000 GPUs, beside a sound link"),
        (replace(ANSWER, link=replace(ASKED, headroom_bytes=None)), "the switch sizes it itself"),
        (replace(ANSWER, link=replace(ASKED, headroom_bytes=make_given(0))), "too little"),
        (replace(ANSWER, link=replace(ASKED, headroom_bytes=make_given(1e6))), "enough"),
        (replace(ANSWER, link=replace(ASKED, pause=Pause.LOSSY)), "none: the class is lossy"),
        (replace(ANSWER, link=replace(ASKED, ecn=None, dcqcn=None)), "ECN off; DCQCN off"),
        (replace(ANSWER, exposed=0.35), "if 35 % of the step is exposed communication"),
    ],
)
def test_what_else_may_be_said(answer: LinkAnswer, line: str) -> None:
    assert line in estimate.render(answer)


def test_no_loss_is_said_to_be_certain_or_not() -> None:
    doubt = "0 expected, not guaranteed"
    assert doubt in estimate.render(ANSWER)
    assert doubt not in estimate.render(replace(ANSWER, estimate=replace(FOUND, loss=Band(0, 0, 0))))


@pytest.mark.parametrize("pause", Pause)
def test_every_pause_has_its_words(pause: Pause) -> None:
    first = estimate.render(replace(ANSWER, link=replace(ASKED, pause=pause))).splitlines()[0]
    assert "; " in first
    json.loads(estimate_json.render(replace(ANSWER, link=replace(ASKED, pause=pause))))


SIMULATED = replace(
    FOUND, simulation=Simulation(16, Band(0.5, 0.51, 0.52), Band(0.44, 0.456, 0.47), 12_000_000, cut=True)
)
WORK = Workload(64, 1e9)
STATES = compare_states(ASKED, FOUND, SIMULATED, WORK)
OUTCOME = Outcome(
    events=0,
    cut_s=None,
    end_s=3e-3,
    sent=0,
    dropped=0,
    delivered=0,
    waiting=0,
    marked=4,
    pause_frames=0,
    pauses_sent=False,
    first_pause_bytes=0,
    nacks=0,
    timeouts=0,
    peak_queue_bytes=1000,
    peak_group_bytes=0,
    paused_fraction=0.5,
    goodput_fraction=0.5,
    victim_fraction=1,
    rates=(),
)
TRACE = Trace(
    outcome=OUTCOME,
    times_s=(1e-3, 2e-3, 3e-3),
    queue_bytes=(0, 500, 1000),
    paused_fraction=(0, 0.5, 1),
    goodput_fraction=(1, 0.5, 0),
    dropped=(0, 0, 0),
    marked=(1, 0, 3),
)


def test_a_simulation_keeps_chance_and_assumptions_apart() -> None:
    text = estimate.render(replace(ANSWER, estimate=SIMULATED))
    assert "simulated: with likely inputs, goodput 46 % (44 % to 47 % over 16 random starts)" in text
    assert "over the range of the senders at once, the dominant assumption, goodput goes from 100 % to 12 %" in text
    assert "the limit of events ended some runs" in text
    document = json.loads(estimate_json.render(replace(ANSWER, estimate=SIMULATED)))
    assert document["simulation"]["goodput_fraction"] == {"low": 0.44, "likely": 0.46, "high": 0.47}
    why = replace(ANSWER, estimate=replace(FOUND, simulation="too many senders"))
    assert "not simulated: too many senders" in estimate.render(why)
    assert json.loads(estimate_json.render(why))["why_not_simulated"] == "too many senders"


def test_states_stand_side_by_side() -> None:
    hours = (Band(0, 567, 4000), Band(0, 1, 2), Band(0, 0, 0))
    compared = replace(ANSWER, comparison=LinkComparison(WORK, STATES, hours))
    lines = estimate.render(compared).splitlines()
    [head] = [number for number, line in enumerate(lines) if line.startswith("side by side")]
    assert lines[head].split("side by side")[1].split() == ["as", "it", "is", "faults", "fixed", "ideal"]
    assert "46 % (<0.01 % to 100 %)" in lines[head + 1]
    assert lines[head + 1].endswith("100 %")
    document = json.loads(estimate_json.render(compared))
    Draft202012Validator(estimate_json.build_schema()).validate(document)
    assert [state["name"] for state in document["comparison"]["states"]] == ["as it is", "faults fixed", "ideal"]


def test_a_trace_is_a_row_of_shades_for_each_measure() -> None:
    traced = replace(ANSWER, trace=TRACE)
    text = estimate.render(traced)
    assert "  longest queue  | +@| 1 KB" in text
    assert "  senders paused | +@| 100 %" in text
    assert "  packets lost   |   | 0" in text
    assert text.isascii()
    document = json.loads(estimate_json.render(traced))
    Draft202012Validator(estimate_json.build_schema()).validate(document)
    assert document["trace"]["queue_bytes"] == [0, 500, 1000]


def test_nothing_is_said_to_matter_where_nothing_does() -> None:
    calm = replace(ANSWER, estimate=replace(FOUND, matters_most=None))
    assert "matters most" not in estimate.render(calm)
    assert json.loads(estimate_json.render(calm))["matters_most"] is None


def test_the_json_keeps_its_schema_and_holds_the_answer() -> None:
    document = json.loads(estimate_json.render(ANSWER))
    Draft202012Validator.check_schema(estimate_json.build_schema())
    Draft202012Validator(estimate_json.build_schema()).validate(document)
    assert document["schema"] == "roce-audit/estimate/1"
    assert document["estimate"]["loss_ratio"] == {"low": 0, "likely": 0, "high": 0.12}
    assert document["estimate"]["peak_queue_bytes"]["likely"] == 2_300_000
    assert document["headroom"]["likely"]["total_bytes"] == pytest.approx(ANSWER.needed.total)
    assert document["headroom"]["given_bytes"] == 60_000
    assert document["cost"]["gpu_hours_per_day"]["likely"] == 570
    assert [(i["name"], i["given"]) for i in document["inputs"]][:3] == [
        ("incast", False),
        ("alpha", False),
        ("cable_m", True),
    ]
    assert document["link"]["ecn"] == {"kmin_bytes": 150e3, "kmax_bytes": 1500e3, "pmax": 0.1}
    assert document["matters_most"] == {"name": "incast", "goodput_fraction": [1.0, 0.12], "loss_ratio": [0, 0.57]}


if __name__ == "__main__":
    GOLDEN.write_text(estimate.render(ANSWER), encoding="utf-8")
