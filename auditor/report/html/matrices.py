"""Two matrices that show who departs: hosts by NIC with what is wrong there, and switches by setting."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from auditor.engine.fabric_map import MapDevice, MapPort, list_settings
from auditor.report.html.index import SIGNS, Index, Mark, mark
from auditor.report.html.values import UNKNOWN, format_setting
from auditor.util.natsort import natural
from auditor.util.values import dataclass

LEAST_FOLDED = 40
"""Rows of a matrix that are shown one by one; of more, those with equal cells are one row for each pod or tier."""
HOST_ITSELF = "host itself"


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: its state for the colour, its text, what it says in words, and the port that it is about."""

    state: str
    text: str
    title: str
    port: str = ""


NOTHING = Cell("none", "", "no such NIC")


@dataclass(frozen=True, slots=True)
class Row:
    """A row: its name, the number of its device or of the first of several, and its cells."""

    name: str
    number: int
    cells: Sequence[Cell]


@dataclass(frozen=True, slots=True)
class Matrix:
    """A table of cells below the titles of its columns."""

    columns: Sequence[str]
    rows: Sequence[Row]


def build_host_matrix(index: Index) -> Matrix:
    """Return hosts by the names of their cabled NICs, with the failures at both ends of each cable."""
    hosts = sorted(
        (each for each in index.map.devices if each.kind == "host" and any(port.rail for port in each.ports)),
        key=lambda each: natural(each.name),
    )
    name_nic = _choose_names(hosts)
    columns = sorted({name_nic(port) for host in hosts for port in host.ports if port.rail}, key=natural)
    rows = [_build_host(host, columns, name_nic, index) for host in hosts]
    pods = {host.name: f"pod {host.pod}" if host.pod else "no pod" for host in hosts}
    return Matrix((HOST_ITSELF, *columns), _fold(rows, pods))


def _choose_names(hosts: Iterable[MapDevice]) -> Callable[[MapPort], str]:
    """Return what names a NIC: its RDMA device or its interface, whichever gives fewer columns."""
    ports = [port for host in hosts for port in host.ports if port.rail]
    by_port = len({port.name for port in ports}) < len({port.rail for port in ports})
    return (lambda port: port.name) if by_port else (lambda port: port.rail)


def _build_host(host: MapDevice, columns: Sequence[str], name_nic: Callable[[MapPort], str], index: Index) -> Row:
    nics = {name_nic(port): port for port in host.ports if port.rail}
    known = {port.name for port in nics.values()}
    own = [each for each in index.by_device.get(host.name, ()) if each.port not in known]
    cells = [_mark_cell(mark(own), host.name)]
    for column in columns:
        nic = nics.get(column)
        if nic is None:
            cells.append(NOTHING)
            continue
        found = index.mark_ports([(host.name, nic.name), (nic.peer, nic.peer_port)])
        cells.append(_mark_cell(found, f"{host.name} {nic.name} to {nic.peer} {nic.peer_port}", nic.name))
    return Row(host.name, index.numbers[host.name], cells)


def _mark_cell(found: Mark, where: str, port: str = "") -> Cell:
    count = f" {found.count}" if found.count > 1 else ""
    return Cell(found.level or "same", f"{found.sign}{count}", f"{found}: {where}", port)


def _fold(rows: Sequence[Row], groups: Mapping[str, str]) -> list[Row]:
    """Return the rows; where they are many, those of one group with equal cells as one, at the place of the first."""
    if len(rows) <= LEAST_FOLDED:
        return list(rows)
    alike: dict[object, list[Row]] = defaultdict(list)
    for row in rows:
        alike[groups[row.name], tuple((cell.state, cell.text) for cell in row.cells)].append(row)
    return [_join_rows(own, groups[own[0].name]) for own in alike.values()]


def _join_rows(rows: Sequence[Row], group: str) -> Row:
    first = rows[0]
    return first if len(rows) == 1 else replace(first, name=f"{first.name} and {len(rows) - 1} alike, {group}")


SETTINGS: Sequence[tuple[str, str, str, str]] = (
    ("MTU", "in", "MTU", "mtu"),
    ("trust", "in", "trust", "classification"),
    ("RDMA class", "class", "class", "classification"),
    ("queue", "class", "queue", "scheduling"),
    ("PFC", "wire", "PFC", "pfc"),
    ("no-drop", "wire", "no-drop priorities", "pfc"),
    ("watchdog", "wire", "watchdog", "watchdog"),
    ("headroom", "priority group", "headroom", "buffers"),
    ("pauses at", "priority group", "pauses at", "buffers"),
    ("Kmin", "queue", "Kmin", "ecn"),
    ("Kmax", "queue", "Kmax", "ecn"),
    ("Pmax", "queue", "Pmax", "ecn"),
    ("bandwidth", "queue", "bandwidth", "scheduling"),
)
"""The columns of switches: title, stage and label of the setting, and the pack of rules that judges it."""
_OTHERS = "other rules"


