"""What the cmdlets of Windows print: as a table, as a list, as both are pasted, and cut."""

from functools import reduce
from typing import Any

import pytest

from auditor.inputs.detection import list_captures
from auditor.inputs.rawtext import Raw
from auditor.model.device import Device
from auditor.model.setting import value_of
from auditor.systems import systems

QOS = r"""PS C:\> Get-NetAdapterQos
Name : SLOT 2
Enabled : True
Capabilities : Hardware Current
-------- -------
MacSecBypass : NotSupported NotSupported
NumTCs(Max/ETS/PFC) : 8/8/8 3/3/1
OperationalTrafficClasses : TC TSA Bandwidth Priorities
-- --- --------- ----------
0 ETS 40% 0-3,6-7
1 ETS 59% 4
2 ETS 1% 5
OperationalFlowControl : Priority 4 Enabled
OperationalClassifications : Protocol Port/Type Priority
-------- --------- --------
Default 0
NetDirect 445 4
"""
RDMA = r"""PS C:\> Get-NetAdapterRdma

Name                      InterfaceDescription                     Enabled     Operational PFC        ETS
----                      --------------------                     -------     ----------- ---        ---
SLOT 2                    NVIDIA ConnectX-6 Lx Adapter             True        True        True       True
LOM 1                     Intel(R) Ethernet I350                   False       False       NA         NA
"""
RDMA_LIST = r"""PS C:\> Get-NetAdapterRdma | fl

Name                 : SLOT 2
InterfaceDescription : NVIDIA ConnectX-6 Lx Adapter
Enabled              : True
"""
RDMA_BRIEF = r"""PS C:\> Get-NetAdapterRdma | ft Name, Enabled

Name   Enabled
----   -------
SLOT 2    True
"""
FLOW_TABLE = """PS C:\\> Get-NetQosFlowControl

Priority   Enabled    PolicySet        IfIndex IfAlias
--------   -------    ---------        ------- -------
""" + "\n".join(f"{p}          {p == 4!s:<10} Global" for p in range(8))
FLOW_TORN = """PS C:\\> Get-NetQosFlowControl
Priority Enabled PolicySet IfIndex IfAlias
-------- ------- --------- ------- -------
""" + "\n".join(f"{p} {p == 4} Global" for p in range(8))
FLOW_HEADLESS = "PS C:\\> Get-NetQosFlowControl | Select-Object -Skip 0\n" + "\n".join(
    f"{p}          {p == 4!s:<10} Global" for p in range(8)
)
FLOW_LIST = "PS C:\\> Get-NetQosFlowControl | fl\n\n" + "\n\n".join(
    f"Priority  : {p}\nEnabled   : {p == 4}\nPolicySet : Global\nIfIndex   :\nIfAlias   :" for p in range(8)
)
PROPERTIES = r"""PS C:\> Get-NetAdapterAdvancedProperty -Name "SLOT 2"

Name                      DisplayName                    DisplayValue                   RegistryKeyword RegistryValue
----                      -----------                    ------------                   --------------- -------------
SLOT 2                    Jumbo Packet                   9014                           *JumboPacket    {9014}
SLOT 2                    Flow Control                   Rx & Tx Enabled                *FlowControl    {3}
SLOT 2                    NetworkDirect Technology       RoCEv2                         *NetworkDire... {4}
SLOT 2                    Encapsulation Overhead         0                              *EncapOverhead  {0}
"""
PROPERTY_LIST = r"""PS C:\> Get-NetAdapterAdvancedProperty | Format-List Name, DisplayName, DisplayValue

Name         : SLOT 2
DisplayName  : Jumbo Packet
DisplayValue : 9014

Name         : SLOT 2
DisplayName  : NetworkDirect Technology
DisplayValue : iWARP
"""
POLICY = r"""PS C:\> Get-NetQosPolicy

Name           : SMBDirect
Owner          : Group Policy (Machine)
NetworkProfile : All
Precedence     : 127
JobObject      :
NetDirectPort  : 445
PriorityValue  : 4

Name           : DEFAULT
Owner          : Group Policy (Machine)
NetworkProfile : All
Template       : Default
PriorityValue  : 0
"""
CLASSES = r"""PS C:\> Get-NetQosTrafficClass

Name                      Algorithm Bandwidth(%) Priority                  PolicySet        IfIndex IfAlias
----                      --------- ------------ --------                  ---------        ------- -------
[Default]                 ETS       40           0-3,5-7                   Global
SMB                       ETS       60           4                         Global
"""
STATE = r"""PS C:\> Get-NetAdapter | ft Name, Status, LinkSpeed, InterfaceDescription

Name   Status       LinkSpeed InterfaceDescription
----   ------       --------- --------------------
SLOT 2 Up           100 Gbps  NVIDIA ConnectX-6 Lx Adapter
SLOT 3 Disconnected 0 bps     NVIDIA ConnectX-6 Lx Adapter #2
"""


