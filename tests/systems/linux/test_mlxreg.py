"""Registers of NVIDIA's NICs: what each slot for an algorithm of congestion control holds, and the accelerations."""

from collections.abc import Callable, Mapping

import pytest

from auditor.model.device import Device
from auditor.model.nic import Nic
from auditor.model.setting import value_of

Host = Callable[[Mapping[str, str]], Device]
CARD = {"ethtool -i ens1": "driver: mlx5_core\nversion: 25.07\nfirmware-version: 40.46.3048\nbus-info: 0000:1b:00.0\n"}
ASK = (
    "mlxreg -d 0000:1b:00.0 --reg_name PPCC --get --op cmd_type={} --indexes local_port=1,pnat=0,lp_msb=0,algo_slot={}"
)
HEAD = f"Sending access register...\n\nField Name                         | Data\n{'=' * 50}\n"


def _print(fields: Mapping[str, int]) -> str:
    return HEAD + "".join(f"{name:<34} | 0x{value:08x}\n" for name, value in fields.items()) + "=" * 50


def _read(device: Device) -> Nic:
    (port,) = device.ports
    assert port.config.nic
    assert not device.doubts
    return port.config.nic


def test_slots(host: Host) -> None:
    """A status says more than presence, whichever comes first; the fields name command and slot."""
    listed = _print({"cmd_type": 0x10, "algo_slot": 0, "value": 0, **{f"text[{n}]": n % 2 for n in range(16)}})
    runs = _print({"cmd_type": 3, "algo_slot": 1, "value": 1, "counter_en": 1})
    off = _print({"cmd_type": 3, "algo_slot": 15, "value": 0, "counter_en": 0})
    outputs = {ASK.format("0x3", 1): runs, ASK.format("0x10", 0): listed, ASK.format("0x3", 15): off}
    slots = {name: each.value for name, each in (value_of(_read(host(CARD | outputs)).cc_slots) or {}).items()}
    absent, present = ({str(n): word for n in range(start, 16, 2)} for start, word in ((0, "absent"), (1, "present")))
    assert slots == absent | present | {"1": "runs", "15": "off"}


@pytest.mark.parametrize(
    "command",
    [
        ASK.format("0x3", 0),
        ASK.format("3", 0).replace("mlxreg", "mstreg"),
        'sudo mlxreg -d 1b:00.0 -y --reg_name PPCC --get --op "cmd_type=0x3" --indexes "local_port=1,algo_slot=0"',
    ],
)
def test_command_names_slot(host: Host, command: str) -> None:
    """Releases that print no index leave command and slot to the command line."""
    assert _slots_of(host(CARD | {command: _print({"value": 1})})) == {"0": "runs"}


def _slots_of(device: Device) -> dict[str, str]:
    return {name: each.value for name, each in (value_of(_read(device).cc_slots) or {}).items()}


def test_other_commands_of_the_register(host: Host) -> None:
    """The value of a parameter, and a register that the firmware refuses, say nothing of a slot."""
    asked = ASK.format("0x6", 0)
    assert _slots_of(host(CARD | {asked: _print({"cmd_type": 6, "algo_slot": 0, "value": 1})})) == {}
    refused = "-E- Failed to send access register: Register not supported\n"
    (port,) = host(CARD | {ASK.format("0x10", 0): refused}).ports
    assert port.config.nic
    assert "not supported" in getattr(port.config.nic.cc_slots, "why", "")


def test_accelerations(host: Host) -> None:
    """Switches that the firmware supports count, those of planes among them; the names of `field_select` differ."""
    fields = {
        "roce_adp_retrans_field_select": 1,
        "roce_tx_window_field_select": 0,
        "adaptive_routing_forced_en_field_select": 1,
        "dc_half_handshake_en_field_select": 0,
        "roce_adp_retrans_en": 1,
        "roce_tx_window_en": 0,
        "adaptive_routing_forced_en": 1,
        "selective_repeat_forced_en": 0,
        "dc_half_handshake_en": 0,
        "cc_per_plane_en": 1,
        "cc_probe_mp_mode": 1,
        "ack_dscp": 48,
    }
    nic = _read(host(CARD | {"mstreg -d 0000:1b:00.0 --reg_name ROCE_ACCL --get": _print(fields)}))
    told = {name: each.value for name, each in (value_of(nic.accelerations) or {}).items()}
    assert told == {
        "roce_adp_retrans_en": True,
        "adaptive_routing_forced_en": True,
        "selective_repeat_forced_en": False,
        "cc_per_plane_en": True,
        "cc_probe_mp_mode": True,
    }
    assert value_of(nic.adaptive_routing) is True


def test_unsupported_adaptive_routing(host: Host) -> None:
    """A card that does not support adaptive routing does not have it off."""
    fields = {"adaptive_routing_forced_en_field_select": 0, "adaptive_routing_forced_en": 0}
    nic = _read(host(CARD | {"mlxreg -d 0000:1b:00.0 --reg_name ROCE_ACCL --get": _print(fields)}))
    assert value_of(nic.adaptive_routing) is None
