"""The report as Markdown for a comment on a pull request: the sum, the costliest three, and the rest to unfold.

Names come from dumps, and dumps from anybody: no text of theirs is taken for markup, a link, or a mention.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from auditor.engine.result import Count, Report, Reported, Warned, by_level
from auditor.model.finding import FindingKind
from auditor.report import counters
from auditor.report.impact import brief, costliest_first
from auditor.report.shown import Shown, counts, plain, state, where

MAX_BYTES = 65_535
"""GitHub takes comments of fewer than 65,536 characters."""
COSTLIEST = 3
MAX_EDITS, MAX_EDIT = 20, 200
"""So many changes to intent and ignores are told, and so many characters of each."""
_TAIL_BYTES = 256
_MARKUP = re.compile(r"[^\w\s,.;/%=?()+\N{LEFT RIGHT ARROW}-]|_|(?<=www)\.", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Section:
    """A part of the comment; an item is rendered when the comment has room for it."""

    head: str
    items: Iterable[str] = ()
    count: int = 0
    foot: str = ""

    @property
    def reserve(self) -> int:
        """The bytes that the section takes without its items."""
        return _bytes(self.head) + _bytes(self.foot) + _TAIL_BYTES


def render(report: Report, shown: Shown) -> str:
    """Return *report* as Markdown text of at most `MAX_BYTES` bytes; what does not fit is counted."""
    out: list[str] = []
    size = 0
    sections = list(_sections(report, shown))
    for number, section in enumerate(sections):
        reserve = _TAIL_BYTES + sum(later.reserve for later in sections[number + 1 :])
        out.append(section.head)
        size += _bytes(section.head) + _bytes(section.foot)
        for count, item in enumerate(section.items):
            if size + _bytes(item) + reserve > MAX_BYTES:
                more = f"- … and {section.count - count} more, cut to fit: see the whole report\n"
                out.append(more)
                size += _bytes(more)
                break
            out.append(item)
            size += _bytes(item)
        out.append(section.foot)
    return "".join(out)


def _bytes(text: str) -> int:
    return len(text.encode())


def _sections(report: Report, shown: Shown) -> Iterator[_Section]:
    """Yield the parts of the comment."""
    yield _Section(_head(report))
    costly: dict[tuple[str, str, str], list[Reported]] = {}
    for found in costliest_first(report.telling):
        costly.setdefault((found.rule, found.device, found.message), []).append(found)
    if costly:
        worst = list(costly.values())[:COSTLIEST]
        yield _Section("\n### The costliest\n\n", map(_costly, worst), len(worst))
    by_device: dict[str, list[Reported]] = {}
    for found in report.telling:
        by_device.setdefault(found.device, []).append(found)
    new = "new " if report.compared else ""
    if by_device:
        devices = chain.from_iterable(_device(device, found, shown) for device, found in by_device.items())
        yield _folded(f"All {len(report.telling)} {new}findings", devices, len(by_device) + len(report.telling))
    for title, others in _others(report, shown):
        if others:
            yield _folded(f"{len(others)} {title}", (_line(found, shown) for found in others), len(others))
    if report.problems:
        warned = (_warned(each, shown) for each in report.problems)
        yield _folded(f"{len(report.problems)} not audited", warned, len(report.problems))
    if report.rules:
        folded = _folded("On how many objects each rule was checked", map(_counted, report.rules), len(report.rules))
        yield replace(folded, head=f"{folded.head}| rule | checked | failed | open |\n|---|--:|--:|--:|\n")


def _others(report: Report, shown: Shown) -> Iterator[tuple[str, Sequence[Reported]]]:
    if report.compared:
        yield "fixed", report.compared.fixed
        yield "no longer judged", report.compared.lost
    for kind in (FindingKind.OPEN, FindingKind.IGNORED):
        if kind in shown.listed:
            yield kind.value, report.of_kind(kind)


def _folded(title: str, items: Iterable[str], count: int) -> _Section:
    return _Section(f"\n<details>\n<summary>{title}</summary>\n\n", items, count, "\n</details>\n")


def _head(report: Report) -> str:
    lines = [f"## roce-audit: {counts(report)}", ""]
    if report.compared:
        unchanged = len(report.of_kind(FindingKind.FAIL)) - len(report.telling)
        base = _code(report.compared.base)
        lines += [f"Compared with {base}: {len(report.compared.fixed)} fixed, {unchanged} unchanged.", ""]
        edits = report.compared.edits
        lines += [f"- :warning: {_text(edit.message[:MAX_EDIT])}" for edit in edits[:MAX_EDITS]]
        if len(edits) > MAX_EDITS:
            lines.append(f"- :warning: and {len(edits) - MAX_EDITS} more changes to intent and ignores")
    levels = " | ".join(str(count) for count in by_level(report.telling).values())
    lines += ["", "| errors | warnings | notes | open | devices | ports | links |", "|--:|--:|--:|--:|--:|--:|--:|"]
    lines.append(
        f"| {levels} | {len(report.of_kind(FindingKind.OPEN))} | {report.devices} | {report.ports} | {report.links} |"
    )
    if not report.intent["declared"]:
        lines += ["", "The intent is inferred: consistency and arithmetic only."]
    return "\n".join(lines) + "\n"


def _costly(alike: Sequence[Reported]) -> str:
    found, more = alike[0], len(alike) - 1
    ports = f" (and {more} more {'port' if more == 1 else 'ports'})" if more else ""
    cost = f"{state(found)}{_text(brief(found) or '')}"
    return f"- **{cost}**{ports}: {found.rule} {found.name}: {_code(where(found))}: {_text(found.message)}\n"


def _device(device: str, findings: Sequence[Reported], shown: Shown) -> Iterable[str]:
    yield f"\n**{_code(device)}**\n\n"
    yield from (_line(found, shown) for found in findings)


def _line(found: Reported, shown: Shown) -> str:
    place = f" ({_code(f'{shown.path(found.file)}:{found.line}')})" if found.file and found.line else ""
    cost = f"; {_text(brief(found) or '')}" if brief(found) else ""
    seen = f"; {_text(counters.brief(found) or '')}" if found.counters else ""
    ignored = f"; ignored: {_text(found.ignored)}" if found.ignored else ""
    head = f"- {found.level.value} {found.rule} {found.name}: {_code(where(found))}: {_text(found.message)}"
    return f"{head}{cost}{seen}{ignored}{place}\n"


def _counted(count: Count) -> str:
    return f"| {count.rule} | {count.checked} | {count.failed} | {count.open} |\n"


def _warned(warned: Warned, shown: Shown) -> str:
    place = f"{_code(shown.path(warned.file))}: " if warned.file else ""
    return f"- {place}{_text(warned.message)}\n"


def _text(text: str) -> str:
    """Return *text* so that Markdown shows it as it is, and nobody is mentioned by it.

    >>> _text("<b> `x` @all #1")
    '&#60;b&#62; &#96;x&#96; &#64;\u200ball &#35;\u200b1'
    """
    return _MARKUP.sub(lambda m: _entity(m.group()), plain(text))


def _entity(character: str) -> str:
    # GitHub looks for mentions and numbers of issues in what is left when entities are resolved.
    return f"&#{ord(character)};" + ("\N{ZERO WIDTH SPACE}" if character in "@#" else "")


def _code(text: str) -> str:
    return f"<code>{_text(text)}</code>"
