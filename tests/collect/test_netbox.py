"""The devices of a NetBox, over real HTTP."""

import socket
import sys
from pathlib import Path

import pytest
from conftest import Lab, Run
from netbox_server import TOKEN, NetBox, device, serving
from replay import Device

from auditor.collect import netbox
from auditor.collect.inventory import read_inventory
from auditor.collect.target import InventoryError, Target

ENVIRONMENT = {"NETBOX_TOKEN": TOKEN}
SPINE = {"id": 2, "name": "Spine", "slug": "spine"}
DEVICES = [
    *(device(n, f"leaf{n}") for n in range(1, 8)),
    device(8, "spine1", role=SPINE, platform={"slug": "arista-eos"}, primary_ip={"address": "2001:db8::8/64"}),
    device(
        9, "gpu1", platform=None, primary_ip=None, config_context={"roce_audit": {"sudo": True, "platform": "linux"}}
    ),
    device(10, None),
    device(11, "planned1", status={"value": "planned"}),
]


def test_without_the_extra_the_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx", None)
    with pytest.raises(InventoryError, match=r"^https://netbox\.example\.net: .* its extra `netbox`$"):
        read_inventory("https://netbox.example.net", ENVIRONMENT)


def test_all_pages_are_read_and_filters_are_netboxs_own() -> None:
    with serving(NetBox(DEVICES)) as box:
        found = read_inventory(f"{box.url}/", ENVIRONMENT)
        leafs = read_inventory(box.url, ENVIRONMENT, {"role": ["leaf"], "site": ["ams1", "fra1"], "tag": ["roce"]})
    assert [each.name for each in found.targets] == [*(f"leaf{n}" for n in range(1, 8)), "spine1", "gpu1"]
    assert found.targets[0] == Target("leaf1", "192.0.2.1", None, None, "nxos")
    assert found.targets[7] == Target("spine1", "2001:db8::8", None, None, "arista-eos")
    assert found.targets[8] == Target("gpu1", "gpu1", None, None, "linux", sudo=True)
    assert "gpu1 has no primary address" in " ".join(found.notes)
    assert "skipped: no name" in " ".join(found.notes)
    assert "spine1" not in [each.name for each in leafs.targets]
    assert len(box.asked) == 7
    assert {authorization for _, authorization in box.asked} == {f"Token {TOKEN}"}
    assert "site=ams1&site=fra1" in box.asked[4][0]


def test_a_token_of_the_second_version_is_a_bearer() -> None:
    with serving(NetBox(DEVICES, token="Bearer nbt_abc.def")) as box:
        assert read_inventory(box.url, {"NETBOX_TOKEN": "nbt_abc.def"}).targets


def test_a_netbox_behind_a_proxy_gets_the_token_and_nobody_else_does() -> None:
    with serving(NetBox(DEVICES)) as box:
        box.public = "https://netbox.example.net"
        assert len(read_inventory(box.url, ENVIRONMENT).targets) == 9
        box.public = "https://evil.example.net/other"
        with pytest.raises(InventoryError, match="is outside the API"):
            read_inventory(box.url, ENVIRONMENT)


@pytest.mark.parametrize(
    ("environment", "path", "said"),
    [
        ({}, "", "NETBOX_TOKEN"),
        ({"NETBOX_TOKEN": "wrong"}, "", "token refused .HTTP 403"),
        (ENVIRONMENT, "/elsewhere", "HTTP 404; check the address"),
    ],
)
def test_what_is_wrong_is_said(environment: dict[str, str], path: str, said: str) -> None:
    with serving(NetBox(DEVICES)) as box, pytest.raises(InventoryError, match=said) as caught:
        read_inventory(box.url + path, environment)
    assert "wrong" not in str(caught.value)


def test_a_netbox_that_is_not_there() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        with pytest.raises(InventoryError, match="refused"):
            read_inventory(f"http://127.0.0.1:{unused.getsockname()[1]}", ENVIRONMENT)


def test_filters_are_for_a_netbox_only(tmp_path: Path) -> None:
    with pytest.raises(InventoryError, match="not a NetBox; remove the filters site"):
        read_inventory(str(tmp_path), {}, {"site": ["x"]})


def test_a_pull_from_a_netbox(lab: Lab, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NETBOX_TOKEN", TOKEN)
    switch = Device("cisco_nxos", {"show running-config": b"hostname leaf1\nfeature lldp\n"})
    port = lab.add("unused", switch)
    more = {"roce_audit": {"port": port, "username": "audit"}}
    listed = device(1, "leaf1", primary_ip={"address": "127.0.0.1/8"}, config_context=more)
    with serving(NetBox([listed, device(2, "other", role=SPINE)])) as box:
        options = ["--ssh-config", "none", "--known-hosts", lab.known_hosts, "--role", "leaf"]
        status, out, err = run("pull", box.url, "-o", lab.out, *options)
    assert (status, "leaf1" in out) == (0, True), err
    assert TOKEN not in out + err + (lab.out / "manifest.json").read_text()


@pytest.mark.parametrize(
    "address",
    ["http://192.0.2.1", "http://netbox.example.net", "http://127.0.0.1.example.net", "http://localhost.example.net/x"],
)
def test_a_token_crosses_no_network_in_clear_text(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("connects")

    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    with pytest.raises(InventoryError, match="in clear text; use https://"):
        read_inventory(address, ENVIRONMENT)
    with pytest.raises((InventoryError, AssertionError)) as caught:
        read_inventory(address, ENVIRONMENT, insecure_http=True)
    assert "clear text" not in str(caught.value)


def test_an_address_holds_no_password() -> None:
    with pytest.raises(InventoryError, match="without user and password") as caught:
        read_inventory("https://127.0.0.1:x@evil.example.net/", ENVIRONMENT)
    assert ":x" not in str(caught.value)


def test_a_redirect_gets_no_token() -> None:
    with serving(NetBox(DEVICES)) as other, serving(NetBox(DEVICES, redirect=f"{other.url}/api/x")) as box:
        with pytest.raises(InventoryError, match="which gets no token; give the address itself"):
            read_inventory(box.url, ENVIRONMENT)
        assert not other.asked


def test_a_proxy_gets_no_token_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(NetBox(DEVICES)) as proxy, serving(NetBox(DEVICES)) as box:
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        assert read_inventory(box.url, ENVIRONMENT).targets
        assert not proxy.asked


def test_no_devices_is_an_error_with_the_reason(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NETBOX_TOKEN", TOKEN)
    with serving(NetBox([device(1, "leaf1"), device(2, None)])) as box:
        status, _, err = run("pull", box.url, "--dry-run", "--role", "spine")
        assert (status, "no devices in the inventory; status active and role spine selects none" in err) == (2, True)
    with serving(NetBox([device(2, None)])) as box:
        status, _, err = run("pull", box.url, "--dry-run")
        assert (status, "skipped: no name" in err) == (2, True)


def test_a_netbox_that_answers_by_single_bytes_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(netbox, "MAX_S", 1)
    with serving(NetBox(DEVICES, drips=2)) as box:
        try:
            with pytest.raises(InventoryError, match="no list of devices within 1 s"):
                read_inventory(box.url, ENVIRONMENT)
        finally:
            box.drips = 0
