"""Causes: findings that one edit would cure, and the place of that edit.

Each finding names the facts that it rests on by their places: the line that it calls wrong, lines that do not agree
with it, and lines that it only refers to. Findings belong to one cause where they call the same line wrong, where one
rests on a line of its device that another calls wrong, where both are at odds with the same line, and where a rule says
the same of several ports of a device. What a port of a switch does not say at all has the line with the port's name:
there only findings of one pack belong together. A definition without effect belongs to the findings about what is in
effect in its place. Equal causes at several devices of one role are one cause of the fleet.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from hashlib import sha256
from typing import Any, TypeAlias

from auditor.checks.base import Scope
from auditor.diagnosis.dumptext import DumpText
from auditor.diagnosis.remedies import Remedy
from auditor.diagnosis.stanza import find_row, find_stanza
from auditor.engine.attempts import PLEA
from auditor.engine.child import Bounds, NoAnswer
from auditor.engine.findings import Cause, ReportedFinding
from auditor.engine.remedies import Remedies
from auditor.engine.result import Notice, Report
from auditor.engine.texts import write_text
from auditor.fabric.reach import Share, Surroundings
from auditor.inputs.origin import find_template
from auditor.inputs.snapshot import Snapshot
from auditor.intent import Intents
from auditor.model.dump import Capture
from auditor.model.fabric import Fabric
from auditor.model.finding import FindingKind
from auditor.model.setting import value_of
from auditor.util.natsort import natural
from auditor.util.redact import redact
from auditor.util.regex import regex

Mark: TypeAlias = tuple[str, ...]
"""What findings of one cause have in common: a place, an object, or what a rule says of a device."""
FindText: TypeAlias = Callable[[str], DumpText]
_ORDER = {Scope.DEVICE: 0, Scope.PORT: 1, Scope.LINK: 2, Scope.FABRIC: 3, Scope.COMPARISON: 0}
"""Upstream first: what stands in one device's definitions, then ports, links, and what is compared over devices."""
_NAME = regex(r"[\w./:-]+")


def add_causes(report: Report, fabric: Fabric, intents: Intents, bounds: Bounds) -> Report:
    """Return *report*, on *fabric*, with the causes of its failures; the search takes no more than *bounds*.

    Where lines of dumps cannot be read within them, causes are sought without, and a problem of the report says so.
    """
    if not report.of_kind(FindingKind.FAIL):
        return report
    step, problems = "search for causes", report.problems
    made = write_text(step, partial(_search, report, fabric, intents), bounds)
    if isinstance(made, NoAnswer):
        problems = (*problems, Notice(f"{step} failed: {made.why}; lines of dumps are left aside; {PLEA}"))
        bare = replace(report, inputs=Snapshot(()))
        made = write_text(f"{step} without lines", partial(_search, bare, fabric, intents), bounds)
    causes = () if isinstance(made, NoAnswer) else tuple(_decode(json.loads(made), report))
    return replace(report, causes=causes, problems=problems)


def _search(report: Report, fabric: Fabric, intents: Intents) -> str:
    """Return the causes as JSON, in which a finding is its number in *report*."""
    numbers = {id(found): number for number, found in enumerate(report.findings)}
    return json.dumps(
        [
            {
                "id": cause.id,
                "root": numbers[id(cause.root)],
                "place": [cause.file, cause.line],
                "findings": [numbers[id(found)] for found in cause.findings],
                "also": cause.also,
                "remedy": asdict(cause.remedy) if cause.remedy else None,
                "hosts": cause.hosts,
                "jobs": cause.jobs,
                "share": asdict(cause.share) if cause.share else None,
                "template": cause.template,
                "owners": cause.owners,
            }
            for cause in find_causes(report, fabric, intents)
        ]
    )


def _decode(listed: Iterable[Mapping[str, Any]], report: Report) -> Iterator[Cause]:
    for each in listed:
        findings = tuple(report.findings[number] for number in each["findings"])
        remedy = Remedy(**each["remedy"]) if each["remedy"] else None
        file, line = each["place"]
        yield Cause(
            each["id"],
            report.findings[each["root"]],
            file,
            line,
            findings,
            tuple(each["also"]),
            remedy,
            tuple(each["hosts"]),
            tuple(each["jobs"]),
            Share(**each["share"]) if each["share"] else None,
            each["template"],
            owners=tuple(each["owners"]),
        )


def find_causes(report: Report, fabric: Fabric, intents: Intents) -> tuple[Cause, ...]:
    """Return the causes of the failures in *report*, the worst first, then the costliest."""
    failed = report.of_kind(FindingKind.FAIL)
    if not failed:
        return ()
    owners = {dump.file: dump.device for dump in report.dumps}
    words = _Words(fabric)
    remedies = Remedies(report, fabric, intents)
    marks = _Marks(failed, owners, words, remedies.find_text, _list_heads(fabric))
    ranks = {rule.file.id: _ORDER[rule.check.scope] for rule in report.catalogue}
    find_capture = report.inputs.index_captures()
    alone = [_add_template(_make_cause(found, ranks), find_capture) for found in _join(failed, marks)]
    found = sorted(_join_fleet(alone, fabric, intents, words), key=_rank)
    owners_of = {(each.file, each.line): cause.id for cause in found for each in cause.findings}
    surroundings = Surroundings(fabric)
    return tuple(
        _add_owners(
            replace(
                _add_reach(cause, surroundings),
                remedy=_find_remedy(cause, remedies),
                also=_list_others(cause, owners_of),
            ),
            intents,
        )
        for cause in found
    )


