"""A pull whose devices come one by one from threads: one folder, one summary, one session to an address."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from replay import PASSWORD, USER, Device, Replay

from auditor.collect.campaign import Campaign
from auditor.collect.pool import SessionPool
from auditor.collect.pull import FAILED, PullPlan
from auditor.collect.route import Ways
from auditor.collect.scheduler import PullLimits
from auditor.collect.target import Target

CONFIG = {"show running-config": b"hostname leaf1\nfeature lldp\ninterface Ethernet1/1\n  mtu 9216\n"}


def plan(folder: Path, replay: Replay, *ports: int, workers: int = 16) -> PullPlan:
    known_hosts = folder / "known_hosts"
    known_hosts.write_text(replay.known_hosts(ports))
    return PullPlan(folder / "out", Ways(None, known_hosts), PullLimits(workers=workers))


def test_devices_of_one_address_are_pulled_one_after_the_other_by_many_threads(replay: Replay, tmp_path: Path) -> None:
    device = Device("cisco_nxos", CONFIG)
    port = replay.serve(device)
    names = [f"leaf{number}" for number in range(1, 4)]
    campaign = Campaign(plan(tmp_path, replay, port), names)
    targets = [Target(name, "127.0.0.1", port, USER, "nxos") for name in names]
    with ThreadPoolExecutor(3) as pool:
        results = list(pool.map(lambda target: campaign.pull_device(target, PASSWORD), targets))
    assert [each.captures for each in results] == [1] * 3
    assert (len(device.logins), device.open_most) == (3, 1)
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert [each["device"] for each in manifest["devices"]] == names


def test_a_campaign_keeps_to_its_number_of_sessions(replay: Replay, tmp_path: Path) -> None:
    devices = [Device("cisco_nxos", CONFIG) for _ in range(3)]
    ports = [replay.serve(device) for device in devices]
    campaign = Campaign(plan(tmp_path, replay, *ports, workers=1), [])
    open_most: list[int] = []
    targets = [Target(f"leaf{port}", "127.0.0.1", port, USER, "nxos") for port in ports]

    def pull(target: Target) -> str:
        status = campaign.pull_device(target, PASSWORD).status
        open_most.append(sum(device.open_now for device in devices))
        return status

    with ThreadPoolExecutor(3) as pool:
        assert FAILED not in set(pool.map(pull, targets))
    assert max(open_most) <= 1


def test_nobody_waits_for_a_thread_that_is_gone(
    replay: Replay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(*_: object) -> None:
        raise MemoryError

    device = Device("cisco_nxos", CONFIG)
    port = replay.serve(device)
    campaign = Campaign(plan(tmp_path, replay, port), [])
    target = Target("leaf1", "127.0.0.1", port, USER, "nxos")
    with monkeypatch.context() as patch:
        patch.setattr(SessionPool, "_start_due", crash)
        assert campaign.pull_device(target, PASSWORD).why == "unexpected MemoryError"
