"""Tables hold what ports share once, and say what a table says that holds the settings of each port apart."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.engine.fabric import load
from auditor.engine.options import Options
from auditor.model.device import Device
from auditor.model.port import Port
from auditor.model.setting import Where
from auditor.view.cells import list_cells
from auditor.view.table import NO_PORT, Cell, Key, Listing, PortTable, Proof, Table, is_alike

POD = Path(__file__).parents[2] / "fixtures" / "pod-clean"


def read(name: str) -> Device:
    return load(POD / name, Options(jobs=1)).model.devices[0]


@pytest.mark.parametrize("name", ["leaf1", "stor-leaf1", "gpu01.txt", "gpu13.txt"])
def test_ports_that_share_their_configuration_have_the_settings_that_each_has_alone(name: str) -> None:
    device = read(name)
    alone = [replace(device, ports=(replace(port, config=replace(port.config)),)) for port in device.ports]
    each_apart = {key: cell for one in alone for key, cell in list_cells(one).cells.items()}
    assert list_cells(device).cells == each_apart


def test_a_setting_of_many_ports_is_held_once() -> None:
    device = read("leaf1")
    first = device.ports[0]
    ports = tuple(replace(first, name=f"Ethernet1/{number}") for number in range(512))
    table = list_cells(replace(device, ports=ports))
    listings = {id(own.shared): own.shared for name, own in table.ports.items() if name}
    assert len(listings) == 1
    assert sum(len(own.own.texts) for own in table.ports.values()) < len(table.list_keys()) / 8


def test_places_are_those_of_each_port() -> None:
    shared = Listing({"mtu_bytes": "9216"}, {"mtu_bytes": Proof(0, Where("", 2, relative=True), is_default=False)})
    ports = [Port(name, NO_PORT.config, Where("leaf1.cfg", line)) for name, line in (("e1", 10), ("e2", 40))]
    found = Table({port.name: PortTable(port, shared) for port in ports})
    assert [(cell.file, cell.line) for cell in found.cells.values()] == [("leaf1.cfg", 12), ("leaf1.cfg", 42)]


paths = st.sampled_from(["mtu_bytes", "queues[3].ecn", "queues[3].alpha", "queues[4].ecn", "lag", "nic.next_boot[a]"])
texts = st.dictionaries(paths, st.sampled_from(["1", "2", "absent", "not set"]), max_size=4)
parts = st.sets(st.sampled_from(["queues", "nic.next_boot"]))


@st.composite
def listings(draw: st.DrawFn) -> Listing:
    own = draw(texts)
    return Listing(own, {path: Proof(draw(st.integers(0, 3)), None, is_default=False) for path in own}, draw(parts))


@st.composite
def port_tables(draw: st.DrawFn) -> PortTable:
    placed = {path: Cell(text) if text != "2" else None for path, text in draw(texts).items()}
    return PortTable(NO_PORT, draw(listings()), draw(listings()), placed, frozenset(draw(parts)))


tables = st.dictionaries(st.sampled_from(["", "e1", "e2"]), port_tables()).map(Table)


@given(tables, tables)
def test_what_is_unlike_is_what_a_comparison_of_all_cells_finds(one: Table, other: Table) -> None:
    keys: dict[Key, None] = dict.fromkeys((*one.cells, *other.cells))
    unlike = {key for key in keys if one.get(key) != other.get(key)}
    found = one.list_keys_unlike(other)
    assert set(found) == unlike
    assert len(found) == len(unlike)
    changed = {key for key in keys if (a := one.find(key)) and (b := other.find(key)) and not is_alike(a.text, b.text)}
    assert changed <= unlike


@given(tables)
def test_each_key_has_a_cell(table: Table) -> None:
    cells = table.cells
    assert [*cells] == table.list_keys()
    assert all(table.get(key) == table.find(key) == cell for key, cell in cells.items())
    assert table.is_empty == (not cells)
