"""Causes for people: the costliest first with what to type, then all of them with their places."""

from collections.abc import Iterator, Sequence
from textwrap import wrap

from rich.text import Text

from auditor.checks.catalogue import ANY
from auditor.diagnosis.remedies import Remedy
from auditor.engine.findings import Cause
from auditor.model.finding import Level, LossKind
from auditor.report import counters
from auditor.report.edits import list_differences
from auditor.report.findings import STYLES, link_rule_page
from auditor.report.impact import summarise_briefly
from auditor.report.physical import summarise_physical
from auditor.report.quote import Source, join_port_names
from auditor.util.printable import printable
from auditor.util.redact import redact

FIRST = 5
"""Causes on the first screen."""
MOST_LINES = 8
"""Lines of a message or a remedy where there is room for all of it."""
MOST_NAMES = 3
"""Devices that are named one by one."""
_LEAST_TEXT = 24


def list_first(causes: Sequence[Cause], width: int, source: Source | None) -> Iterator[Text]:
    """Yield the lines of the causes to fix first: what is wrong where, what proves and costs it, what to type.

    With *source* the line that proves it is quoted, and nothing is cut.
    """
    most = MOST_LINES if source else 1
    for cause in causes[:FIRST]:
        yield from _list_head(cause, width, most=max(2, most))
        if source:
            yield from _list_place(cause, width, source)
        evidence = [counters.summarise_group(cause.findings), describe_cost(cause)]
        for said in [each for each in evidence if each][: 2 if source else 1]:
            yield from _wrap(said, width, first="  ", most=most)
        if physical := summarise_physical(cause.findings):
            yield from _wrap(physical, width, first="  ", most=most)
        if cause.remedy and cause.remedy.lines:
            yield from _list_remedy(cause.remedy, width, most)
            if others := _count_others(cause, cause.remedy):
                ports = "port" if others == 1 else "ports"
                yield _cut(f"  likewise at {others} other {ports}: roce-audit fix types all of them", width)
        if source:
            yield from _list_edits(cause, source)
        yield from (Text.assemble("  ", link) for link in link_rule_page(cause.rule))


def _count_others(cause: Cause, remedy: Remedy) -> int:
    """Return at how many ports of a cause lines are to be typed like those of *remedy*, which name other ports."""
    ports = {(found.device, found.port) for found in cause.findings if found.port}
    words = set(remedy.text.split())
    named = [port for _, port in ports if port in words]
    return len(ports) - len(named) if named and remedy.os != ANY else 0


def describe_cost(cause: Cause) -> str:
    """Return what a cause touches and costs; empty where neither is known.

    Packets that are dropped for their size have no share of goodput: the queue pair that sends them fails, and
    with it its job.
    """
    reach = describe_reach(cause)
    is_hole = any(found.loss is LossKind.BLACK_HOLE and found.level is Level.ERROR for found in cause.findings)
    cost = summarise_briefly(cause.findings)
    if is_hole:
        is_part = cause.share and cause.share.ports < cause.share.uplinks
        cost = "fails the queue pairs that hash there" if is_part else "fails each queue pair that sends full packets"
    return ": ".join(filter(None, (reach, cost)))


def describe_reach(cause: Cause) -> str:
    """Return the uplinks that a cause is about, and the hosts and jobs whose flows meet its place, in few words."""
    share, words = cause.share, []
    if share and share.ports < share.uplinks:
        of = "" if share.device in cause.devices else f" of {share.device}"
        words.append(f"{share.ports} of {share.uplinks} uplinks{of}")
    for names, what in ((cause.hosts, "host"), (cause.jobs, "job")):
        if names and names != cause.devices:
            words.append(f"{len(names)} {what if len(names) == 1 else f'{what}s'}")
    return ", ".join(words)


def _list_remedy(remedy: Remedy, width: int, most: int) -> Iterator[Text]:
    """Yield what to type: in one line, or line by line where there is room for more; prose is wrapped."""
    if remedy.os == ANY:
        yield from _wrap(format_remedy(remedy), width, first="  ", most=most)
    elif most == 1:
        yield _cut(f"  {format_remedy(remedy)}", width)
    else:
        lines = [redact(line) for line in remedy.lines]
        yield Text("  type:")
        yield from (Text(printable(f"    {line}")) for line in lines[:most])
        if len(lines) > most:
            yield Text(f"    ... {len(lines) - most} more lines")


def _list_edits(cause: Cause, source: Source) -> Iterator[Text]:
    """Yield the edits of files that cure a cause."""
    for each in cause.fix:
        yield Text(printable(f"  edit {each.file} (audited again):"))
        yield from (Text(f"    {line}") for line in list_differences(each, source))


