"""The answer about one link, as text and as JSON; its estimate is made up, so that tuning the model moves nothing.

After a wanted change of the text write the golden file anew: `python tests/report/test_estimate.py`
"""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from auditor.estimate.assess import Band, Estimate, Influence
from auditor.estimate.link import Ecn, Pause, Range, headroom_terms, make_given, usual
from auditor.estimate.whatif import Chart, LinkAnswer
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
