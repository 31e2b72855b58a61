"""One configuration for all NICs that are set up alike, with the places of each."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.inputs.detection import list_captures
from auditor.inputs.rawtext import Raw
from auditor.model.device import Device
from auditor.model.dump import Capture
from auditor.model.nic import Nic
from auditor.model.port import Ethernet, Port, PortConfig
from auditor.model.setting import Known, Origin, Unset, Where
from auditor.systems.linux import configs
from auditor.systems.linux.alike import Alike
from auditor.systems.linux.parse import parse
from auditor.systems.linux.places import change_places
from auditor.util.memo import Memo

FIXTURES = Path(__file__).parents[3] / "fixtures"
HOSTS = (*sorted(FIXTURES.glob("hosts/*/*.txt")), *sorted(FIXTURES.glob("fabric/host*.txt")))
OF_EACH = {
    "mlnx_qos -i eth{}": (
        "Priority trust state: dscp",
        "PFC configuration:",
        " priority 0 1 2 3 4 5 6 7",
        " enabled 0 0 0 1 0 0 0 0",
    ),
    "ethtool -a eth{}": ("Pause parameters for eth{}:", "Autonegotiate: off", "RX: off", "TX: off"),
    "cat /sys/class/infiniband/mlx5_{}/tc/1/traffic_class": ("Global tclass=106",),
}
OF_ALL = {
    "ibdev2netdev": "mlx5_{} port 1 ==> eth{} (Up)",
    "ip -d link": "{}: eth{}: <BROADCAST,UP,LOWER_UP> mtu 9000 qdisc mq state UP",
}


def make_host(numbers: Sequence[int], order: Sequence[tuple[str, int]], padding: Sequence[int]) -> Device:
    """Return a host with the NICs *numbers*; its outputs are in an *order*, each below so many blank lines."""
    captures, line = [], 1
    outputs = [(form.format(at), tuple(each.format(at) for each in OF_EACH[form])) for form, at in order]
    outputs += [(command, tuple(row.format(at, at) for at in numbers)) for command, row in OF_ALL.items()]
    for (command, lines), blank in zip(outputs, padding, strict=True):
        line += 1 + blank
        captures.append(Capture("gpu1.txt", lines, command, line))
        line += len(lines)
    return parse("gpu1", "gpu1.txt", captures)


@st.composite
def hosts(draw: st.DrawFn) -> tuple[Device, dict[int, str]]:
    """Return a host of two to five NICs, whose outputs stand in any order."""
    numbers = draw(st.lists(st.integers(0, 99), min_size=2, max_size=5, unique=True))
    by_kind = [[(form, at) for at in draw(st.permutations(numbers))] for form in OF_EACH]
    order = [pair for kind in draw(st.permutations(by_kind)) for pair in kind]
    size = len(order) + len(OF_ALL)
    padding = draw(st.lists(st.integers(0, 9), min_size=size, max_size=size))
    return make_host(numbers, order, padding), {at: f"eth{at}" for at in numbers}


@given(hosts())
def test_nics_that_are_set_up_alike_share_one_configuration(made: tuple[Device, dict[int, str]]) -> None:
    device, names = made
    assert {port.name for port in device.ports} == set(names.values())
    assert len({id(port.config) for port in device.ports}) == 1
    assert all(port.config.nic and port.config.nic.has_rdma_device for port in device.ports)
    assert {value.value for port in device.ports if isinstance(value := port.rdma.name, Known)} == {
        f"mlx5_{number}" for number in names
    }


def list_places(port: Port) -> PortConfig:
    """Return the configuration of *port* with places of their own."""
    return change_places(port.config, lambda where: port.locate(where) or where)


def read(path: Path) -> Device:
    raw = Raw(path.name, ".", tuple(path.read_text(encoding="utf-8").split("\n")), ends_with_newline=True)
    return parse(path.stem, path.name, list_captures(raw))


def test_each_port_has_its_own_places(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {path: read(path) for path in (*HOSTS, *reversed(HOSTS))}
    assert len(found) > 7
    monkeypatch.setattr(Alike, "share", lambda _, config: (config, ()))
    monkeypatch.setattr(configs, "_merged", Memo(0, 0))
    for path, device in found.items():
        alone = read(path)
        assert [list_places(port) for port in device.ports] == [list_places(port) for port in alone.ports]
        assert all(port.rows and not own.rows for port, own in zip(device.ports, alone.ports, strict=True))


def know(value: object, line: int, *, part: int = 1, pointer: str = "") -> Known[object]:
    return Known(value, Origin.LEARNED, Where("", line, relative=True, pointer=pointer, part=part))


def make_config(value: object, *places: tuple[int, int]) -> PortConfig:
    """Return a configuration with *value*, and two further settings, at these lines and parts."""
    first, second, third = (know(value, line, part=part) for line, part in places)
    return PortConfig(Ethernet(mtu_bytes=first, speed_gbps=second), nic=Nic(active_mtu_bytes=third))  # type: ignore[arg-type]


def test_other_values_and_other_distances_are_another_configuration() -> None:
    alike = Alike()
    one, rows = alike.share(make_config(1, (3, 1), (5, 1), (7, 4)))
    assert [(row.line, row.part) for row in rows] == [(3, 1), (7, 4)]
    assert alike.share(make_config(1, (13, 2), (15, 2), (2, 3)))[0] is one
    assert alike.share(make_config(1, (13, 2), (16, 2), (2, 3)))[0] is not one
    assert alike.share(make_config(1, (13, 2), (15, 3), (2, 2)))[0] is not one
    assert alike.share(make_config(2, (3, 1), (5, 1), (7, 4)))[0] is not one
    assert alike.share(make_config(True, (3, 1), (5, 1), (7, 4)))[0] is not one
    assert alike.share(make_config(1.0, (3, 1), (5, 1), (7, 4)))[0] is not one


def test_a_silent_block_is_no_value() -> None:
    alike, here = Alike(), Where("", 3, relative=True, part=1)
    unset, _ = alike.share(PortConfig(Ethernet(mtu_bytes=Unset(here))))
    known, _ = alike.share(PortConfig(Ethernet(mtu_bytes=Known(9000, Origin.LEARNED, here))))
    assert isinstance(unset.ethernet.mtu_bytes, Unset)
    assert isinstance(known.ethernet.mtu_bytes, Known)


def test_a_place_of_another_file_keeps_it() -> None:
    there = Where("modprobe.conf", 7)
    config, rows = Alike().share(PortConfig(Ethernet(mtu_bytes=Known(9000, Origin.LEARNED, there))))
    assert (config.ethernet.mtu_bytes.known().where, rows) == (there, ())


def test_paths_count_from_what_they_have_in_common() -> None:
    port = Port("eth0", PortConfig(), Where("a.json", 1), parts=(Where("a.json", 10),))
    config = PortConfig(
        Ethernet(
            mtu_bytes=know(9000, 0, pointer="/3/mtu"),  # type: ignore[arg-type]
            enabled=know(True, 0, pointer="/3/flags/1"),  # type: ignore[arg-type]
        )
    )
    shared, rows = Alike().share(config)
    whole = Port("eth0", shared, port.where, parts=port.parts, rows=rows)
    assert [row.pointer for row in rows] == ["/3"]
    assert shared.ethernet.mtu_bytes.known().where == Where("", 0, relative=True, pointer="/mtu", part=-1)
    assert whole.locate(shared.ethernet.enabled.known().where) == Where("a.json", 10, pointer="/3/flags/1")
    assert whole.heads == (port.where, Where("a.json", 10), Where("a.json", 10, pointer="/3"))


def test_what_contradicts_itself_on_one_host_names_no_line_of_another() -> None:
    outputs = {
        "mlnx_qos -i eth0": OF_EACH["mlnx_qos -i eth{}"],
        "dcb pfc show dev eth0": ("prio-pfc 0:off 1:off 2:off 3:off 4:on 5:off 6:off 7:off",),
    }
    for file, first in (("gpu1.txt", 2), ("gpu2.txt", 30), ("gpu3.txt", 50)):
        captures, line = [], first
        for command, lines in outputs.items():
            captures.append(Capture(file, lines, command, line))
            line += 1 + len(lines)
        (port,) = parse(file, file, captures).ports
        why = getattr(port.config.pfc.priorities, "why", "")
        assert why.endswith(f"{file}:{first + 3} says 3, {file}:{first + 5} says 4")


def test_hosts_share_what_they_print_alike() -> None:
    order = [(form, at) for form in OF_EACH for at in (0, 1)]
    first, *_, one, other = (make_host((0, 1), order, [blank] * 8) for blank in (0, 5, 1, 0))
    assert first.ports[0].config is other.ports[1].config
    assert one.ports[0].rows is other.ports[0].rows  # outputs that came twice are kept as one