def read(session: str, file: str = "session.txt") -> Device:
    """Return the host of a session of PowerShell."""
    captures = list_captures(Raw(file, "", tuple(session.splitlines()), True))
    return systems()["windows"].parse("win", file, captures)


VALUES = [
    # what was pasted, path from the port "SLOT 2", value
    ("QoS without indentation", QOS, "pfc.priorities", (4,)),
    ("QoS without indentation", QOS, "nic.roce_priority", 4),
    ("QoS without indentation", QOS, "nic.max_pfc_classes", 1),
    ("QoS without its name", QOS.replace("Qos\nName : SLOT 2\n", 'Qos "SLOT 2"\n'), "pfc.priorities", (4,)),
    ("a table of RDMA", RDMA, "nic.model", "ConnectX-6 Lx"),
    ("a list of RDMA", RDMA_LIST, "nic.vendor", "NVIDIA"),
    ("RDMA adapters by name alone", RDMA_BRIEF + FLOW_TABLE, "pfc.priorities", (4,)),
    ("PFC of all, in a table", RDMA + FLOW_TABLE, "pfc.priorities", (4,)),
    ("PFC of all, in a torn table", RDMA + FLOW_TORN, "pfc.priorities", (4,)),
    ("PFC of all, in a table without its head", RDMA + FLOW_HEADLESS, "pfc.priorities", (4,)),
    ("PFC of all, in a list", RDMA + FLOW_LIST, "pfc.priorities", (4,)),
    ("what runs counts more than what is asked", QOS + FLOW_TABLE.replace("True ", "False"), "pfc.priorities", (4,)),
    ("the policy of SMB Direct", RDMA + POLICY, "nic.roce_priority", 4),
    ("properties in a table", PROPERTIES, "ethernet.mtu_bytes", 9000),
    ("properties in a table", PROPERTIES, "pause.rx", True),
    ("properties in a table", PROPERTIES, "nic.transport", "roce"),
    ("properties in a list", PROPERTY_LIST, "ethernet.mtu_bytes", 9000),
    ("properties in a list", PROPERTY_LIST, "nic.transport", "iwarp"),
    ("the state of links", STATE, "nic.link_up", True),
    ("the state of links", STATE, "ethernet.speed_gbps", 100),
    ("line ends of Windows", QOS.replace("\n", "\r\n"), "pfc.priorities", (4,)),
]


@pytest.mark.parametrize(
    ("session", "path", "value"), [row[1:] for row in VALUES], ids=[f"{row[0]}: {row[2]}" for row in VALUES]
)
def test_values(session: str, path: str, value: object) -> None:
    device = read(session)
    (port,) = [port for port in device.ports if port.name == "SLOT 2"]
    found: Any = reduce(getattr, path.split("."), port.config)
    assert value_of(found) == value
    assert device.doubts == ()


def test_an_adapter_that_is_not_for_rdma_gets_nothing_of_what_is_asked_of_all() -> None:
    asked = {port.name: value_of(port.config.pfc.priorities) for port in read(STATE + QOS + FLOW_TABLE).ports}
    assert asked == {"SLOT 2": (4,), "SLOT 3": None}


@pytest.mark.parametrize("session", [FLOW_TABLE, POLICY], ids=["PFC", "policy"])
def test_what_is_asked_of_all_adapters_and_names_none_is_said(session: str) -> None:
    device = read(session)
    assert device.ports == ()
    (doubt,) = device.doubts
    assert doubt.where.line == 2


@pytest.mark.parametrize(
    ("said", "instead", "path"),
    [
        ("Priority 4 Enabled", "Priority 0-2-4 Enabled", "pfc.priorities"),
        ("Priority 4 Enabled", "Priority 5-3 Enabled", "pfc.priorities"),
        ("1 ETS 59% 4\n", "1 ETS 59% 4-\n", ""),
        ("1 ETS 59% 4\n", "1 ETS 59% 6-4\n", ""),
    ],
)
def test_a_malformed_list_of_priorities_is_a_doubt(said: str, instead: str, path: str) -> None:
    assert said in QOS
    device = read(RDMA + QOS.replace(said, instead))
    assert len(device.doubts) == 1
    (port,) = [port for port in device.ports if port.name == "SLOT 2"]
    if path:
        assert value_of(reduce(getattr, path.split("."), port.config)) is None  # type: ignore[arg-type]


def test_some_priorities_alone_give_no_pfc() -> None:
    device = read(RDMA + "\n".join(FLOW_TABLE.splitlines()[:9]))
    assert {value_of(port.config.pfc.priorities) for port in device.ports} == {None}
    (doubt,) = device.doubts
    assert "all eight priorities" in doubt.why


def test_classes_are_known_and_not_modelled() -> None:
    device = read(RDMA + CLASSES)
    assert device.doubts == ()
    assert [port.name for port in device.ports] == ["SLOT 2", "LOM 1"]
