"""The size of a view: known before the view is built, in a time that goes by distinct tables, not by ports."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from auditor.engine.load import read_device
from auditor.inputs.snapshot import find
from auditor.model.device import Device
from auditor.model.nic import Gid, Nic, RdmaDevice
from auditor.model.port import Port, PortConfig
from auditor.model.setting import Known, Origin
from auditor.view.port_view import device_view
from auditor.view.size import MOST_VALUES, count_values, is_too_large

FIXTURES = Path(__file__).parents[2] / "fixtures"
FOLDERS = ("fabric", "fabric-mixed", "pod-clean", "dumps")
REPEATED = 4
"""Times that the view shows a value of the model at most: the class of a code point also as its priority."""


class Rows(tuple[Any, ...]):
    """A table that counts how often its rows are asked for."""

    __slots__ = ()
    asked = 0

    def __iter__(self) -> Iterator[Any]:
        Rows.asked += len(self)
        return super().__iter__()


def make_host(ports: int, rows: int) -> Device:
    """Return a host whose *ports* share one table of *rows* GIDs."""
    gids = Rows(Gid(number, "fe80::1", "RoCE v2", "ens1f0") for number in range(rows))
    config, rdma = PortConfig(nic=Nic()), RdmaDevice(gids=Known(gids, Origin.LEARNED))
    names = (f"ens{n}f0" for n in range(ports))
    return Device("gpu01", "host", "linux", "gpu01.txt", ports=tuple(Port(n, config, rdma=rdma) for n in names))


@pytest.mark.parametrize("ports", [10, 1000])
def test_a_shared_table_is_counted_once_and_multiplied(ports: int) -> None:
    Rows.asked = 0
    alone, many = count_values(make_host(1, 500)), count_values(make_host(ports, 500))
    assert Rows.asked == 2 * 500
    assert alone >= 500 * 4
    assert many == ports * alone


def count_leaves(part: Any) -> int:  # noqa: ANN401  JSON
    """Return the number of values that a document holds."""
    if isinstance(part, (Mapping, list)):
        return sum(map(count_leaves, part.values() if isinstance(part, Mapping) else part))
    return part is not None


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_count_bounds_what_a_view_holds(folder: str) -> None:
    snapshot = find([str(FIXTURES / folder)])
    assert snapshot.units
    for device in (read_device(unit).device for unit in snapshot.units):
        shown = device_view(device).model_dump(mode="json", include={"ports"})
        assert count_leaves(shown) <= REPEATED * count_values(device)
        assert not is_too_large(device)


def test_a_thousand_ports_with_every_code_point_are_shown() -> None:
    host = make_host(1024, 64)
    assert count_values(host) * 2 < MOST_VALUES
    assert is_too_large(replace(host, ports=make_host(1024, 1024).ports))


def write_lines(ports: int) -> Iterable[str]:
    yield f"nv set interface swp1-{ports} type swp"
    yield from (f"nv set qos mapping default-global dscp {n} switch-priority {n % 8}" for n in range(64))
    yield from (f"nv set qos mapping default-global pcp {n} switch-priority {n}" for n in range(8))


def test_a_device_that_is_too_large_leaves_the_view_of_others(run: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "wide.txt").write_text("\n".join(write_lines(4094)))
    (tmp_path / "leaf1.txt").write_text("\n".join(write_lines(4)))
    status, out, err = run("show", tmp_path)
    assert status == 2
    assert '"name": "leaf1"' in out
    assert '"name": "wide"' not in out
    assert [line for line in err.splitlines() if "wide: not in the port view: its 4094 ports" in line] == [err.strip()]
    assert run("show", tmp_path / "leaf1.txt")[0] == 0
