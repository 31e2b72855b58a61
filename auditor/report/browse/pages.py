"""What the pages of a browsed report show, from the documents of the HTML page; nothing here draws."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Literal

from rich.text import Text

from auditor.engine.fabric_map import MapDevice, MapPort
from auditor.engine.findings import ReportedFinding
from auditor.engine.result import Report
from auditor.report.browse.port_text import write_stages
from auditor.report.browse.writing import TextWriter, cut, style_level
from auditor.report.explain import render as render_rule
from auditor.report.html.causes import ShownCause, list_causes
from auditor.report.html.index import Index, mark, name_tier
from auditor.report.html.page import build_head
from auditor.report.presentation import Presentation
from auditor.util.listing import join_first
from auditor.util.natsort import natural
from auditor.util.values import dataclass

Kind = Literal["cause", "device", "port"]
MOST_NAMES = 40
"""Hosts and jobs of a cause that are named; a number stands for the others."""
ITSELF = "(the device)"
"""Stands for the port of findings that name none."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where a row leads: the number of a cause, or the name of a device and of its port."""

    kind: Kind
    device: str = ""
    port: str = ""
    number: int = -1


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table: its cells, the page that it opens, and the level that colours its first cell."""

    cells: tuple[str, ...]
    target: Target
    level: str = ""


@dataclass(frozen=True, slots=True)
class TablePage:
    """A page of rows."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class TextPage:
    """A page of text; `rules` can be explained, and `related` are the ports of a cause or the causes at a port."""

    title: str
    text: Text
    rules: tuple[str, ...] = ()
    related: TablePage | None = None


