"""A new leaf: a line of a policy is one item, however many ports it reaches, and a host on another port is one, too."""

from collections.abc import Callable
from pathlib import Path

import pytest
from rack import POD, replace_in, write_pod

from auditor.engine.accept.run import accept_by_spec, accept_like
from auditor.engine.accept.values import Acceptance, Item, ItemState
from auditor.engine.options import Options

pytestmark = pytest.mark.read_once

Once = Callable[[str, Callable[[Path], None]], Path]
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


@pytest.fixture
def plant(once: Once) -> Callable[..., Path]:
    """Return what makes a pod, once for both modes, with one text replaced in the configuration of a leaf."""

    def make(start: str, old: str, new: str) -> Path:
        def write(folder: Path) -> None:
            write_pod(folder, planted=())
            file = folder / CONFIG
            file.write_text(replace_in(start, old, new)(file.read_text(encoding="utf-8")), encoding="utf-8")

        return once(f"leaf-{new.replace(' ', '-')}", write)

    return make


def accept(mode: str, folder: Path, tmp_path: Path) -> Acceptance:
    if mode == "like":
        return accept_like("leaf1", [str(folder)], Options(jobs=1))
    file = tmp_path / "leaf.yaml"
    file.write_text(SPEC, encoding="utf-8")
    return accept_by_spec(str(file), [str(folder)], Options(jobs=1))


def list_bad(found: Acceptance) -> list[Item]:
    return [item for item in found.items if item.state is not ItemState.PASS]


def test_a_sound_leaf_is_accepted(mode: str, tmp_path: Path) -> None:
    found = accept(mode, POD, tmp_path)
    assert list_bad(found) == []
    assert found.is_accepted()


def test_a_threshold_of_a_policy_is_one_item(mode: str, plant: Callable[..., Path], tmp_path: Path) -> None:
    folder = plant("policy-map", "minimum-threshold 150 kbytes", "minimum-threshold 1200 kbytes")
    (item,) = list_bad(accept(mode, folder, tmp_path))
    assert (item.device, item.what, len(item.ports)) == ("leaf5", "queues[3].ecn_min_bytes", 32)
    assert (item.file or "").endswith(CONFIG)


def test_the_mtu_of_one_port_is_one_item(mode: str, plant: Callable[..., Path], tmp_path: Path) -> None:
    folder = plant("description gpu07 rail4", "mtu 9216", "mtu 1500")
    (item,) = list_bad(accept(mode, folder, tmp_path))
    assert (item.device, item.ports, item.what, item.found) == ("leaf5", ("Ethernet1/7",), "mtu_bytes", "1500")