def build_switch_matrix(index: Index) -> Matrix:
    """Return switches by setting: at how many cabled ports it differs from most like ports, and what is wrong."""
    switches = sorted(
        (each for each in index.map.devices if each.kind == "switch"),
        key=lambda each: (each.tier is None, -(each.tier or 0), natural(each.name)),
    )
    values = {each.name: _read_settings(each, index) for each in switches}
    usual = _find_usual(switches, values)
    rows = [_build_switch(each, values[each.name], usual, index) for each in switches]
    tiers = {each.name: "no tier" if each.tier is None else f"tier {each.tier}" for each in switches}
    return Matrix((*(title for title, *_ in SETTINGS), _OTHERS), _fold(rows, tiers))


Values = Mapping[str, Sequence[tuple[str, str]]]
"""By column: the value at each cabled port, behind what it is compared with."""


def _read_settings(device: MapDevice, index: Index) -> Values:
    """Return the settings of the cabled ports of a switch, each with the kind of port: its tier and its peer's."""
    by_shape = [_read_shape(device, number, index) for number in range(len(device.shapes))]
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for port in device.ports:
        far = index.devices.get(port.peer)
        if far is None:
            continue
        kind = f"{device.tier}/{far.kind}/{far.tier}"
        for title, value in by_shape[port.shape].items():
            found[title].append((kind, value))
    return found


def _read_shape(device: MapDevice, number: int, index: Index) -> Mapping[str, str]:
    found: dict[str, str] = {}
    stages = [(stage, settings) for stage, settings in list_settings(device.shapes[number], index.map.stages)]
    rdma = next((settings for stage, settings in stages if stage.name == "class"), [])
    numbers = {each.label: format_setting(each) for each, _ in rdma}
    for stage, settings in stages:
        own = {"queue": numbers.get("queue"), "priority group": numbers.get("priority group")}.get(stage.name)
        if own is not None and stage.number != own:
            continue
        for setting, _ in settings:
            found.setdefault(f"{stage.name}/{setting.label}", format_setting(setting))
    return {title: found.get(f"{name}/{label}", UNKNOWN) for title, name, label, _ in SETTINGS}


def _find_usual(switches: Iterable[MapDevice], values: Mapping[str, Values]) -> Mapping[tuple[str, str], str]:
    """Return the commonest value of each column at ports of one kind."""
    counted: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for switch in switches:
        for title, found in values[switch.name].items():
            for kind, value in found:
                counted[title, kind][value] += value != UNKNOWN
    return {key: max(sorted(each), key=each.__getitem__) for key, each in counted.items()}


def _build_switch(device: MapDevice, values: Values, usual: Mapping[tuple[str, str], str], index: Index) -> Row:
    failed = index.by_device.get(device.name, ())
    packs = {pack for *_, pack in SETTINGS}
    wrong = {pack: mark([found for found in failed if found.pack == pack]) for pack in packs}
    departing = {title: _count_departing(title, values.get(title, ()), usual) for title, *_ in SETTINGS}
    quiet = {pack for pack in packs if not any(departing[title] for title, *_, own in SETTINGS if own == pack)}
    cells = []
    for title, _, _, pack in SETTINGS:
        if pack in quiet and wrong[pack].level:  # what rules find is no difference from peers: it stands once
            quiet.remove(pack)
            cells.append(_mark_cell(wrong[pack], f"{device.name}, rules of {pack}"))
        else:
            own = values.get(title, ())
            known = sum(value != UNKNOWN for _, value in own)
            cells.append(_make_setting_cell(device.name, title, len(own), known, departing[title], wrong[pack]))
    others = mark([found for found in failed if found.pack not in packs])
    cells.append(_mark_cell(others, f"{device.name}, other rules"))
    return Row(device.name, index.numbers[device.name], cells)


def _count_departing(
    title: str, own: Sequence[tuple[str, str]], usual: Mapping[tuple[str, str], str]
) -> Counter[tuple[str, str]]:
    """Return at how many ports a setting has another value than most like ports, by both values."""
    pairs = ((value, usual[title, kind]) for kind, value in own if value != UNKNOWN)
    return Counter((value, normal) for value, normal in pairs if value != normal)


def _make_setting_cell(  # noqa: PLR0913, PLR0917  what a cell says
    name: str, title: str, ports: int, known: int, departing: Counter[tuple[str, str]], wrong: Mark
) -> Cell:
    """Return the cell of a setting: ports that differ where some do, with the level of what rules of its pack find."""
    count = sum(departing.values())
    if not known:
        return Cell("unknown" if ports else "none", SIGNS["unknown"] if ports else "", f"{title} is not known: {name}")
    if not count:
        return Cell("same", SIGNS[""], f"{title} is as at like ports: {name}")
    (value, normal), _ = departing.most_common(1)[0]
    more = f" and {len(departing) - 1} more values" if len(departing) > 1 else ""
    said = f"{count} of {known} ports differ in {title}: {value} where others have {normal}{more}"
    state = wrong.level or "differs"
    return Cell(state, f"{SIGNS[state]} {count}", f"{said}; {wrong}: {name}" if wrong.level else f"{said}: {name}")
