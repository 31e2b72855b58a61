"""Values that a lab or a paper measured, compared with those of the loss model: YAML in, comparisons out.

A document names its source and its cases. A case is a scenario, with the columns of a scenario table, or a formula with
its inputs; each measured value has a tolerance, which is decided before the models are asked.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import isfinite
from statistics import fmean
from typing import Any, TypeAlias

import numpy as np

from auditor.estimate.batch import INPUTS, TOPOLOGIES, check, estimate_all
from auditor.estimate.formulas import FORMULAS, FormulaError
from auditor.estimate.incast import Estimates
from auditor.estimate.scenario import Scenarios
from auditor.estimate.simulation.run import Outcome
from auditor.estimate.simulation.seeds import TableSimulator, find_range
from auditor.util.suggest import add_suggestion
from auditor.util.values import dataclass
from auditor.util.yamlfile import Located, YamlError, load

READINGS: Mapping[str, str] = {
    "own": "measured by the site itself",
    "whole": "read where it was published",
    "excerpt": "read in part",
    "abstract": "only the abstract was read",
    "secondary": "quoted by others",
}
"""How much of a source was read."""
MOST_CASES = 1000
_LARGEST = 1e15
_LONGEST = 2000
_TEXT = {"type": "string", "minLength": 1, "maxLength": _LONGEST}
_NUMBER = {"type": "number", "minimum": -_LARGEST, "maximum": _LARGEST}
_AMOUNT = {"type": "number", "minimum": 0, "maximum": _LARGEST}
_REASONS = {"type": "object", "additionalProperties": _TEXT}
_TARGET = {
    "type": "object",
    "properties": {
        **dict.fromkeys(("value", "least", "most"), _NUMBER),
        **dict.fromkeys(("tolerance", "tolerance_percent"), _AMOUNT),
    },
    "additionalProperties": False,
}
_CASE = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "pattern": r"^[a-z0-9][a-z0-9.-]{0,79}\Z"},
        "about": _TEXT,
        "scenario": {
            "type": "object",
            "properties": {**dict.fromkeys(sorted(INPUTS), _NUMBER), "topo": {"enum": [*TOPOLOGIES]}},
            "additionalProperties": False,
        },
        "formula": {"enum": [*FORMULAS]},
        "inputs": {"type": "object", "additionalProperties": _AMOUNT},
        "assumed": _REASONS,
        "measured": {"type": "object", "additionalProperties": _TARGET, "minProperties": 1},
        "explained": _REASONS,
    },
    "required": ["name", "measured"],
    "additionalProperties": False,
}
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "source": {
            "type": "object",
            "properties": {
                **dict.fromkeys(("title", "address", "setup", "seen"), _TEXT),
                "reading": {"enum": [*READINGS]},
            },
            "required": ["title", "address", "setup", "reading"],
            "additionalProperties": False,
        },
        "cases": {"type": "array", "items": _CASE, "minItems": 1, "maxItems": MOST_CASES},
    },
    "required": ["source", "cases"],
    "additionalProperties": False,
}
"""The form of a document of measurements."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where numbers come from: `seen` says which of them the model was built from, "" for none."""

    title: str
    address: str
    setup: str
    reading: str
    seen: str = ""


@dataclass(frozen=True, slots=True)
class Target:
    """A measured value, None for a range alone, and the range that counts as a match."""

    value: float | None
    least: float
    most: float

    def measure_error(self, answer: float) -> float:
        """Return how far *answer* is from the value, or from the range where there is no value."""
        if self.value is not None:
            return answer - self.value
        return answer - min(max(answer, self.least), self.most)

    def contains(self, answer: float) -> bool:
        """Return whether *answer* is in the range."""
        return self.least <= answer <= self.most


@dataclass(frozen=True, slots=True)
class Case:
    """One measured situation: a scenario (one row), or a formula with its inputs."""

    name: str
    about: str
    scenario: Scenarios | None
    formula: str
    inputs: Mapping[str, float]
    assumed: Mapping[str, str]
    targets: Mapping[str, Target]
    explained: Mapping[str, str]
    """Why the models miss a measure, as far as known."""


@dataclass(frozen=True, slots=True)
class Measurements:
    """A document of measurements."""

    file: str
    source: Source
    cases: Sequence[Case]


@dataclass(frozen=True, slots=True)
class Answer:
    """What one model says of a measure, how far that is from the measured value, and whether it is within tolerance."""

    low: float
    likely: float
    high: float
    error: float
    inside: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """A measured value beside the closed form and the simulation; None for a model that was not asked or cannot say."""

    case: Case
    measure: str
    target: Target
    closed: Answer | None
    simulated: Answer | None
    problem: str = ""
    """Why the simulation gave no answer."""


