"""`dcb pfc|ets|app|buffer show` of iproute2, text and JSON: what the kernel's DCB interface says of a port."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from auditor.model.buffers import PriorityGroup
from auditor.model.dump import Capture, Doubt
from auditor.model.nic import Nic
from auditor.model.port import PortConfig
from auditor.model.qos import Classification, Queue, Trust
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Where
from auditor.parsers.host import jsontext, qos, text
from auditor.parsers.host.evidence import Call, Events, Rank, Statement, Strength, modelled, not_modelled, port

_CODE_POINTS = {f"CS{n}": 8 * n for n in range(8)} | {
    f"AF{klass}{drop}": 8 * klass + 2 * drop for klass in range(1, 5) for drop in range(1, 4)
}
DSCP_NAMES: Mapping[str, int] = _CODE_POINTS | {"EF": 46, "VA": 44, "LE": 1, "BE": 0, "default": 0}
_PAIR = re.compile(r"([\w.-]+):(\S+)")
_LISTS = frozenset(
    {"prio-pfc", "prio-tc", "tc-tsa", "tc-bw", "dscp-prio", "default-prio", "prio-buffer", "buffer-size"}
)
_KEPT = frozenset(name.replace("-", "_") for name in _LISTS)
DSCP_TRUST = "IEEE Std 802.1Q: a DSCP entry of the application priority table makes the DSCP count"


@dataclass(frozen=True, slots=True)
class _Row:
    """One list of dcb: its entries as pairs of text, and its place."""

    where: Where
    pairs: tuple[tuple[str, str], ...]


def read(capture: Capture, call: Call) -> Events:
    """Yield what `dcb` says of the port of its `dev` argument."""
    rows: dict[str, _Row] = {}
    if jsontext.is_json(capture):
        root = jsontext.load(capture)
        if isinstance(root, Doubt):
            yield root
            return
        yield from jsontext.mark_lines(root, _KEPT)
        rows = dict(_json_rows(root))
    else:
        yield from _read_text(capture, rows)
    if rows:
        yield from _doubts(rows)
        where = capture.where(0)
        yield Statement(call.subject, port(_config(rows, where), where), Strength.NIC)
        table = _dscps(rows)
        if table:
            trust = Classification(trust=Known(Trust.DSCP, Origin.LEARNED, table.where, DSCP_TRUST))
            said = port(PortConfig(classification=trust), where)
            yield Statement(call.subject, said, Strength.NIC, Rank.FALLBACK)


def _read_text(capture: Capture, rows: dict[str, _Row]) -> Events:
    name = ""
    for index, line in text.lines(capture):
        if text.is_error(line):
            continue
        words = line.split()
        name = name if _PAIR.fullmatch(words[0]) else words[0]
        if name not in _LISTS:
            yield not_modelled(index)
            continue
        entries = words[1:] if words[0] == name else words
        found = tuple(_PAIR.fullmatch(word) for word in entries)
        pairs = tuple((match[1], match[2]) for match in found if match)
        if name == "default-prio":
            pairs = tuple(("default", word) for word in entries)
        elif None in found:
            yield text.doubt(capture, index, f"{name} and its entries, a number before each colon")
            continue
        earlier = rows.get(name, _Row(capture.where(index), ()))
        rows[name] = _Row(earlier.where, earlier.pairs + pairs)
        yield modelled(index)


def _json_rows(root: jsontext.Node) -> Iterator[tuple[str, _Row]]:
    devices = root.items() if isinstance(root.value, list) else iter((root,))
    for device in devices:
        for key, node in device.members():
            name = key.replace("_", "-")
            if name in _LISTS and isinstance(node.value, list):
                yield name, _Row(node.where, tuple(_json_pairs(name, node.value)))


def _json_pairs(name: str, values: Iterable[object]) -> Iterator[tuple[str, str]]:
    """Yield the entries of a list; those of `app` are lists of a code point and a priority, with strings of filler."""
    for number, value in enumerate(values):
        if name == "default-prio":
            yield "default", str(value)
        elif isinstance(value, list):
            kept = [str(each) for each in value if not (isinstance(each, str) and not each.strip())]
            yield (kept[0], kept[1]) if len(kept) > 1 else ("", "")
        else:
            yield str(number), {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)


def _doubts(rows: Mapping[str, _Row]) -> Iterator[Doubt]:
    for name, row in rows.items():
        keys = text.DSCPS if name == "dscp-prio" else text.PRIORITIES
        for key, value in row.pairs:
            if name != "default-prio" and _code_point(key, keys) is None:
                yield Doubt(
                    row.where, f"{name} {key[:20]}:{value[:20]}", f"a number of {keys.start} to {keys.stop - 1}"
                )
            elif not _is_value(name, value):
                yield Doubt(row.where, f"{name} {key[:20]}:{value[:20]}", f"a value as {name} has it")


def _is_value(name: str, value: str) -> bool:
    if name == "prio-pfc":
        return text.on_off(value) is not None
    if name == "tc-tsa":
        return value in {*qos.SCHEDULERS, "cbs", "credit-based"}
    if name == "tc-bw":
        return text.number(value, most=100) is not None
    allowed = range(text.MAX_SIZE) if name == "buffer-size" else text.PRIORITIES
    return text.whole(_bytes(value), allowed) is not None


def _bytes(value: str) -> str:
    return value.removesuffix("b")


def _code_point(key: str, allowed: range) -> int | None:
    named = DSCP_NAMES.get(key) if allowed == text.DSCPS else None
    return named if named is not None else text.whole(key, allowed)


def _numbers(rows: Mapping[str, _Row], name: str) -> dict[int, tuple[str, Where]]:
    """Return the sound entries of the list *name* by priority, traffic class or buffer."""
    row = rows.get(name)
    pairs = ((text.whole(k, text.PRIORITIES), v) for k, v in row.pairs if _is_value(name, v)) if row else ()
    return {number: (value, row.where) for number, value in pairs if row and number is not None}


def _config(rows: Mapping[str, _Row], where: Where) -> PortConfig:
    enabled = _enabled(rows)
    carried = {p: Known(int(tc), Origin.INTENDED, at) for p, (tc, at) in _numbers(rows, "prio-tc").items()}
    groups = {p: Known(int(b), Origin.INTENDED, at) for p, (b, at) in _numbers(rows, "prio-buffer").items()}
    priorities = qos.Priorities(queues=carried, groups=groups, lossless=enabled)
    is_shown = bool(carried or groups or isinstance(enabled, Known) or _dscps(rows))
    return PortConfig(
        pfc=qos.pfc(enabled) if isinstance(enabled, Known) else PortConfig().pfc,
        classification=Classification(
            classes=priorities.classes(where) if is_shown else NOT_COLLECTED,
            dscp_to_class=_dscps(rows) or NOT_COLLECTED,
            default_class=_default(rows),
        ),
        queues=_queues(rows, carried),
        priority_groups=_priority_groups(rows, groups),
        nic=_nic(rows),
    )


def _enabled(rows: Mapping[str, _Row]) -> Setting[tuple[int, ...]]:
    states = _numbers(rows, "prio-pfc")
    if set(states) != set(text.PRIORITIES):
        return NOT_COLLECTED
    on = tuple(priority for priority in text.PRIORITIES if states[priority][0] == "on")
    return Known(on, Origin.INTENDED, rows["prio-pfc"].where)


def _dscps(rows: Mapping[str, _Row]) -> Known[Mapping[int, Known[str]]] | None:
    """Return the map of DSCP to priority; of several entries for one DSCP the highest priority is in force."""
    row = rows.get("dscp-prio")
    if row is None or not row.pairs:
        return None
    found: dict[int, int] = {}
    for key, value in row.pairs:
        dscp, priority = _code_point(key, text.DSCPS), text.whole(value, text.PRIORITIES)
        if dscp is not None and priority is not None:
            found[dscp] = max(priority, found.get(dscp, 0))
    table = {dscp: Known(str(found[dscp]), Origin.INTENDED, row.where) for dscp in sorted(found)}
    return Known(table, Origin.INTENDED, row.where)


def _default(rows: Mapping[str, _Row]) -> Setting[str]:
    row = rows.get("default-prio")
    found = [p for _, value in row.pairs if (p := text.whole(value, text.PRIORITIES)) is not None] if row else []
    return Known(str(max(found)), Origin.INTENDED, row.where) if row and found else NOT_COLLECTED


def _queues(rows: Mapping[str, _Row], carried: Mapping[int, Known[int]]) -> Setting[tuple[Queue, ...]]:
    algorithms, shares = _numbers(rows, "tc-tsa"), _numbers(rows, "tc-bw")
    numbers = sorted(set(algorithms) | {known.value for known in carried.values()})
    queues = []
    for number in numbers:
        algorithm, where = algorithms.get(number, ("", next(iter(rows.values())).where))
        share = shares.get(number)
        each = qos.EtsClass(
            number,
            algorithm,
            Known(algorithm, Origin.INTENDED, where),
            Known(float(share[0]), Origin.INTENDED, share[1]) if share else None,
        )
        own = tuple(priority for priority, known in carried.items() if known.value == number)
        queues.append(each.queue(Known(own, Origin.INTENDED, where) if carried else NOT_COLLECTED))
    return Known(tuple(queues), Origin.INTENDED, next(iter(rows.values())).where) if queues else NOT_COLLECTED


def _priority_groups(rows: Mapping[str, _Row], groups: Mapping[int, Known[int]]) -> Setting[tuple[PriorityGroup, ...]]:
    sizes = _numbers(rows, "buffer-size")
    used = {number for number, (size, _) in sizes.items() if int(_bytes(size))}
    numbers = sorted(used | {known.value for known in groups.values()})
    found = tuple(
        PriorityGroup(
            pg=number,
            priorities=Known(tuple(p for p, g in groups.items() if g.value == number), Origin.INTENDED, groups[0].where)
            if set(groups) == set(text.PRIORITIES)
            else NOT_COLLECTED,
            size_bytes=Known(int(_bytes(sizes[number][0])), Origin.INTENDED, sizes[number][1])
            if number in sizes
            else NOT_COLLECTED,
        )
        for number in numbers
    )
    return Known(found, Origin.INTENDED, next(iter(rows.values())).where) if found else NOT_COLLECTED


def _nic(rows: Mapping[str, _Row]) -> Nic:
    sizes = _numbers(rows, "buffer-size")
    if set(sizes) != set(text.PRIORITIES):
        return Nic()
    in_order = tuple(int(_bytes(sizes[number][0])) for number in text.PRIORITIES)
    return Nic(receive_buffers_bytes=Known(in_order, Origin.INTENDED, sizes[0][1]))
