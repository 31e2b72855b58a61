"""The small reproductions of hosts beside this checkout, each as its row says; skipped without them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., tuple[int, str, str]]
SHARED = Path(__file__).parents[4] / "shared" / "cases" / "hosts"
pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="no shared material lies beside this checkout")


def show(run: Run, name: str) -> dict[str, Any]:
    """Return the device of a case."""
    found: dict[str, Any] = json.loads(run("show", SHARED / name)[1])["devices"][0]
    return found


def check(run: Run, name: str) -> dict[str, Any]:
    """Return the report on a case."""
    found: dict[str, Any] = json.loads(run("check", "--format", "json", SHARED / name)[1])
    return found


def counts(report: dict[str, Any], rule: str) -> tuple[int, int, int]:
    """Return how many objects of *rule* were checked, failed and are open."""
    (row,) = [row for row in report["rules"] if row["rule"] == rule]
    return row["checked"], row["failed"], row["open"]


@pytest.mark.parametrize("name", ["at4.txt", "at5.txt"])
def test_an_order_of_trust_reads_alike_with_a_colon(run: Run, name: str) -> None:
    assert show(run, name)["ports"][0]["trust"] == "both"


def test_without_evidence_on_acs_the_host_is_open(run: Run) -> None:
    assert counts(check(run, "only_lsmod.txt"), "HST008") == (1, 0, 1)


def test_acs_registers_without_their_devices_count(run: Run) -> None:
    assert sorted(show(run, "acs_grep_dev.txt")["host"]["acs"].values()) == [False] * 7 + [True] * 5
    assert counts(check(run, "acs_grep_dev.txt"), "HST008")[1] == 1


def test_a_variable_of_the_shell_is_no_port(run: Run) -> None:
    (port,) = show(run, "ph.txt")["ports"]
    assert (port["name"], port["nic"]["cnp_dscp"]) == ("ens1", 40)


def test_the_protocol_of_a_device_is_its_transport(run: Run) -> None:
    ports = show(run, "rdmadev.txt")["ports"]
    assert {port["name"]: port["nic"]["transport"] for port in ports} == {"mlx5_0": "roce", "irdma0": "iwarp"}


@pytest.mark.parametrize(("name", "layer"), [("azure_nd.txt", "infiniband"), ("down.txt", "ethernet")])
def test_ports_without_a_vote_show_why(run: Run, name: str, layer: str) -> None:
    nics = [port["nic"] for port in show(run, name)["ports"]]
    assert layer in {nic["link_layer"] for nic in nics}
    assert all(nic["link_up"] is not None for nic in nics)


def test_rdma_that_is_forced_into_a_priority_without_pauses_is_found(run: Run) -> None:
    assert counts(check(run, "dscp59_lossy.txt"), "CLS002") == (1, 1, 0)


def test_two_hosts_that_disagree_are_found_without_a_majority(run: Run) -> None:
    found = [each for each in check(run, "16_mtu_mixed")["findings"] if each["rule"] == "FLT002"]
    assert [(each["device"], each["line"], each["level"]) for each in found] == [
        ("n1", 2, "warning"),
        ("n1", 20, "warning"),
    ]
    for name, line in (("n1.txt", "mtu 1500"), ("n2.txt", "mtu 9000")):
        assert line in (SHARED / "16_mtu_mixed" / name).read_text().splitlines()[1]