def _add_owners(cause: Cause, intents: Intents) -> Cause:
    """Return *cause* with those who are in charge of the places of its findings."""
    if not intents.owners:
        return cause
    names = (intents.find_owner(found.device, found.port or "", cause.jobs) for found in cause.findings)
    return replace(cause, owners=tuple(dict.fromkeys(filter(None, names))))


def _list_heads(fabric: Fabric) -> frozenset[tuple[str, int]]:
    """Return the lines with which the ports of switches begin: what a port does not say is placed there."""
    ports = (port for device in fabric.devices if device.kind == "switch" for port in device.ports)
    return frozenset((port.where.file, port.where.line) for port in ports if port.where)


def _add_reach(cause: Cause, surroundings: Surroundings) -> Cause:
    """Return *cause* with the hosts whose flows meet its place, and their jobs."""
    share = surroundings.find_share(cause.ports)
    hosts = set(surroundings.list_hosts(cause.ports))
    hosts |= {name for name in cause.devices if surroundings.kinds.get(name) == "host"}
    hosts |= (
        {name for device in cause.devices for name in surroundings.list_hosts_behind(device)} if not hosts else set()
    )
    hosts |= set(surroundings.list_hosts_behind(share.device)) if share else set()
    named = tuple(sorted(hosts, key=natural))
    return replace(cause, hosts=named, jobs=surroundings.list_jobs(named), share=share)


def _list_others(cause: Cause, owners: Mapping[tuple[str | None, int | None], str]) -> tuple[str, ...]:
    """Return the other causes whose lines the findings of *cause* rest on: they go when these are fixed as well."""
    places = dict.fromkeys((place.file, place.line) for found in cause.findings for place in found.related)
    return tuple(dict.fromkeys(other for place in places if (other := owners.get(place, cause.id)) != cause.id))


def _find_remedy(cause: Cause, remedies: Remedies) -> Remedy | None:
    """Return the remedy at the place of a cause; where its rule has none that fits, that of its worst finding."""
    worst = sorted(cause.findings, key=lambda found: (found.device != cause.device, found.level.rank))
    first = None
    for each in (cause.root, *worst):
        found = remedies.find(each)
        if found and found.text:
            return found
        first = first or found
    return first


def _rank(cause: Cause) -> tuple[object, ...]:
    return cause.level.rank, cause.cost_rank, -len(cause.findings), natural(cause.device), cause.file or "", cause.id


class _Words:
    """The names of devices and ports, which a message has in the place of any other."""

    def __init__(self, fabric: Fabric) -> None:
        self._names = {name for device in fabric.devices for name in (device.name, device.own_name)}
        ports = [port for device in fabric.devices for port in device.ports]
        self._names |= {name for port in ports for name in (port.name, *port.aliases)}
        self._names |= {name for port in ports if (name := value_of(port.rdma.name))}

    def normalise(self, message: str) -> str:
        """Return *message* without the names of devices and ports."""
        return _NAME.sub(lambda word: "*" if word[0].rstrip(".:,") in self._names else word[0], message)


class _Marks:
    """The marks of each finding; findings with a mark in common belong to one cause."""

    def __init__(
        self,
        failed: Sequence[ReportedFinding],
        owners: Mapping[str, str],
        words: _Words,
        find_text: FindText,
        heads: Container[tuple[str, int]],
    ) -> None:
        self._owners, self._words, self._find_text, self._heads = owners, words, find_text, heads
        self.wrong = {(each.file, each.line) for each in failed if each.file is not None}
        """The lines that some finding calls wrong."""
        counts = Counter((each.device, str(kind)) for each in failed if (kind := dict(each.facts).get("unused")))
        unused = {kind for kind, count in counts.items() if count == 1}
        speaks = (each for each in failed if unused and not _is_unused(each))
        used = {(each.device, kind) for each in speaks if (kind := self._find_kind(each))}
        self._kinds = unused & used
        """Kinds of definitions, by device, of which a finding speaks of one in effect, and just one is without effect.

        Where several are without effect, nothing tells which of them was meant.
        """

    def list(self, found: ReportedFinding) -> Iterator[Mark]:
        """Yield the marks of a finding."""
        yield "says", found.rule, found.device, self._words.normalise(found.message)
        if found.file is None or found.line is None:
            return
        yield self._mark_line(found.file, found.line, found)
        for place in found.related:
            own = self._owners.get(place.file) == found.device
            if own and (place.is_at_odds or (place.file, place.line) in self.wrong):
                yield self._mark_line(place.file, place.line, found)
        yield from self._list_objects(found, found.file, found.line)

    def _mark_line(self, file: str, line: int, found: ReportedFinding) -> Mark:
        """Return the mark of a line; where a port of a switch begins, that of what it lacks, by the rule's pack."""
        is_head = (file, line) in self._heads
        return ("line", file, str(line), found.pack) if is_head else ("line", file, str(line))

    def _list_objects(self, found: ReportedFinding, file: str, line: int) -> Iterator[Mark]:
        """Yield the profile whose values hold together, and the kind of definition that is in effect or is not."""
        facts = dict(found.facts)
        if isinstance(lacks := facts.get("lacks"), str):
            yield "lacks", found.device, lacks
        row = find_row(self._find_text(file), line)
        if len(row) > 1 and row[0].endswith("PROFILE"):
            yield "row", file, *row[:2]
        kind = str(facts.get("unused") or (self._find_kind(found) if self._kinds else ""))
        if (found.device, kind) in self._kinds:
            yield "kind", found.device, kind

    def _find_kind(self, found: ReportedFinding) -> str:
        """Return the kind of the definition in which the line of a finding stands; empty where it stands in none."""
        if found.file is None or found.line is None:
            return ""
        heads = find_stanza(self._find_text(found.file), found.line)
        return heads[0].rpartition(" ")[0] if heads else ""


