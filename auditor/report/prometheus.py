r"""The sums of a report as Prometheus text (version 0.0.4), for the textfile collector of the node exporter.

Each number is a gauge. A metric has at most `MOST_SERIES` series with a device; the rest is summed without one, so that
the sum over all series stays true.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, time
from typing import TypeAlias

from auditor import __version__
from auditor.engine.result import Report
from auditor.inputs.dates import CaptureDate
from auditor.model.extent import AuditedDevice, AuditedPort
from auditor.model.finding import FindingKind, Level
from auditor.report.presentation import Presentation, clean_text
from auditor.util.natsort import natural
from auditor.util.values import dataclass

MOST_SERIES = 10_000
"""Series of one metric that name a device."""
Labels: TypeAlias = tuple[tuple[str, str], ...]
"""Names and values of the labels of a series; an empty value is as good as no label."""
Samples: TypeAlias = Mapping[Labels, float]
_NO_FAILURE: Sequence[tuple[Labels, float]] = tuple(((("level", level.value),), 0) for level in Level)
"""A series for each level that is always there, so that an alert tells a clean fabric from a missing report."""


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric with its samples, the most important first."""

    name: str
    help: str
    samples: Samples


def render(report: Report, _shown: Presentation) -> str:
    """Return the sums of *report* as text."""
    return "".join(f"{line}\n" for metric in _list_metrics(report) for line in _list_lines(metric))


def _list_metrics(report: Report) -> Iterator[Metric]:
    yield from _list_totals(report)
    yield Metric(
        "causes",
        "Causes of failures by rule, worst level, device to edit, owners, and state beside the base of a comparison.",
        _add_up([*_limit(_count_causes(report)).items(), *_NO_FAILURE]),
    )
    yield Metric(
        "findings", "Failures by level and device.", _add_up([*_limit(_count_findings(report)).items(), *_NO_FAILURE])
    )
    for what in ("checked", "failed", "open"):
        samples: Samples = {_label(rule=count.rule): getattr(count, what) for count in report.rules}
        yield Metric(f"objects_{what}", _OBJECTS[what], samples)
    yield Metric(
        "ports",
        "Ports by device and state: judged, partly (a rule left the port open), or not_judged (no rule decided).",
        _limit(_count_ports(report.audited)),
    )
    yield Metric(
        "capture_timestamp_seconds",
        "Oldest capture of a device in Unix time; the beginning of its day in UTC where the record has no time.",
        _limit(_date_captures(report), min),
    )


_OBJECTS = {
    "checked": "Objects that a rule looked at.",
    "failed": "Objects that a rule found at fault.",
    "open": "Objects that a rule left open, because the dumps lack evidence.",
}


def _list_totals(report: Report) -> Iterator[Metric]:
    yield Metric("build_info", "Version of roce-audit; the value is 1.", {(("version", __version__),): 1})
    totals: list[tuple[str, str, float]] = [
        ("devices", "Devices that were audited.", report.devices),
        ("links", "Known cables between audited ports.", report.links),
        ("problems", "Dumps that could not be read, and steps that failed.", len(report.problems)),
        ("warnings", "Warnings about dumps, such as lines that are not understood.", len(report.warnings)),
        (
            "intent_declared",
            "Whether the site declares its intent (1) or it is inferred (0).",
            report.intent["declared"],
        ),
        ("clean", "Whether the fabric is clean (1): a declared intent, no finding, no problem.", report.is_clean),
    ]
    if sight := report.expectation:
        totals += [
            ("expected_devices", "Devices that the site expects.", sight.expected),
            ("expected_devices_seen", "Expected devices that were seen.", sight.seen),
            ("expectation_met", "Whether what the site expects was seen (1).", not any(sight.explain_unmet())),
        ]
    yield from (Metric(name, text, {(): value}) for name, text, value in totals)