@dataclass(frozen=True)
class ReportPages:
    """The pages of *report*; `shown` quotes its lines."""

    report: Report
    shown: Presentation

    @cached_property
    def _index(self) -> Index:
        return Index(self.report)

    @cached_property
    def _causes(self) -> Sequence[ShownCause]:
        return list_causes(self._index, self.shown)

    @cached_property
    def head(self) -> str:
        """The verdict in one line."""
        head = build_head(self.report)
        return f"{head.verdict} | {self.report.devices} devices, {self.report.ports} ports"

    def list_causes(self) -> TablePage:
        """Return the table of all causes, the costliest of the worst first."""
        return self._tabulate_causes("Causes", range(len(self._causes)))

    def list_devices(self) -> TablePage:
        """Return the table of all devices, those with failures first."""
        devices = [(self._index.mark_device(each.name), each) for each in self._index.map.devices]
        devices.sort(key=lambda pair: (not pair[0].count, natural(pair[1].name)))
        rows = [
            Row(
                (wrong.level or "-", str(wrong.count), each.name, name_tier(each.tier), each.os, str(len(each.ports))),
                Target("device", each.name),
                wrong.level,
            )
            for wrong, each in devices
        ]
        columns = ("level", "findings", "device", "tier", "system", "ports")
        return TablePage("Devices", columns, _cut_rows(rows))

    def list_ports(self, device: str) -> TablePage:
        """Return the table of the ports of a device, those with failures first; of a device without a map none."""
        found = self._index.devices.get(device)
        marks = [(self._index.mark_ports([(device, each.name)]), each) for each in (found.ports if found else ())]
        marks.sort(key=lambda pair: (not pair[0].count, natural(pair[1].name)))
        rows = [
            Row(
                (wrong.level or "-", str(wrong.count), each.name, f"{each.peer} {each.peer_port}".strip(), each.rail),
                Target("port", device, each.name),
                wrong.level,
            )
            for wrong, each in marks
        ]
        if own := self._index.by_port.get((device, None)):
            wrong = mark(own)
            words = (wrong.level, str(wrong.count), ITSELF, "", "")
            rows.insert(0, Row(words, Target("port", device), wrong.level))
        columns = ("level", "findings", "port", "far end", "rail")
        return TablePage(f"Ports of {cut(device)}", columns, _cut_rows(rows))

    def show_cause(self, number: int) -> TextPage:
        """Return the page of a cause: what is wrong, what it costs and why, the lines, and what to type."""
        cause = self._causes[number]
        writer = TextWriter()
        writer.add(f"{cause.level} {cause.rule} {cause.name}", style_level(cause.level))
        writer.add(cause.message)
        writer.add_fields(_list_facts(cause))
        for line in cause.lines:
            writer.add_heading(line.place)
            writer.add(line.message)
            if line.text:
                writer.add(f"| {line.text}", "dim")
        if cause.remedy:
            writer.add_heading(f"type on {cause.remedy_os}" if cause.is_typed else "fix")
            writer.add_lines(cause.remedy)
        writer.add_heading("why it matters")
        writer.add(cause.why)
        ports = [Target("port", device, port) for device, port in self._index.causes[number].ports if port]
        rows = [Row((each.device, each.port), each) for each in ports]
        related = TablePage(f"Ports of {cause.rule}", ("device", "port"), _cut_rows(rows))
        return TextPage(f"{cause.rule} {cut(cause.place)}", writer.text, (cause.rule,), related)

    def show_port(self, device: str, port: str) -> TextPage:
        """Return the page of a port: its findings, then each stage of a packet's way with the lines that prove it.

        Without a port it is the page of the device itself, which has findings alone.
        """
        found = self._index.by_port.get((device, port or None), [])
        writer = TextWriter()
        for each in found:
            writer.add(f"{each.level.value} {each.rule}: {each.message}", style_level(each.level.value))
        if not found:
            writer.add("nothing wrong at this port")
        if place := self._find_port(device, port):
            write_stages(writer, *place, self._index.map.stages, self.shown)
        numbers = dict.fromkeys(number for each in found if (number := self._index.cause_of.get(id(each))) is not None)
        title = f"{cut(device)} {cut(port)}".rstrip()
        return TextPage(title, writer.text, _list_rules(found), self._tabulate_causes(f"Causes at {title}", [*numbers]))

    def explain(self, rule: str) -> TextPage:
        """Return the explanation of a rule, as the command `explain` prints it."""
        named = next((each for each in self.report.catalogue if each.file.id == rule), None)
        writer = TextWriter()
        writer.add_lines(render_rule(named) if named else f"{rule} is no rule of this report")
        return TextPage(f"Rule {cut(rule)}", writer.text)

    def _tabulate_causes(self, title: str, numbers: Sequence[int]) -> TablePage:
        rows = [
            Row(
                (each.level, each.rule, each.place, each.cost or "-", each.message),
                Target("cause", number=number),
                each.level,
            )
            for number, each in ((number, self._causes[number]) for number in numbers)
        ]
        return TablePage(title, ("level", "rule", "where", "cost", "what is wrong"), _cut_rows(rows))

    def _find_port(self, device: str, port: str) -> tuple[MapDevice, MapPort] | None:
        found = self._index.devices.get(device)
        named = next((each for each in found.ports if each.name == port), None) if found else None
        return (found, named) if found and named else None


def _cut_rows(rows: Sequence[Row]) -> tuple[Row, ...]:
    return tuple(Row(tuple(map(cut, row.cells)), row.target, row.level) for row in rows)


def _list_rules(findings: Sequence[ReportedFinding]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.rule for each in findings))


def _list_facts(cause: ShownCause) -> Iterator[tuple[str, str]]:
    """Yield what is known of a cause, each with its label."""
    yield "where", cause.place
    yield "findings", str(cause.findings)
    yield "ports", str(cause.port_count or "")
    yield "cost", cause.cost
    yield "counters", cause.counters
    yield "cable", cause.physical
    yield "generated", cause.origin
    yield "hosts", join_first(cause.hosts, MOST_NAMES)
    yield "jobs", join_first(cause.jobs, MOST_NAMES)
    yield "state", cause.state
    yield "typing", " ".join(filter(None, (cause.disturbs, cause.disruption)))
    yield "likewise", cause.likewise
