"""No secret that a device shows is on the disk or in a log afterwards, and the lines stay where they were."""

import json
import logging
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from conftest import Lab
from openssh import Keys, Shell
from plant import PLANTED, planted
from replay import CLIS, Device

from auditor.collect.platforms import list_platforms
from auditor.util.redact_lines import redact_lines

COMMANDS = {"sonic": "cat /etc/sonic/config_db.json", "cumulus_nvue": "nv config show", "linux": "cat /etc/nccl.conf"}


def disk(out: Path) -> str:
    return "\n".join(str(path) + path.read_text() for path in sorted(out.rglob("*")) if path.is_file())


def test_there_are_enough_of_every_system() -> None:
    counts = {system: len(planted(system)[1]) for system in PLANTED}
    assert set(counts) == set(list_platforms())
    assert sum(counts.values()) >= 60
    assert min(counts.values()) >= 8


def test_no_secret_is_on_disk_or_in_a_log(
    lab: Lab,
    keys: Keys,
    serve: Callable[[str, Mapping[str, str | bytes]], Shell],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("paramiko", "netmiko"):
        monkeypatch.setattr(logging.getLogger(name), "propagate", True)
    for system in PLANTED:
        text = "\n".join(planted(system)[0]) + "\n"
        if system in CLIS:
            (config,) = (c.template for c in list_platforms()[system].commands if c.required)
            port = lab.replay.serve(Device(system, {config: text.encode()}))
            keys.know(system, port, "User audit", "IdentityFile none", key="")
            with keys.known_hosts.open("a") as file:
                file.write(lab.replay.known_hosts([port]))
            lab.host(system, hostname=system, platform=system)
        else:
            serve(system, {COMMANDS[system]: text, "ip -j -d link": "[]\n"})
            lab.host(system, hostname=system, platform=system)
    with caplog.at_level(logging.INFO):
        status, out, err = lab.pull("--ssh-config", keys.config, "--known-hosts", keys.known_hosts)
    assert status == 0, err
    everything = disk(lab.out) + out + err + caplog.text
    for system in PLANTED:
        lines, secrets = planted(system)
        assert [secret for secret in secrets if secret in everything] == []
        command = COMMANDS.get(system) or next(c.template for c in list_platforms()[system].commands if c.required)
        (file,) = (
            each["file"]
            for each in json.loads((lab.out / system / "manifest.json").read_text())["captures"]
            if each["command"] == command
        )
        stored = (lab.out / system / file).read_text().splitlines()
        assert len(stored) == len(lines)
        unplanted = {n for n, line in enumerate(lines) if not any(secret in line for secret in secrets)}
        assert {n for n in unplanted if lines[n] != stored[n]} == set()


def test_a_configuration_of_sonic_stays_one() -> None:
    config = {
        "SNMP_COMMUNITY": {"zq-public": {"TYPE": "RO"}, "zq-private": {"TYPE": "RW"}},
        "NTP_KEY": {"1": {"type": "md5", "value": "zq-ntp", "trusted": "yes"}},
        "SNMP_AGENT": {"snmp_rocommunities": ["zq-a", "zq-b"]},
        "PORT": {"Ethernet0": {"mtu": "9100", "value": "kept"}},
    }
    for indent in (4, None):
        shown = "\n".join(redact_lines(json.dumps(config, indent=indent).splitlines()))
        read = json.loads(shown)
        assert "zq-" not in shown.replace("zq-private", "zq-" if indent else "")
        assert read["PORT"] == config["PORT"]
        assert read["NTP_KEY"]["1"]["type"] == "md5"
        if indent:
            assert list(read["SNMP_COMMUNITY"]) == ["<redacted>", "<redacted 2>"]
        again = redact_lines(shown.splitlines())
        assert "\n".join(again) == shown


@pytest.mark.parametrize(
    "text",
    [
        "read-only-community-list: []\nkeep: 1",
        "communities:\n  - a: 1\n",
        '"keys": {\n  "a": 1\n}',
        "ssh server cipher aes256_ctr aes128_ctr",
        "ip ssh cipher strong",
        "ntp-service authentication enable",
        " ospf authentication-mode null",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert redact_lines(text.splitlines()) == text.splitlines()


def test_a_key_without_an_end_does_not_hide_the_rest() -> None:
    lines = ["-----BEGIN PRIVATE KEY-----", *["x"] * 300, "hostname leaf1"]
    assert redact_lines(lines)[-1] == "hostname leaf1"