def format_remedy(remedy: Remedy) -> str:
    r"""Return the lines to type, or what to do on any system, in one line without secrets.

    >>> format_remedy(Remedy("cisco_nxos", "interface Ethernet1/1\n  mtu 9216"))
    'type: interface Ethernet1/1 / mtu 9216'
    >>> format_remedy(Remedy("any", "set the password\nsnmp-server community s3cr3t ro"))
    'fix: set the password snmp-server community <redacted> ro'
    """
    lines = [redact(line).strip() for line in remedy.lines]
    return f"fix: {' '.join(lines)}" if remedy.os == ANY else f"type: {' / '.join(lines)}"


def list_causes(causes: Sequence[Cause], width: int, source: Source, group_by: str = "device") -> Iterator[Text]:
    """Yield lines for each cause, a device or a rule after the other: what is wrong, and the line that proves it."""
    for cause in _order(causes, group_by):
        yield from _list_head(cause, width, most=2)
        yield from _list_place(cause, width, source)


def list_briefly(causes: Sequence[Cause], width: int, group_by: str) -> Iterator[Text]:
    """Yield one line for each cause."""
    for cause in _order(causes, group_by):
        yield from _list_head(cause, width, most=1)


def _order(causes: Sequence[Cause], group_by: str) -> Sequence[Cause]:
    """Return *causes* in the order of the first of each group; `cause` leaves them as they are."""
    if group_by == "cause":
        return causes
    names = [cause.rule if group_by == "rule" else cause.device for cause in causes]
    first = {name: number for number, name in enumerate(dict.fromkeys(names))}
    ranks = [first[name] for name in names]
    return [
        cause for _, _, cause in sorted(zip(ranks, range(len(causes)), causes, strict=True), key=lambda row: row[:2])
    ]


def _list_head(cause: Cause, width: int, *, most: int) -> Iterator[Text]:
    tag = f"{cause.level.value}[{cause.rule}]"
    notes = " (it has spread)" if cause.has_spread else ""
    if any(found.by_inference for found in cause.findings):
        notes += "; rests on the inferred intent"
    told = describe_origin(cause)
    origin = f" ({told})" if told else ""
    lines = list(_wrap(f"{tag} {describe_place(cause)}{origin}: {cause.message}{notes}", width, most=most))
    lines[0].stylize(STYLES[cause.level], 0, len(tag))
    yield from lines


def _list_place(cause: Cause, width: int, source: Source) -> Iterator[Text]:
    if cause.file is None or cause.line is None:
        return
    place = f"  --> {cause.file}:{cause.line}"
    text = None if cause.root.is_of_base else source(cause.file, cause.line)
    quoted = " ".join(redact(text).split()) if text else ""
    has_room = quoted and width - len(place) >= _LEAST_TEXT
    yield _cut(f"{place}: {quoted}", width) if has_room else Text(printable(place))


def describe_place(cause: Cause) -> str:
    """Return the devices and the ports of a cause, folded."""
    if len(cause.devices) > 1:
        names = join_port_names(cause.devices)
        many = f"{len(cause.devices)} devices ({cause.devices[0]} and others)"
        return names if len(cause.devices) <= MOST_NAMES or len(names) <= len(many) else many
    return f"{cause.device} {fold_ports([port for _, port in cause.ports])}".rstrip()


def describe_origin(cause: Cause) -> str:
    """Return what the configurations of a cause are generated from, and who is in charge; empty where nothing tells."""
    words = [f"generated from {cause.template}"] if cause.template else []
    words += [f"owner {' and '.join(cause.owners)}"] if cause.owners else []
    return "; ".join(words)


def fold_ports(ports: Sequence[str]) -> str:
    """Return port names in short: neighbours in one range, and of many only the first and the last.

    >>> fold_ports(["Ethernet1/1", "Ethernet1/2"]), fold_ports([f"Ethernet{4 * n}" for n in range(16)])
    ('Ethernet1/1-2', '16 ports (Ethernet0 to Ethernet60)')
    """
    names = join_port_names(ports)
    many = f"{len(ports)} ports ({ports[0]} to {ports[-1]})" if ports else ""
    return names if len(names) <= len(many) else many


def _wrap(text: str, width: int, *, first: str = "", most: int) -> Iterator[Text]:
    """Yield *text* in lines of *width*, at most so many: the last one is cut. The first begins with *first*."""
    rest = f"{first}  "
    lines = wrap(printable(text), width, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False) or [""]
    for line in lines[: most - 1]:
        yield Text(line)
    if len(lines) >= most:
        left = " ".join(line.strip() for line in lines[most - 1 :])
        yield _cut(f"{rest if most > 1 else first}{left}", width)


def _cut(text: str, width: int) -> Text:
    shown = printable(text)
    return Text(shown if len(shown) <= width else f"{shown[: width - 3]}...")
