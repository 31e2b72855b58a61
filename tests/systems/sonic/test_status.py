"""What SONiC shows of its links and of itself."""

import pytest

from auditor.model.device import Device
from auditor.model.dump import Capture, LineState
from auditor.model.port import Forwarding, Port
from auditor.model.setting import value_of
from auditor.systems.effective import fill_defaults
from auditor.systems.sonic import parse as sonic

STATUS = """\
  Interface            Lanes    Speed    MTU    FEC         Alias             Vlan    Oper    Admin             Type    Asym PFC
-----------  ---------------  -------  -----  -----  ------------  ---------------  ------  -------  ---------------  ----------
  Ethernet0          0,1,2,3     100G   9100     rs          etp1           routed      up       up  QSFP28 or later         off
  Ethernet4          4,5,6,7      25G   9216    N/A          etp2  PortChannel0001    down     down             N/A         N/A
  Ethernet8                8    1000M   1500   none          etp3            trunk      up       up             N/A         N/A
PortChannel0001          N/A      25G   9100    N/A           N/A           routed    down       up             N/A         N/A
"""  # noqa: E501  as the switch prints it
VERSION = """\

SONiC Software Version: SONiC.202405.7-1a2b3c
Distribution: Debian 12.5

Platform: x86_64-mlnx_msn4600c-r0
HwSKU: ACS-MSN4600C
ASIC: mellanox
"""


def shown(*captures: tuple[str, str]) -> Device:
    outputs = [Capture("leaf1.txt", tuple(text.splitlines()), command) for text, command in captures]
    return fill_defaults(sonic.parse("leaf1", "leaf1.txt", outputs))


def port(device: Device, name: str) -> Port:
    found = device.port(name)
    assert found is not None
    return found


@pytest.mark.parametrize("command", ["", "show interfaces status", "sudo show int stat -d all"])
def test_status_tells_the_link_of_each_port(command: str) -> None:
    device = shown((STATUS, command))
    links = [port(device, f"Ethernet{number}").config.ethernet for number in (0, 4, 8)]
    assert [value_of(link.speed_gbps) for link in links] == [100, 25, 1]
    assert [value_of(link.mtu_bytes) for link in links] == [9100, 9216, 1500]
    assert [value_of(link.ip_mtu_bytes) for link in links] == [9100, 9216, 1500]
    assert [value_of(link.fec) for link in links] == ["rs", None, "none"]
    assert [value_of(link.lanes) for link in links] == [4, 4, 1]
    assert [value_of(link.enabled) for link in links] == [True, False, True]
    assert [value_of(link.forwarding) for link in links] == [Forwarding.ROUTED, None, Forwarding.SWITCHED]
    assert [value_of(port(device, name).lag) for name in ("Ethernet0", "Ethernet4")] == [None, "PortChannel0001"]
    assert port(device, "Ethernet0").aliases == ("etp1",)
    assert len(device.ports) == 3
    assert device.dumps[0].states[2:5] == (LineState.MODELLED,) * 3


def test_columns_are_those_of_the_head() -> None:
    """Older releases print neither FEC nor VLAN, newer ones more."""
    text = (
        "  Interface    Lanes    Speed    MTU      Alias    Oper    Admin\n"
        "-----------  -------  -------  -----  ---------  ------  -------\n"
        "  Ethernet0      0,1      50G   9100  fiftyE1/1    down     down\n"
        "  Ethernet2      2,3\n"
    )
    device = shown((text, ""))
    link = port(device, "Ethernet0").config.ethernet
    assert (value_of(link.speed_gbps), value_of(link.enabled), value_of(link.fec)) == (50, False, None)
    assert device.dumps[0].states[-1] is LineState.UNRECOGNISED


def test_what_is_configured_counts_before_what_is_shown() -> None:
    config = '{"DEVICE_METADATA": {"localhost": {"hwsku": "X"}}, "PORT": {"Ethernet0": {"speed": "40000"}}}'
    device = shown((config, ""), (STATUS, ""), (VERSION, ""))
    link = port(device, "Ethernet0").config.ethernet
    assert (value_of(link.speed_gbps), value_of(link.mtu_bytes)) == (40, 9100)
    assert value_of(device.model) == "X"


def test_the_switch_tells_its_release_and_its_hardware() -> None:
    device = shown((VERSION, "show version"))
    assert (value_of(device.os_version), value_of(device.model)) == ("202405.7-1a2b3c", "ACS-MSN4600C")
    assert value_of(device.asic) == "Spectrum-3"


@pytest.mark.parametrize(
    ("command", "state"),
    [
        ("show pfcwd stats", LineState.NOT_MODELLED),
        ("show ip bgp summary", LineState.IGNORED),
        ("bcmcmd ps", LineState.UNRECOGNISED),
    ],
)
def test_an_output_that_nothing_reads(command: str, state: LineState) -> None:
    assert shown(("a  b\nc  d", command)).dumps[0].states == (state, state)


BUFFERS = """\
Pool: ingress_lossless_pool
----  --------
mode  dynamic
type  ingress
size  33004032
xoff  196608
----  --------
"""
WATCHDOG = """\
Changed polling interval to 300ms on asic0
     PORT    ACTION    DETECTION TIME    RESTORATION TIME    HISTORY
---------  --------  ----------------  ------------------  ---------
Ethernet0      drop               600                 600    disable
"""


def test_pools_that_only_an_output_shows() -> None:
    (pool,) = shown((BUFFERS, "show buffer information")).pools.known().value
    told = (pool.name, pool.direction, value_of(pool.lossless), value_of(pool.size_bytes), value_of(pool.mode))
    assert told == ("ingress_lossless_pool", "ingress", True, 33004032, "dynamic")
    assert value_of(pool.shared_headroom_bytes) == 196608


def test_the_polling_interval_of_one_asic_of_several() -> None:
    watchdog = port(shown((WATCHDOG, "show pfcwd config")), "Ethernet0").config.pfc.watchdog
    assert value_of(watchdog.polling_ms) == 300