_Band: TypeAlias = tuple[float, float, float]
_Place: TypeAlias = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure of a scenario: how the closed forms and one simulated run tell it; `ratio` is between 0 and 1."""

    closed: Callable[[Estimates], Sequence[Any]] | None
    simulated: Callable[[Outcome], float]
    ratio: bool = True


def _count_marked(run: Outcome) -> float:
    return run.marked / max(run.sent - run.dropped, 1)


def _find_first_pause(found: Estimates) -> Sequence[Any]:
    return [np.where(found.pfc_fires, found.limits.xoff, np.nan)]


MEASURES: Mapping[str, Measure] = {
    "loss_ratio": Measure(lambda e: [e.loss.low, e.loss.likely, e.loss.high], lambda run: run.loss_ratio),
    "goodput_fraction": Measure(
        lambda e: [e.goodput.low, e.goodput.likely, e.goodput.high], lambda run: min(1.0, run.goodput_fraction)
    ),
    "pause_fraction": Measure(lambda e: [e.paused], lambda run: run.paused_fraction),
    "victim_goodput_fraction": Measure(lambda e: [e.victim_goodput], lambda run: run.victim_fraction),
    "marked_fraction": Measure(None, _count_marked),
    "pfc_fires": Measure(lambda e: [e.pfc_fires], lambda run: float(run.pauses_sent)),
    "any_loss": Measure(lambda e: [e.any_loss], lambda run: float(run.dropped > 0)),
    "peak_queue_bytes": Measure(lambda e: [e.peak_queue], lambda run: run.peak_queue_bytes, ratio=False),
    "first_pause_bytes": Measure(_find_first_pause, lambda run: run.first_pause_bytes, ratio=False),
}
"""What can be measured of a scenario, by name."""


def read_measurements(text: str, name: str) -> Measurements:
    """Return the document in *text*, *name* being its file; raises YamlError with the line of the first mistake."""
    document = load(name, text, SCHEMA)
    cases = [_read_case(document, number, case) for number, case in enumerate(document.data["cases"])]
    names: set[str] = set()
    for number, case in enumerate(cases):
        if case.name in names:
            raise _make_error(document, ("cases", number, "name"), f"{case.name!r} names two cases; rename one")
        names.add(case.name)
    return Measurements(name, Source(**document.data["source"]), cases)


def _read_case(document: Located, number: int, case: Mapping[str, Any]) -> Case:
    at: _Place = ("cases", number)
    if ("scenario" in case) == ("formula" in case):
        raise _make_error(document, at, f"{case['name']}: give either a scenario or a formula")
    scenario = _read_scenario(document, at, case) if "scenario" in case else None
    formula: str = case.get("formula", "")
    inputs = _read_inputs(document, at, case) if formula else {}
    known = [FORMULAS[formula].measure] if formula else [*MEASURES]
    _check_assumed(document, at, case)
    for key in case["measured"]:
        if key not in known:
            message = f"cannot answer {key!r}, expected {' or '.join(known)}"
            raise _make_error(document, (*at, "measured", key), message)
    for key in case.get("explained", ()):
        if key not in case["measured"]:
            raise _make_error(document, (*at, "explained", key), f"{key!r} is not measured; remove the explanation")
    targets = {key: _read_target(document, (*at, "measured", key), value) for key, value in case["measured"].items()}
    about, assumed, explained = case.get("about", ""), case.get("assumed", {}), case.get("explained", {})
    return Case(case["name"], about, scenario, formula, inputs, assumed, targets, explained)


def _check_assumed(document: Located, at: _Place, case: Mapping[str, Any]) -> None:
    """Raise YamlError for a reason of a value that is not set."""
    settings = case["scenario"] if "scenario" in case else case.get("inputs", {})
    for key in case.get("assumed", ()):
        if key not in settings:
            message = add_suggestion(f"{key!r} is not set above; set it, or remove the reason", key, settings)
            raise _make_error(document, (*at, "assumed", key), message)


def _make_error(document: Located, at: _Place, message: str) -> YamlError:
    return YamlError(document.file, document.line(at), f"{'/'.join(map(str, at))}: {message}")


def _read_scenario(document: Located, at: _Place, case: Mapping[str, Any]) -> Scenarios:
    """Return the scenario of one row, checked as a row of a table is."""
    if "inputs" in case:
        raise _make_error(document, (*at, "inputs"), "a scenario has no inputs; remove them")
    checked = check({key: [str(value)] for key, value in case["scenario"].items()}, 1)
    if checked.errors:
        raise _make_error(document, (*at, "scenario"), checked.errors[0])
    return checked.scenarios


def _read_inputs(document: Located, at: _Place, case: Mapping[str, Any]) -> Mapping[str, float]:
    """Return the inputs of a formula that can be computed."""
    formula, given = FORMULAS[case["formula"]], case.get("inputs", {})
    known = [*formula.required, *formula.optional]
    for key in given:
        if key not in known:
            raise _make_error(
                document, (*at, "inputs", key), add_suggestion(f"{case['formula']} has no input {key!r}", key, known)
            )
    if missing := [key for key in formula.required if key not in given]:
        raise _make_error(document, (*at, "inputs"), f"{case['formula']} needs {', '.join(missing)}; add the value")
    inputs = {key: float(value) for key, value in given.items()}
    try:
        formula.compute(inputs)
    except FormulaError as error:
        raise _make_error(document, (*at, "inputs"), str(error)) from None
    return inputs


def _read_target(document: Located, at: _Place, given: Mapping[str, float]) -> Target:
    tolerances = [key for key in ("tolerance", "tolerance_percent") if key in given]
    limits = [key for key in ("least", "most") if key in given]
    if "value" in given:
        if limits or len(tolerances) != 1:
            raise _make_error(
                document, at, "a value needs a tolerance or a tolerance_percent, and neither least nor most"
            )
        value, width = float(given["value"]), float(given[tolerances[0]])
        if tolerances == ["tolerance_percent"]:
            width *= abs(value) / 100
        return Target(value, value - width, value + width)
    if not limits or tolerances:
        raise _make_error(document, at, "give a value with a tolerance, or least and most (or one of them)")
    least, most = float(given.get("least", -np.inf)), float(given.get("most", np.inf))
    if least > most:
        raise _make_error(document, at, "least is above most")
    return Target(None, least, most)


def compare(measurements: Measurements, simulator: TableSimulator | None = None) -> tuple[Comparison, ...]:
    """Return each measured value beside the closed form, and beside the simulation with a *simulator*.

    Cost: about a millisecond a case; a simulated one takes seconds at most for each seed. Raises SimulationError where
    numba is missing.
    """
    return tuple(_compare_all(measurements, simulator))


def _compare_all(measurements: Measurements, simulator: TableSimulator | None) -> Iterator[Comparison]:
    runs = _simulate(measurements.cases, simulator) if simulator else {}
    for case in measurements.cases:
        found = None if case.scenario is None else estimate_all(case.scenario)
        outcomes, problem = runs.get(case.name, ((), ""))
        for name, target in case.targets.items():
            if found is None:
                answer = FORMULAS[case.formula].compute(case.inputs)
                yield Comparison(case, name, target, _judge(target, (answer, answer, answer)), None)
                continue
            measure = MEASURES[name]
            closed = _judge(target, _summarise_closed(measure, found))
            simulated = _judge(target, _summarise_runs(measure, outcomes))
            yield Comparison(case, name, target, closed, simulated, problem)


def _simulate(cases: Sequence[Case], simulator: TableSimulator) -> Mapping[str, tuple[Sequence[Outcome], str]]:
    asked = [case for case in cases if case.scenario is not None]
    results = simulator.run([case.scenario for case in asked if case.scenario is not None])
    return {case.name: (result.outcomes, result.error) for case, result in zip(asked, results, strict=True)}


def _summarise_closed(measure: Measure, found: Estimates) -> _Band | None:
    """Return low, likely and high of the closed forms; None where they cannot tell."""
    if measure.closed is None:
        return None
    values = [float(column[0]) for column in map(np.atleast_1d, measure.closed(found))]
    low, likely, high = values if len(values) > 1 else values * 3
    return low, likely, high


def _summarise_runs(measure: Measure, outcomes: Sequence[Outcome]) -> _Band | None:
    """Return low, mean and high of the seeds; None without a run, or where no pause began."""
    values = [measure.simulated(run) for run in outcomes]
    if not values or min(values) < 0:
        return None
    return find_range(values) if measure.ratio else (min(values), fmean(values), max(values))


def _judge(target: Target, band: _Band | None) -> Answer | None:
    if band is None or not all(map(isfinite, band)):
        return None
    low, likely, high = band
    return Answer(low, likely, high, target.measure_error(likely), target.contains(likely))