def _is_unused(found: ReportedFinding) -> bool:
    """Return whether a finding speaks of a definition without effect."""
    return "unused" in dict(found.facts)


def _join(failed: Sequence[ReportedFinding], marks: _Marks) -> Iterable[list[ReportedFinding]]:
    """Return the findings in groups: two that share a mark are in one group."""
    leader = list(range(len(failed)))

    def find(number: int) -> int:
        while leader[number] != number:
            leader[number] = leader[leader[number]]
            number = leader[number]
        return number

    first: dict[Mark, int] = {}
    for number, found in enumerate(failed):
        for mark in marks.list(found):
            leader[find(number)] = find(first.setdefault(mark, number))
    groups: dict[int, list[ReportedFinding]] = defaultdict(list)
    for number, found in enumerate(failed):
        groups[find(number)].append(found)
    return groups.values()


def _make_cause(findings: Sequence[ReportedFinding], ranks: Mapping[str, int]) -> Cause:
    """Return the cause of *findings*: its place is that of the finding farthest upstream, on which others rest."""
    rests: dict[tuple[str, int], int] = defaultdict(int)
    for each in findings:
        for place in each.related:
            rests[place.file, place.line] += not place.is_alike
    root = min(
        findings,
        key=lambda each: (
            not _is_unused(each),
            ranks.get(each.rule, 0),
            -rests[each.file or "", each.line or 0],
            each.level.rank,
            each.cost_rank,
            each.file or "",
            each.line or 0,
            each.rule,
            natural(each.port or ""),
        ),
    )
    file, line = _find_shared_place(root, findings) or (root.file, root.line)
    return Cause(root.fingerprint[:12], root, file, line, tuple(findings))


def _find_shared_place(root: ReportedFinding, findings: Sequence[ReportedFinding]) -> tuple[str, int] | None:
    """Return the line that all lines of the rule of *root* are at odds with; None where the rule speaks of one line."""
    own = [each for each in findings if each.rule == root.rule]
    if len({(each.file, each.line) for each in own}) == 1:
        return None
    shared = [{(p.file, p.line) for p in each.related if p.is_at_odds} for each in own]
    return min(set[tuple[str, int]].intersection(*shared), default=None)


def _join_fleet(causes: Sequence[Cause], fabric: Fabric, intents: Intents, words: _Words) -> Iterator[Cause]:
    """Yield causes, those that say the same of several devices of one role as one: they have one template."""
    roles = {device.name: f"{device.kind} {device.os} {intents.of(device.own_name).role}" for device in fabric.devices}
    alike: dict[tuple[str, ...], list[Cause]] = defaultdict(list)
    for cause in causes:
        messages = sorted({f"{each.rule} {words.normalise(each.message)}" for each in cause.findings})
        alike[roles.get(cause.device, cause.device), cause.rule, *messages].append(cause)
    for said, group in alike.items():
        first = min(group, key=lambda cause: natural(cause.device))
        if len(group) == 1:
            yield first
            continue
        name = "\0".join(("fleet", *said))
        findings = tuple(found for cause in group for found in cause.findings)
        templates = {cause.template for cause in group}
        template = first.template if len(templates) == 1 else None
        yield replace(first, id=sha256(name.encode()).hexdigest()[:12], findings=findings, template=template)


def _add_template(cause: Cause, find_capture: Callable[[str, int], Capture | None]) -> Cause:
    """Return *cause* with what the configuration, in which it stands, says that it is generated from."""
    capture = find_capture(cause.file, cause.line or 1) if cause.file else None
    template = find_template(capture.lines) if capture else None
    return replace(cause, template=redact(template)) if template else cause
