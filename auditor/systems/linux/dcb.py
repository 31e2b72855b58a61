"""`dcb pfc|ets|app|buffer|dcbx|apptrust show` of iproute2, text and JSON: the kernel's DCB interface of a port."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

from auditor.model.buffers import PriorityGroup
from auditor.model.dump import Capture, Doubt
from auditor.model.nic import Nic
from auditor.model.port import PortConfig
from auditor.model.qos import Classification, Queue, Trust
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Where
from auditor.systems.linux import jsontext, qos, text
from auditor.systems.linux.command import QOS, Command, read_nothing
from auditor.systems.linux.evidence import Call, Events, PortFact, Rank, Strength
from auditor.systems.linux.facts import make_port
from auditor.systems.linux.fetch import NETDEV, PULL, SCRIPT, Fetch
from auditor.systems.linux.marks import mark_modelled, mark_not_modelled
from auditor.util.regex import regex
from auditor.util.values import dataclass

_CODE_POINTS = {f"CS{n}": 8 * n for n in range(8)} | {
    f"AF{klass}{drop}": 8 * klass + 2 * drop for klass in range(1, 5) for drop in range(1, 4)
}
DSCP_NAMES: Mapping[str, int] = _CODE_POINTS | {"EF": 46, "VA": 44, "LE": 1, "BE": 0, "default": 0}
_PAIR = regex(r"([\w.-]+):(\S+)")
_LISTS = frozenset(
    {"prio-pfc", "prio-tc", "tc-tsa", "tc-bw", "dscp-prio", "default-prio", "prio-buffer", "buffer-size"}
)
_UNITS = {"Kb": 1024, "Mb": 1024**2}
_FLAGS = frozenset({"host", "lld-managed", "cee", "ieee", "static"})
_SCALARS = frozenset({"pfc-cap", "ets-cap", "willing"})
_KEPT = frozenset(name.replace("-", "_") for name in (*_LISTS, *_FLAGS, *_SCALARS, "order"))
DSCP_TRUST = "IEEE Std 802.1Q: a DSCP entry of the application priority table makes the DSCP count"


@dataclass(frozen=True, slots=True)
class _Row:
    """One list of dcb: its entries as pairs of text, and its place."""

    where: Where
    pairs: tuple[tuple[str, str], ...]


def read_dcb(capture: Capture, call: Call) -> Events:
    """Yield the settings of the port in the `dev` argument of `dcb`."""
    rows: dict[str, _Row] = {}
    if jsontext.is_json(capture):
        root = yield from jsontext.open_json(capture, _KEPT)
        if root is None:
            return
        rows = dict(_read_json_rows(root))
    else:
        yield from _read_text(capture, rows)
    words = {name: rows.pop(name) for name in (*_FLAGS, *_SCALARS, "order") if name in rows}
    if words:
        yield PortFact(call.subject, make_port(_build_agent_config(words), capture.where(0)), Strength.NIC)
    if rows:
        yield from _find_doubts(rows)
        where = capture.where(0)
        yield PortFact(call.subject, make_port(_build_config(rows, where), where), Strength.NIC)
        table = _build_dscp_map(rows)
        if table:
            trust = Classification(trust=Known(Trust.DSCP, Origin.LEARNED, table.where, DSCP_TRUST))
            said = make_port(PortConfig(classification=trust), where)
            yield PortFact(call.subject, said, Strength.NIC, Rank.FALLBACK)


def _read_text(capture: Capture, rows: dict[str, _Row]) -> Events:
    name = ""
    for index, line in text.list_lines(capture):
        if text.is_error(line):
            continue
        words = line.split()
        words[0] = words[0].rstrip(":")  # `order:`
        name = name if _PAIR.fullmatch(words[0]) else words[0]
        single = dict(_split_words(words, capture.where(index)))
        if single:
            rows |= single
            yield mark_modelled(index)
            continue
        if name not in _LISTS:
            yield mark_not_modelled(index) if name else text.make_doubt(capture, index, "the list above its entries")
            continue
        entries = words[1:] if words[0] == name else words
        found = tuple(_PAIR.fullmatch(word) for word in entries)
        pairs = tuple((match[1], match[2]) for match in found if match)
        if name == "default-prio":
            pairs = tuple(("default", word) for word in entries)
        elif None in found:
            yield text.make_doubt(capture, index, f"{name} and its entries, a number before each colon")
            continue
        earlier = rows.get(name, _Row(capture.where(index), ()))
        rows[name] = _Row(earlier.where, earlier.pairs + pairs)
        yield mark_modelled(index)


def _split_words(words: list[str], where: Where) -> Iterator[tuple[str, _Row]]:
    """Yield the settings of a line that is a list of flags, of names with their values, or an order of trust."""
    if set(words) <= _FLAGS:
        yield from ((word, _Row(where, ((word, "on"),))) for word in words)
    elif words[0] == "order":
        yield "order", _Row(where, tuple((word, "") for word in words[1:]))
    else:
        named = ((name.replace("_", "-"), value) for name, value in pairwise(words))
        yield from ((name, _Row(where, ((name, value),))) for name, value in named if name in _SCALARS)


def _build_agent_config(rows: Mapping[str, _Row]) -> PortConfig:
    """Return the settings of flags, capabilities and the order of trust."""

    def most(name: str) -> Setting[int]:
        row = rows.get(name)
        number = text.parse_whole(row.pairs[0][1], range(1, 9)) if row else None
        return Known(number, Origin.LEARNED, row.where) if row and number is not None else NOT_COLLECTED

    by_host, by_firmware = rows.get("host"), rows.get("lld-managed")
    mode: Setting[str] = NOT_COLLECTED
    if by_host and not by_firmware:
        mode = Known("host", Origin.LEARNED, by_host.where)
    elif by_firmware and not by_host:
        mode = Known("firmware", Origin.LEARNED, by_firmware.where)
    willing = rows.get("willing")
    is_willing = text.parse_switch(willing.pairs[0][1]) if willing else None
    nic = Nic(
        dcbx_mode=mode,
        dcbx_willing=Known(is_willing, Origin.LEARNED, willing.where)
        if willing and is_willing is not None
        else NOT_COLLECTED,
        max_traffic_classes=most("ets-cap"),
        max_pfc_classes=most("pfc-cap"),
    )
    return PortConfig(classification=Classification(trust=_parse_trust(rows.get("order"))), nic=nic)


def _parse_trust(order: _Row | None) -> Setting[Trust]:
    """Return the trust of the order in `dcb apptrust`."""
    named = {name for name, _ in order.pairs} if order else set()
    trust = Trust.BOTH if {"dscp", "pcp"} <= named else next((Trust(n) for n in ("dscp", "pcp") if n in named), None)
    return Known(trust or Trust.NONE, Origin.INTENDED, order.where) if order else NOT_COLLECTED


def _read_json_rows(root: jsontext.JsonNode) -> Iterator[tuple[str, _Row]]:
    devices = root.items() if isinstance(root.value, list) else iter((root,))
    for device in devices:
        for key, node in device.members():
            name = key.replace("_", "-")
            if name in _LISTS and isinstance(node.value, list):
                yield name, _Row(node.where, tuple(_read_json_pairs(name, node.value)))
            elif name == "order" and isinstance(node.value, list):
                yield name, _Row(node.where, tuple((str(value), "") for value in node.value))
            elif name in _FLAGS | _SCALARS and isinstance(node.value, bool | int):
                shown = {True: "on", False: "off"}[node.value] if isinstance(node.value, bool) else str(node.value)
                if name not in _FLAGS or node.value:
                    yield name, _Row(node.where, ((name, shown),))


def _read_json_pairs(name: str, values: Iterable[object]) -> Iterator[tuple[str, str]]:
    """Yield the entries of a list; those of `app` are lists of a code point and a priority, with strings of filler."""
    for number, value in enumerate(values):
        if name == "default-prio":
            yield "default", str(value)
        elif isinstance(value, list):
            kept = [str(each) for each in value if not (isinstance(each, str) and not each.strip())]
            yield (kept[0], kept[1]) if len(kept) > 1 else ("", "")
        else:
            yield str(number), {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)


def _find_doubts(rows: Mapping[str, _Row]) -> Iterator[Doubt]:
    for name, row in rows.items():
        keys = text.DSCPS if name == "dscp-prio" else text.PRIORITIES
        for key, value in row.pairs:
            if name != "default-prio" and _parse_code_point(key, keys) is None:
                yield Doubt(
                    row.where, f"{name} {key[:20]}:{value[:20]}", f"a number of {keys.start} to {keys.stop - 1}"
                )
            elif not _is_value(name, value):
                yield Doubt(row.where, f"{name} {key[:20]}:{value[:20]}", f"a value as {name} has it")
    for dscp, priorities in _group_by_dscp(rows).items():
        if len(priorities) > 1:
            listed = ",".join(map(str, sorted(priorities)))
            why = "several priorities; the highest is active"
            yield Doubt(rows["dscp-prio"].where, f"DSCP {dscp} -> {listed}", why, understood=True)


def _is_value(name: str, value: str) -> bool:
    if name == "prio-pfc":
        return text.parse_switch(value) is not None
    if name == "tc-tsa":
        return value in {*qos.SCHEDULERS, "cbs", "credit-based"}
    if name == "tc-bw":
        return text.parse_number(value, most=100) is not None
    allowed = range(text.MAX_SIZE) if name == "buffer-size" else text.PRIORITIES
    return text.parse_whole(_parse_size(value), allowed) is not None


def _parse_size(value: str) -> str:
    """Return the number of bytes of a size, which `dcb` rounds where that takes fewer than 16 bytes of KiB away.

    >>> _parse_size("130944b"), _parse_size("128Kb")
    ('130944', '131072')
    """
    number = text.parse_number(value[:-2]) if value[-2:] in _UNITS else None
    return value.removesuffix("b") if number is None else str(int(number * _UNITS[value[-2:]]))


def _parse_code_point(key: str, allowed: range) -> int | None:
    named = DSCP_NAMES.get(key) if allowed == text.DSCPS else None
    return named if named is not None else text.parse_whole(key, allowed)


def _select_entries(rows: Mapping[str, _Row], name: str) -> dict[int, tuple[str, Where]]:
    """Return the sound entries of the list *name* by priority, traffic class or buffer."""
    row = rows.get(name)
    pairs = ((text.parse_whole(k, text.PRIORITIES), v) for k, v in row.pairs if _is_value(name, v)) if row else ()
    return {number: (value, row.where) for number, value in pairs if row and number is not None}


def _build_config(rows: Mapping[str, _Row], where: Where) -> PortConfig:
    enabled = _find_lossless(rows)
    carried = {p: Known(int(tc), Origin.INTENDED, at) for p, (tc, at) in _select_entries(rows, "prio-tc").items()}
    groups = {p: Known(int(b), Origin.INTENDED, at) for p, (b, at) in _select_entries(rows, "prio-buffer").items()}
    priorities = qos.Priorities(queues=carried, groups=groups, lossless=enabled)
    is_shown = bool(carried or groups or isinstance(enabled, Known) or _build_dscp_map(rows))
    return PortConfig(
        pfc=qos.make_pfc(enabled) if isinstance(enabled, Known) else PortConfig().pfc,
        classification=Classification(
            classes=priorities.classes(where) if is_shown else NOT_COLLECTED,
            dscp_to_class=_build_dscp_map(rows) or NOT_COLLECTED,
            default_class=_find_default(rows),
        ),
        queues=_build_queues(rows, carried),
        priority_groups=_build_groups(rows, groups),
        nic=_build_nic(rows),
    )


def _find_lossless(rows: Mapping[str, _Row]) -> Setting[tuple[int, ...]]:
    states = _select_entries(rows, "prio-pfc")
    if set(states) != set(text.PRIORITIES):
        return NOT_COLLECTED
    on = tuple(priority for priority in text.PRIORITIES if states[priority][0] == "on")
    return Known(on, Origin.INTENDED, rows["prio-pfc"].where)


def _build_dscp_map(rows: Mapping[str, _Row]) -> Known[Mapping[int, Known[str]]] | None:
    """Return the map of DSCP to priority; the highest of several priorities of a DSCP is active."""
    row = rows.get("dscp-prio")
    if row is None or not row.pairs:
        return None
    found = _group_by_dscp(rows)
    table = {dscp: Known(str(max(found[dscp])), Origin.INTENDED, row.where) for dscp in sorted(found)}
    return Known(table, Origin.INTENDED, row.where)


def _group_by_dscp(rows: Mapping[str, _Row]) -> dict[int, set[int]]:
    """Return all priorities of each DSCP: an entry of the table is one pair, and adding keeps the others."""
    found: dict[int, set[int]] = {}
    for key, value in rows["dscp-prio"].pairs if "dscp-prio" in rows else ():
        dscp, priority = _parse_code_point(key, text.DSCPS), text.parse_whole(value, text.PRIORITIES)
        if dscp is not None and priority is not None:
            found.setdefault(dscp, set()).add(priority)
    return found


def _find_default(rows: Mapping[str, _Row]) -> Setting[str]:
    row = rows.get("default-prio")
    found = [p for _, value in row.pairs if (p := text.parse_whole(value, text.PRIORITIES)) is not None] if row else []
    return Known(str(max(found)), Origin.INTENDED, row.where) if row and found else NOT_COLLECTED


def _build_queues(rows: Mapping[str, _Row], carried: Mapping[int, Known[int]]) -> Setting[tuple[Queue, ...]]:
    algorithms, shares = _select_entries(rows, "tc-tsa"), _select_entries(rows, "tc-bw")
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


def _build_groups(rows: Mapping[str, _Row], groups: Mapping[int, Known[int]]) -> Setting[tuple[PriorityGroup, ...]]:
    sizes = _select_entries(rows, "buffer-size")
    used = {number for number, (size, _) in sizes.items() if int(_parse_size(size))}
    numbers = sorted(used | {known.value for known in groups.values()})
    found = tuple(
        PriorityGroup(
            pg=number,
            priorities=Known(tuple(p for p, g in groups.items() if g.value == number), Origin.INTENDED, groups[0].where)
            if set(groups) == set(text.PRIORITIES)
            else NOT_COLLECTED,
            size_bytes=Known(int(_parse_size(sizes[number][0])), Origin.INTENDED, sizes[number][1])
            if number in sizes
            else NOT_COLLECTED,
        )
        for number in numbers
    )
    return Known(found, Origin.INTENDED, next(iter(rows.values())).where) if found else NOT_COLLECTED


def _build_nic(rows: Mapping[str, _Row]) -> Nic:
    sizes = _select_entries(rows, "buffer-size")
    if set(sizes) != set(text.PRIORITIES):
        return Nic()
    in_order = tuple(int(_parse_size(sizes[number][0])) for number in text.PRIORITIES)
    return Nic(receive_buffers_bytes=Known(in_order, Origin.INTENDED, sizes[0][1]))


COMMANDS = (
    Command(
        "dcb[ OBJECT show dev {netdev}]",
        r"dcb(?: -[A-Za-z]+)* (?:pfc|ets|app|buffer|dcbx|apptrust) show(?: dev)? {netdev}(?: [a-z-]+)*",
        read_dcb,
        QOS,
        r"^(?:prio-pfc|prio-tc|tc-tsa|dscp-prio|prio-buffer) [0-9A-Z]+:"
        r"|\"(?:prio_pfc|tc_tsa|dscp_prio|prio_buffer)\"\s*:"
        r"|\A(?:(?:host|lld-managed|cee|ieee|static) ?){2,}$",
        "PFC, traffic classes, DSCP map, buffers, DCBX mode, trust",
        fetch=(
            Fetch(("dcb -j -N pfc show dev {netdev}", "dcb pfc show dev {netdev}"), "PFC", NETDEV, by=SCRIPT),
            Fetch(("dcb -j -N ets show dev {netdev}", "dcb ets show dev {netdev}"), "ETS", NETDEV, by=SCRIPT),
            Fetch(("dcb -j -N app show dev {netdev}", "dcb app show dev {netdev}"), "DSCP map", NETDEV),
            Fetch(
                ("dcb -j -N buffer show dev {netdev}", "dcb buffer show dev {netdev}"),
                "receive buffers",
                NETDEV,
                by=SCRIPT,
            ),
            Fetch(("dcb -j -N dcbx show dev {netdev}", "dcb dcbx show dev {netdev}"), "DCBX agent", NETDEV, by=SCRIPT),
            Fetch(("dcb -j -N apptrust show dev {netdev}",), "trust", NETDEV, by=SCRIPT),
            Fetch(("dcb -j pfc show dev {netdev}",), "PFC", by=PULL),
            Fetch(("dcb -j ets show dev {netdev}",), "traffic classes", by=PULL),
            Fetch(("dcb -j buffer show dev {netdev}",), "receive buffers", by=PULL),
        ),
    ),
    Command(
        "dcb",
        r"dcb(?: -[A-Za-z]+)* [a-z]+(?: show(?: dev)? {netdev})?(?: [a-z-]+)*",
        read_nothing,
        fetch=(Fetch(("dcb -j -N rewr show dev {netdev}",), "marks on what is sent", NETDEV, by=SCRIPT),),
    ),
)
