"""Documents of measurements: what is read, what is refused with a line, and how far off a model is."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from auditor.estimate.batch import INPUTS
from auditor.estimate.formulas import FORMULAS
from auditor.estimate.measurement import MEASURES, Comparison, Target, compare, read_measurements
from auditor.estimate.scenario import COLUMNS
from auditor.estimate.simulation.seeds import TableSimulator
from auditor.util.yamlfile import YamlError

PUBLISHED = sorted((Path(__file__).parent / "published").glob("*.yaml"))
SOURCE = {"title": "Lab", "address": "rack 1", "setup": "two hosts", "reading": "own"}
INCAST = {
    "n_senders": 4,
    "flow_bytes": 200_000,
    "stop_ns": 1_000_000,
    "buffer_bytes": 1_000_000,
    "headroom_bytes": 50_000,
}


def write(**case: object) -> str:
    """Return a document with one case."""
    return yaml.safe_dump({"source": SOURCE, "cases": [{"name": "one", **case}]}, sort_keys=False)


def compare_one(simulator: TableSimulator | None = None, **case: object) -> Comparison:
    """Return the comparison of a document with one case and one measure."""
    [found] = compare(read_measurements(write(**case), "lab.yaml"), simulator)
    return found


@pytest.mark.parametrize("file", PUBLISHED, ids=lambda file: file.stem)
def test_published_documents_are_read(file: Path) -> None:
    document = read_measurements(file.read_text(encoding="utf-8"), file.name)
    found = compare(document)
    assert len(found) == sum(len(case.targets) for case in document.cases)
    misses = {(each.case.name, each.measure) for each in found if each.closed and not each.closed.inside}
    assert misses == {(case.name, measure) for case in document.cases for measure in case.explained}


def test_a_scenario_is_compared_with_the_closed_form() -> None:
    found = compare_one(scenario=INCAST, measured={"loss_ratio": {"value": 0.25, "tolerance": 0.1}})
    assert found.closed is not None
    assert (found.closed.low, found.closed.likely, found.closed.error) == (0, 0, -0.25)
    assert not found.closed.inside
    assert found.simulated is None


@pytest.mark.long
def test_a_scenario_is_compared_with_the_simulation() -> None:
    measured = {name: {"least": 0} for name in MEASURES}
    document = read_measurements(write(scenario=INCAST, measured=measured), "lab.yaml")
    found = {each.measure: each for each in compare(document, TableSimulator(2))}
    assert {name for name, each in found.items() if each.closed is None} == {"marked_fraction"}
    assert all(each.simulated and each.simulated.inside for each in found.values())
    assert found["loss_ratio"].simulated is not None
    assert found["loss_ratio"].simulated.likely == 0


@pytest.mark.long
def test_a_simulation_without_an_answer_says_why() -> None:
    measured = {"loss_ratio": {"least": 0}}
    found = compare_one(TableSimulator(1), scenario={"n_senders": 1_000_000}, measured=measured)
    assert (found.simulated, found.problem) == (None, "simulation: 1000000 senders, expected at most 4096")


def test_a_pause_that_never_comes_has_no_fill() -> None:
    found = compare_one(scenario={**INCAST, "lossless_mask": 0}, measured={"first_pause_bytes": {"least": 0}})
    assert found.closed is None


@given(st.floats(1, 1e6), st.floats(1, 1e6))
def test_an_exact_match_has_no_error(offered: float, drain: float) -> None:
    answer = FORMULAS["overload_loss"].compute({"offered_gbps": offered, "drain_gbps": drain})
    found = compare_one(
        formula="overload_loss",
        inputs={"offered_gbps": offered, "drain_gbps": drain},
        measured={"loss_ratio": {"value": answer, "tolerance": 0}},
    )
    assert found.closed is not None
    assert found.closed.error == 0
    assert found.closed.inside


@given(st.integers(1, 64), st.sampled_from([0, 8]), st.integers(10_000, 5_000_000))
def test_an_exact_match_of_a_scenario_has_no_error(senders: int, mask: int, message: int) -> None:
    scenario = {**INCAST, "n_senders": senders, "lossless_mask": mask, "flow_bytes": message}
    names = ("loss_ratio", "goodput_fraction", "pause_fraction", "peak_queue_bytes")
    for name in names:
        first = compare_one(scenario=scenario, measured={name: {"least": 0}}).closed
        assert first is not None
        again = compare_one(scenario=scenario, measured={name: {"value": first.likely, "tolerance_percent": 0}}).closed
        assert again is not None
        assert (again.error, again.inside) == (0, True)


@pytest.mark.parametrize(
    ("answer", "error", "inside"), [(0.5, 0, True), (0.1, 0, True), (0.05, -0.05, False), (1, 0.1, False)]
)
def test_the_error_of_a_range_is_the_distance_to_it(answer: float, error: float, inside: bool) -> None:
    target = Target(None, 0.1, 0.9)
    assert target.measure_error(answer) == pytest.approx(error)
    assert target.contains(answer) is inside


LOSS = {"loss_ratio": {"value": 0, "tolerance": 0}}
OVERLOAD = {"offered_gbps": 2, "drain_gbps": 1}
MISTAKES: Sequence[tuple[dict[str, Any], str]] = [
    ({"measured": LOSS}, "lab.yaml:7: cases/0: one: give either a scenario or a formula"),
    ({"scenario": {}, "formula": "headroom", "measured": LOSS}, "give either a scenario or a formula"),
    ({"scenario": {"n_sender": 4}, "measured": LOSS}, "here; did you mean n_senders, send_jitter or"),
    ({"scenario": {"n_senders": 0}, "measured": LOSS}, "n_senders: 0, expected a whole number from 1"),
    ({"scenario": {"n_senders": True}, "measured": LOSS}, "True is not of type 'number'"),
    ({"scenario": {"topo": "ring"}, "measured": LOSS}, "no such value: 'ring'"),
    ({"scenario": {}, "inputs": {}, "measured": LOSS}, "a scenario has no inputs; remove them"),
    ({"scenario": {}, "measured": {}}, "cases/0/measured"),
    ({"scenario": {}, "measured": {"loss": {"least": 0}}}, "cannot answer 'loss', expected loss_ratio or"),
    ({"scenario": {}, "measured": {"loss_ratio": {}}}, "give a value with a tolerance, or least and most"),
    ({"scenario": {}, "measured": {"loss_ratio": {"value": 1}}}, "a value needs a tolerance or a tolerance_percent"),
    ({"scenario": {}, "measured": {"loss_ratio": {"least": 1, "most": 0}}}, "least is above most"),
    ({"scenario": {}, "assumed": {"pmax": "why"}, "measured": LOSS}, "'pmax' is not set above; set it, or remove"),
    ({"scenario": {}, "explained": {"pmax": "why"}, "measured": LOSS}, "'pmax' is not measured; remove"),
    ({"formula": "headrom", "measured": LOSS}, "no such value: 'headrom'; did you mean headroom?"),
    ({"formula": "overload_loss", "measured": LOSS}, "overload_loss needs offered_gbps, drain_gbps; add the value"),
    (
        {"formula": "overload_loss", "inputs": {**OVERLOAD, "drain": 1}, "measured": LOSS},
        "overload_loss has no input 'drain'",
    ),
    (
        {"formula": "overload_loss", "inputs": {**OVERLOAD, "offered_gbps": 0}, "measured": LOSS},
        "cases/0/inputs: arrivals must be above 0",
    ),
    (
        {"formula": "overload_loss", "inputs": OVERLOAD, "measured": {"goodput_fraction": {"least": 0}}},
        "cannot answer 'goodput_fraction', expected loss_ratio",
    ),
    ({"name": "One", "scenario": {}, "measured": LOSS}, "does not match"),
]


@pytest.mark.parametrize(("case", "message"), MISTAKES)
def test_mistakes_are_named(case: dict[str, Any], message: str) -> None:
    with pytest.raises(YamlError) as caught:
        read_measurements(write(**case), "lab.yaml")
    assert message in str(caught.value)
    assert str(caught.value).startswith("lab.yaml:")


def test_names_are_unique() -> None:
    first = write(scenario={}, measured=LOSS)
    with pytest.raises(YamlError, match="'one' names two cases; rename one"):
        read_measurements(first + first.partition("cases:\n")[2], "lab.yaml")


_SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**400), 10**400),
    st.floats(),
    st.text(max_size=20),
    st.sampled_from(["topo", "value", "least", "own", *FORMULAS, *MEASURES, *sorted(INPUTS)]),
)
_KEYS = st.sampled_from(
    [
        *("source", "cases", "name", "scenario", "formula", "inputs", "assumed", "measured", "explained", "value"),
        *("least", "most", "tolerance", "tolerance_percent", "title", "setup", "reading", "address"),
        *MEASURES,
        *COLUMNS,
    ]
)
_ANY = st.recursive(
    _SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(_KEYS, inner, max_size=5)),
    max_leaves=12,
)
_CASES = st.fixed_dictionaries(
    {"name": st.just("one"), "measured": st.dictionaries(st.sampled_from([*MEASURES]), _ANY, max_size=2)},
    optional={
        "scenario": st.dictionaries(st.sampled_from(sorted(INPUTS)), _SCALARS, max_size=4),
        "formula": st.sampled_from([*FORMULAS]),
        "inputs": st.dictionaries(
            st.sampled_from([key for formula in FORMULAS.values() for key in formula.required]),
            st.floats(0, 1e15) | _SCALARS,
            max_size=14,
        ),
        "assumed": _ANY,
        "explained": _ANY,
    },
)


def read_or_refuse(text: str) -> None:
    """Read and compare *text*; no exception but YamlError leaves."""
    with suppress(YamlError):
        compare(read_measurements(text, "hostile.yaml"))


@given(_ANY | st.lists(_CASES, max_size=2).map(lambda cases: {"source": SOURCE, "cases": cases}))
def test_hostile_documents_are_read_or_refused(document: object) -> None:
    read_or_refuse(yaml.safe_dump(document, allow_unicode=True))


@given(st.text(max_size=60))
def test_hostile_text_is_read_or_refused(text: str) -> None:
    read_or_refuse(text)


@pytest.mark.parametrize("text", ["", "- " * 200, "a: &a [*a]", "source: !!python/object:os.system x", "{" * 5000])
def test_hostile_yaml_is_refused(text: str) -> None:
    with pytest.raises(YamlError):
        read_measurements(text, "hostile.yaml")
