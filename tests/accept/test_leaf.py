"""A new leaf: a line of a policy is one item, however many ports it reaches, and a host on another port is one, too."""

from pathlib import Path

import pytest
from rack import replace_in, write_pod

from auditor.engine.accept.run import accept_by_spec, accept_like
from auditor.engine.accept.values import Acceptance, Item, ItemState
from auditor.engine.options import Options

pytestmark = pytest.mark.read_once

SPEC = """
schema: roce-audit/acceptance/1
devices:
  - names: ["leaf*"]
    count: 8
    ports:
      - names: ["Ethernet1/*"]
        count: 32
        settings: {mtu_bytes: 9216, pfc_priorities: 3, "queues[3].ecn": on, "queues[3].ecn_min_bytes": 150*}
"""
CONFIG = "leaf5/show_running-config.txt"


@pytest.fixture(params=["spec", "like"])
def mode(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def accept(mode: str, folder: Path) -> Acceptance:
    if mode == "like":
        return accept_like("leaf1", [str(folder)], Options(jobs=1))
    file = folder.parent / "leaf.yaml"
    file.write_text(SPEC, encoding="utf-8")
    return accept_by_spec(str(file), [str(folder)], Options(jobs=1))


def list_bad(found: Acceptance) -> list[Item]:
    return [item for item in found.items if item.state is not ItemState.PASS]


def plant(tmp_path: Path, start: str, old: str, new: str) -> Path:
    folder = write_pod(tmp_path / "pod", planted=())
    file = folder / CONFIG
    file.write_text(replace_in(start, old, new)(file.read_text(encoding="utf-8")), encoding="utf-8")
    return folder


def test_a_sound_leaf_is_accepted(mode: str, tmp_path: Path) -> None:
    found = accept(mode, write_pod(tmp_path / "pod", planted=()))
    assert list_bad(found) == []
    assert found.is_accepted()


def test_a_threshold_of_a_policy_is_one_item(mode: str, tmp_path: Path) -> None:
    folder = plant(tmp_path, "policy-map", "minimum-threshold 150 kbytes", "minimum-threshold 1200 kbytes")
    (item,) = list_bad(accept(mode, folder))
    assert (item.device, item.what, len(item.ports)) == ("leaf5", "queues[3].ecn_min_bytes", 32)
    assert (item.file or "").endswith(CONFIG)


def test_the_mtu_of_one_port_is_one_item(mode: str, tmp_path: Path) -> None:
    folder = plant(tmp_path, "description gpu07 rail4", "mtu 9216", "mtu 1500")
    (item,) = list_bad(accept(mode, folder))
    assert (item.device, item.ports, item.what, item.found) == ("leaf5", ("Ethernet1/7",), "mtu_bytes", "1500")