def _count_causes(report: Report) -> Samples:
    """Return the number of causes by rule, level, device, owners and state, the worst first."""
    return Counter(
        _label(
            rule=cause.rule,
            name=cause.name,
            level=cause.level.value,
            device=cause.device,
            owner=" and ".join(cause.owners),
            state=_describe_state([found.is_new for found in cause.findings]),
        )
        for cause in report.causes
    )


def _describe_state(states: Sequence[bool | None]) -> str:
    """Return the state of a cause by those of its findings; empty without a comparison.

    >>> [_describe_state(states) for states in ([None], [False, False], [False, True])]
    ['', 'unchanged', 'new']
    """
    return "new" if True in states else "unchanged" if False in states else ""


def _count_findings(report: Report) -> Samples:
    """Return the number of failures by level and device, the worst level first."""
    failed = report.of_kind(FindingKind.FAIL)
    counts = Counter((found.level, found.device) for found in failed)
    order = sorted(counts, key=lambda key: (key[0].rank, -counts[key], natural(key[1])))
    return _add_up([(_label(level=level.value, device=name), counts[level, name]) for level, name in order])


def _count_ports(devices: Sequence[AuditedDevice]) -> Samples:
    """Return the number of ports by device and state; ports that rules judged alike are looked at once."""
    states: dict[int, str] = {}
    counts: Counter[Labels] = Counter()
    for device in devices:
        for port in device.ports:
            key = id(port.extents)
            if key not in states:
                states[key] = _describe_port(port)
            counts[_label(device=device.name, state=states[key])] += 1
    return counts


def _describe_port(port: AuditedPort) -> str:
    extents = port.count().values()
    if not any(each.decided for each in extents):
        return "not_judged"
    return "partly" if any(each.open for each in extents) else "judged"


def _date_captures(report: Report) -> Samples:
    """Return the time of the oldest dated capture of each device, the oldest first."""
    dates = report.inputs.dates
    times = [(_find_time(dates[dump.file]), dump.device) for dump in report.dumps if dump.file in dates]
    return _add_up([(_label(device=name), when) for when, name in sorted(times)], min)


def _find_time(dated: CaptureDate) -> float:
    """Return Unix time; that of the beginning of the day in UTC where only the day is known.

    >>> from datetime import date
    >>> _find_time(CaptureDate(date(1970, 1, 2)))
    86400.0
    """
    return (dated.time or datetime.combine(dated.day, time(), UTC)).timestamp()


def _label(**labels: str) -> Labels:
    return tuple((name, clean_text(value)) for name, value in labels.items() if value)


def _limit(samples: Samples, join: Callable[[Sequence[float]], float] = sum) -> Samples:
    """Return *samples*, those behind the first `MOST_SERIES` joined without their device."""
    pairs = list(samples.items())
    rest = [(tuple(each for each in labels if each[0] != "device"), value) for labels, value in pairs[MOST_SERIES:]]
    return _add_up([*pairs[:MOST_SERIES], *rest], join)


def _add_up(pairs: Sequence[tuple[Labels, float]], join: Callable[[Sequence[float]], float] = sum) -> Samples:
    """Return one sample for each set of labels: names that differ in what cannot be printed alone are one."""
    values: dict[Labels, list[float]] = {}
    for labels, value in pairs:
        values.setdefault(labels, []).append(value)
    return {labels: join(found) for labels, found in values.items()}


def _list_lines(metric: Metric) -> Iterator[str]:
    name = f"roce_audit_{metric.name}"
    if metric.samples:
        yield f"# HELP {name} {metric.help}"
        yield f"# TYPE {name} gauge"
    for labels, value in metric.samples.items():
        shown = ",".join(f'{label}="{_escape(text)}"' for label, text in labels)
        yield f"{name}{{{shown}}} {value:.15g}" if shown else f"{name} {value:.15g}"


def _escape(text: str) -> str:
    r"""Return *text* as the value of a label.

    >>> print(_escape('a "b" \\'))
    a \"b\" \\
    """
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
