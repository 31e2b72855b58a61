"""The sheet of one device: its facts, and its ports, those that are alike in one row."""

from collections.abc import Iterator, Sequence
from typing import Any

from auditor.model.device import Device
from auditor.model.setting import value_of
from auditor.report.alike import Likes, group_likes, list_differences
from auditor.report.columns import lay_row
from auditor.report.facts import Fact, Reader, fold_numbers, make_reader
from auditor.report.grid import Grid, Row
from auditor.report.presentation import clean_text
from auditor.report.queue_facts import build_pools, describe_setting
from auditor.report.quote import join_port_names
from auditor.report.sheet import Section, render_sheet
from auditor.report.show_port import name_system
from auditor.util.natsort import natural
from auditor.view.port_view import port_view

_COLUMNS = (
    ("up", "enabled"),
    ("Gb/s", "speed_gbps"),
    ("MTU", "mtu_bytes"),
    ("trust", "trust"),
    ("PFC", "pfc_mode"),
    ("watchdog", "pfc_watchdog"),
)
_MOST_DIFFERENCES = 12
_LABEL, _TEXT, _WHOLE = 18, 59, 78


def render_device(device: Device) -> str:
    """Return the sheet of *device* as text."""
    likes = group_likes([make_reader(port_view(port, with_state=True)) for port in device.ports])
    sections = [
        Section("device", _list_facts(device)),
        *([build_pools(device)] if device.kind == "switch" else ()),
        Section(_count_ports(device, likes), grid=_build_grid(likes)),
        *_compare_kinds(likes),
        Section("neighbours", lines=tuple(_list_neighbours(likes))),
    ]
    return render_sheet(f"{clean_text(device.name)} ({name_system(device)})", sections)


def _list_facts(device: Device) -> tuple[Fact, ...]:
    ecmp = device.ecmp
    hashed = describe_setting("ECMP hash reads", ecmp.fields)
    fields = value_of(ecmp.fields)
    switch = (
        describe_setting("buffers", device.buffer_architecture),
        hashed if fields is None else Fact(hashed.label, ", ".join(sorted(fields)) or "none", hashed.state),
        describe_setting("ECMP seed", ecmp.seed),
        describe_setting("ECMP paths", ecmp.max_paths),
    )
    return (
        Fact("dump", clean_text(device.source)),
        *((Fact("captured", clean_text(device.captured_at)),) if device.captured_at else ()),
        *((Fact("role", clean_text(device.role)),) if device.role else ()),
        describe_setting("version", device.os_version),
        describe_setting("model", device.model),
        describe_setting("chip", device.asic),
        *(switch if device.kind == "switch" else ()),
    )


def _count_ports(device: Device, likes: Sequence[Likes]) -> str:
    if not device.ports:
        return "no ports"
    kinds = "all alike" if len(likes) == 1 else f"{len(likes)} kinds"
    return f"{len(device.ports)} ports, {kinds}; lines are those of the first port of a kind"


def _build_grid(likes: Sequence[Likes]) -> Grid:
    return Grid("kind", tuple(_build_row(str(number), each) for number, each in enumerate(likes, 1)))


def _build_row(key: str, each: Likes) -> Row:
    reader = each.first
    facts = [reader.describe(label, f"/{name}") for label, name in _COLUMNS]
    paused = reader.describe("no-drop", "/pfc_priorities", text=fold_numbers(reader.read("/pfc_priorities") or ()))
    if reader.read("/nic"):
        facts += [reader.describe("firmware", "/nic/firmware"), reader.describe("CNP DSCP", "/nic/cnp_dscp")]
    ports = Fact("ports", fold_ports(each.names))
    return key, (ports, *facts[:5], paused, *facts[5:], _describe_marking(reader))


def _describe_marking(reader: Reader) -> Fact:
    """Return the queues that mark, proved by the first of them."""
    queues = [(at, queue) for at, queue in reader.list_items("/queues") if queue["ecn"]]
    if queues:
        numbers = fold_numbers(queue["queue"] for _, queue in queues)
        return reader.describe("ECN queues", f"{queues[0][0]}/ecn", text=numbers)
    return reader.describe("ECN queues", "/queues", text="-")


def fold_ports(names: Sequence[str]) -> str:
    """Return the names of ports, neighbours in one range."""
    return clean_text(join_port_names(sorted(names, key=natural)))


def _compare_kinds(likes: Sequence[Likes]) -> Iterator[Section]:
    """Yield what each kind of ports has differently from the most numerous one, of ports that are up if there are."""
    if len(likes) > 1:
        usual = max(likes, key=lambda each: (each.first.read("/enabled") is not False, len(each.readers)))
        number = likes.index(usual) + 1
        for other, each in enumerate(likes, 1):
            if each is not usual:
                title = f"kind {other} beside kind {number}: {fold_ports(each.names)}"
                yield Section(title, lines=tuple(_describe_differences(each, usual)))


def _describe_differences(here: Likes, usual: Likes) -> Iterator[str]:
    found = list_differences(here, usual)
    for name, value, other in found[:_MOST_DIFFERENCES]:
        yield from lay_row([(f"{name}: {value}, not {other}", _WHOLE)])
    if len(found) > _MOST_DIFFERENCES:
        yield from lay_row([(f"and {len(found) - _MOST_DIFFERENCES} more values", _WHOLE)])


def _list_neighbours(likes: Sequence[Likes]) -> Iterator[str]:
    """Yield a line for each neighbour, with its ports and those that lead to it."""
    ends: dict[str, list[tuple[str, str]]] = {}
    unknown: list[str] = []
    for reader in (reader for each in likes for reader in each.readers):
        peer: Any = reader.read("/peer")
        if peer:
            ends.setdefault(peer["device"], []).append((reader.read("/name"), peer["port"]))
        else:
            unknown.append(reader.read("/name"))
    for name in sorted(ends, key=natural):
        near, far = ([pair[n] for pair in ends[name]] for n in (0, 1))
        yield from lay_row([(clean_text(name), _LABEL), (f"{fold_ports(near)} to {fold_ports(far)}", _TEXT)])
    if unknown:
        yield from lay_row([("unknown", _LABEL), (fold_ports(unknown), _TEXT)])
