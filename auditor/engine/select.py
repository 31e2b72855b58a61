"""The part of a report that a user asks for: rules, devices, ports."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase

from auditor.engine.errors import CannotAudit
from auditor.engine.findings import ReportedFinding
from auditor.engine.result import Report
from auditor.model.finding import Level
from auditor.util.suggest import add_suggestion
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class Selection:
    """What is asked for; an empty part asks for everything.

    `rules` and `without` name rules, packs or levels. `devices` and `ports` are names, or patterns of the shell.
    """

    rules: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    devices: tuple[str, ...] = ()
    ports: tuple[str, ...] = ()

    @property
    def is_all(self) -> bool:
        """Whether nothing is left out."""
        return not (self.rules or self.without or self.devices or self.ports)


def narrow(report: Report, asked: Selection) -> Report:
    """Return *report* with the findings that are *asked* for, and the causes of these.

    What was checked, problems and warnings stay. Raises CannotAudit for a name that nothing in the report has.
    """
    if asked.is_all:
        return report
    _refuse_unknown(report, asked)
    named = {name: {name, *rule.names, rule.pack} for rule in report.catalogue for name in [rule.file.id]}

    def is_asked(found: ReportedFinding) -> bool:
        words = {*named.get(found.rule, {found.rule}), found.level.value}
        return (
            (not asked.rules or not words.isdisjoint(asked.rules))
            and words.isdisjoint(asked.without)
            and _matches(found.device, asked.devices)
            and _matches(found.port or "", asked.ports)
        )

    compared = report.compared
    return replace(
        report,
        findings=_keep(is_asked, report.findings),
        causes=tuple(
            replace(cause, findings=kept) for cause in report.causes if (kept := _keep(is_asked, cause.findings))
        ),
        compared=compared
        and replace(compared, fixed=_keep(is_asked, compared.fixed), lost=_keep(is_asked, compared.lost)),
    )


def _keep(
    is_asked: Callable[[ReportedFinding], bool], findings: Iterable[ReportedFinding]
) -> tuple[ReportedFinding, ...]:
    return tuple(found for found in findings if is_asked(found))


def _matches(name: str, patterns: Sequence[str]) -> bool:
    return not patterns or any(fnmatchcase(name, pattern) for pattern in patterns)


def _refuse_unknown(report: Report, asked: Selection) -> None:
    """Raise CannotAudit for a name that nothing has: a report without it would look as if all were well."""
    rules = {word for rule in report.catalogue for word in (*rule.names, rule.pack)} | {level.value for level in Level}
    devices = {device.name for device in report.audited} | {found.device for found in report.findings}
    ports = {port.name for device in report.audited for port in device.ports if _matches(device.name, asked.devices)}
    ports |= {found.port for found in report.findings if found.port and _matches(found.device, asked.devices)}
    for option, words, known, what in (
        ("--select", asked.rules, rules, "rule, pack or level"),
        ("--ignore", asked.without, rules, "rule, pack or level"),
        ("--device", asked.devices, devices, "device"),
        ("--port", asked.ports, ports, "port"),
    ):
        for word in words:
            if not any(
                each == word or (option in {"--device", "--port"} and fnmatchcase(each, word)) for each in known
            ):
                raise CannotAudit(add_suggestion(f"{option} {word}: no {what} has this name", word, known))
