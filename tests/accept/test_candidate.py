"""What is known of a device that is to be accepted: the far ends of its cables, and the lines of its settings."""

import pytest
from rack import POD

from auditor.engine.accept import candidate
from auditor.engine.accept.candidate import Candidates, FarEnd, list_settings, map_far_ends
from auditor.engine.options import Options
from auditor.engine.rehearsal import Rehearsal
from auditor.fabric.topology import link_devices
from auditor.model.device import Device
from auditor.model.fabric import End
from auditor.model.nic import Gid, Nic, RdmaDevice
from auditor.model.port import PeerPort, Port, PortConfig
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Where


def make_device(name: str, kind: str, port: str, peer: tuple[str, str] | None) -> Device:
    known: Setting[PeerPort] = (
        Known(PeerPort(*peer, "lldp"), Origin.LEARNED, Where(f"{name}.txt", 5)) if peer else NOT_COLLECTED
    )
    return Device(name, kind, "linux" if kind == "host" else "nxos", name, (Port(port, PortConfig(), peer=known),))


def test_the_own_dump_of_a_port_goes_first() -> None:
    """The leaf names gpu02 where gpu01 says that it is: each port has the far end that its own dump names."""
    host = make_device("gpu01", "host", "rail0", ("leaf1", "Ethernet1/1"))
    leaf = make_device("leaf1", "switch", "Ethernet1/1", ("gpu02", "rail0"))
    far = map_far_ends(link_devices((host, leaf)))
    assert far[End("gpu01", "rail0")] == FarEnd("leaf1", "Ethernet1/1", "gpu01.txt", 5)
    assert far[End("leaf1", "Ethernet1/1")] == FarEnd("gpu02", "rail0", "leaf1.txt", 5)


def test_a_silent_port_has_the_far_end_that_names_it() -> None:
    host = make_device("gpu01", "host", "rail0", None)
    leaf = make_device("leaf1", "switch", "Ethernet1/1", ("gpu01", "rail0"))
    assert map_far_ends(link_devices((host, leaf)))[End("gpu01", "rail0")] == FarEnd(
        "leaf1", "Ethernet1/1", "leaf1.txt", 5
    )


def test_a_silent_port_that_several_name_has_none() -> None:
    host = make_device("gpu01", "host", "rail0", None)
    leaves = (make_device(f"leaf{n}", "switch", "Ethernet1/1", ("gpu01", "rail0")) for n in (1, 2))
    assert End("gpu01", "rail0") not in map_far_ends(link_devices((host, *leaves)))


def test_members_of_maps_have_lines_of_their_own() -> None:
    def know(value: object, line: int) -> Known[object]:
        return Known(value, Origin.LEARNED, Where("gpu01.txt", line))

    values = {
        "dcqcn": know({"rpg_gd": know(11, 8)}, 7),
        "dcqcn_rp": know({n: know(n != 3, 10 + n) for n in range(8)}, 9),
    }
    gid = Gid(0, "fe80::1", "v2", "rail0", Where("gpu01.txt", 20))
    rdma = RdmaDevice(gids=Known((gid,), Origin.LEARNED, Where("gpu01.txt", 19)))
    port = Port("rail0", PortConfig(nic=Nic(**values)), rdma=rdma)  # type: ignore[arg-type]
    cells = list_settings(Device("gpu01", "host", "linux", "gpu01", (port,))).cells
    assert {path: cell.line for (_, path), cell in cells.items() if path.startswith("nic.")} == {
        "nic.dcqcn[rpg_gd]": 8,
        "nic.dcqcn_rp": 13,
        "nic.gids[0].gid": 20,
        "nic.gids[0].type": 20,
        "nic.gids[0].netdev": 20,
    }


@pytest.mark.read_once
def test_a_device_that_is_too_large_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidate, "is_too_large", lambda _device: True)
    with Rehearsal([str(POD / "gpu01.txt")], Options(jobs=1)) as rehearsal:
        judged = rehearsal.judge()
    candidates = Candidates(judged.model, judged.report)
    made = candidates.make(judged.model.devices[0])
    assert made.table.cells == {}
    assert [problem.message.partition(": its")[0] for problem in candidates.problems] == ["gpu01: not judged"]
