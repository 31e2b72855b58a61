"""Counters that switches print, each with the line that shows it; recognised by content, or by what was said."""

from collections.abc import Callable, Mapping
from pathlib import Path
from time import process_time

import pytest

from auditor.engine.load import read_device
from auditor.inputs.snapshot import find
from auditor.systems.effective import fill_defaults

Write = Callable[[Mapping[str, str | bytes]], Path]

NXOS_PFC = """\
slot  1
=======

Ethernet1/1
    Admin Mode: On
    Oper Mode: On
    VL bitmap: (8)
    Total Rx PFC Frames: 5
    Total Tx PFC Frames: 17
    -----------------------------------------------------
        | Priority0 | Priority1 | Priority2 | Priority3 | Priority4 | Priority5 | Priority6 | Priority7 |
    -----------------------------------------------------
    Rx  |0            |0            |0            |5            |0            |0            |0            |0
    -----------------------------------------------------
    Tx  |0            |0            |0            |17           |0            |0            |0            |0
Ethernet1/2
    Admin Mode: Auto
    Oper Mode: Off
    VL bitmap: (0)
    Total Rx PFC Frames: 0
    Total Tx PFC Frames: 0
"""
NXOS_QUEUING = """\
slot  1
=======

Egress Queuing for Ethernet1/1 [System]
------------------------------------------------------------------------------
QoS-Group# Bandwidth% PrioLevel                Shape                   QLimit
------------------------------------------------------------------------------
      3             50         -                   -            -            6(D)
+-------------------------------------------------------------+
|                              QOS GROUP 0                    |
+-------------------------------------------------------------+
|                           |  Unicast       |Multicast       |
+-------------------------------------------------------------+
|                   Tx Pkts |             812|               9|
| WRED/AFD & Tail Drop Pkts |              44|               3|
| WRED/AFD & Tail Drop Byts |           60000|            3000|
|              Q Depth Byts |               0|               0|
|       WD & Tail Drop Pkts |               8|               0|
+-------------------------------------------------------------+
|                              QOS GROUP 3                    |
+-------------------------------------------------------------+
|                           |  Unicast       |Multicast       |
+-------------------------------------------------------------+
|                   Tx Pkts |            4711|               0|
| WRED/AFD & Tail Drop Pkts |               0|               0|
+-------------------------------------------------------------+
|                      CONTROL QOS GROUP                      |
+-------------------------------------------------------------+
|            Tx Pkts |              21|    Dropped Pkts |     7|
+-------------------------------------------------------------+

Ingress Queuing for Ethernet1/1
-----------------------------------------------------
PFC Statistics
------------------------------------------------------------------------------
TxPPP:                   17,   RxPPP:                    5
------------------------------------------------------------------------------
PFC_COS QOS Group   PG   TxPause   TxCount   RxPause   RxCount
      0         -    -  Inactive         0  Inactive         0
      3         3    2    Active        17    Active         5
"""
NXOS_INTERFACE = """\
Ethernet1/1 is up
admin state is up, Dedicated Interface
  MTU 1500 bytes, BW 100000000 Kbit , DLY 10 usec
  RX
    10 unicast packets  0 multicast packets  0 broadcast packets
    0 runts  913 giants  0 CRC  0 no buffer
"""
EOS = """\
Port               RxPfc         TxPfc
Et1/1                 31           902
Et2                    0             0
"""
SONIC_GROUPS = """\
Ingress PG dropped packets:
     Port    PG0    PG1    PG2    PG3    PG4    PG5    PG6    PG7
---------  -----  -----  -----  -----  -----  -----  -----  -----
Ethernet0      0    N/A      0  1,204      0      0      0      0
Ethernet4      0      0      0      0      0      0      0      0
Ingress shared pool occupancy per PG:
     Port    PG0    PG1    PG2    PG3    PG4    PG5    PG6    PG7
---------  -----  -----  -----  -----  -----  -----  -----  -----
Ethernet0   9999   9999   9999   9999   9999   9999   9999   9999
"""
SONIC_QUEUES = """\
     Port    TxQ    Counter/pkts    Counter/bytes    Drop/pkts    Drop/bytes
---------  -----  --------------  ---------------  -----------  ------------
Ethernet0    UC0           2,204        3,033,040            0             0
Ethernet0    UC3           9,000       12,000,000           12        16,000
Ethernet0    MC8               0                0           99             0
"""
SONIC_WRED = """\
     Port    TxQ    WredDrp/pkts    WredDrp/bytes    EcnMarked/pkts    EcnMarked/bytes
---------  -----  --------------  ---------------  ----------------  -----------------
Ethernet0    UC0               6            8,000               N/A                N/A
Ethernet0    UC3               0                0         1,032,731      1,549,096,500
"""
JUNOS_EXTENSIVE = """\
Physical interface: et-0/0/1, Enabled, Physical link is Up
  Link-level type: Ethernet, MTU: 9216, MRU: 9224, Speed: 100Gbps, BPDU Error: None, Flow control: Disabled
  Ingress queues: 8 supported, 4 in use
  Queue counters:       Queued packets  Transmitted packets      Dropped packets
    3                              100                  100                   77
  Egress queues: 8 supported, 4 in use
  Queue counters:       Queued packets  Transmitted packets      Dropped packets
    0 best-effort             29689243             29689243                   25
    3                                0                    0                    0
  Queue number:         Mapped forwarding classes
    0                   best-effort
  MAC statistics:                      Receive         Transmit
    Total packets                      7187555      29695303198
    MAC control frames                       9                0
    MAC pause frames                         4                6
  MAC Priority Flow Control Statistics:
    Priority :  0                             0                0
    Priority :  3                          1200              340
  Packet Forwarding Engine configuration:
    Destination slot: 0 (0x00)
"""
JUNOS_QUEUE = """\
Physical interface: et-0/0/1, Enabled, Physical link is Up
  Interface index: 158, SNMP ifIndex: 534
Forwarding classes: 16 supported, 6 in use
Egress queues: 8 supported, 6 in use
Queue: 3, Forwarding classes: ROCE
  Queued:
    Packets              :               1346715               1320 pps
    Bytes                :              75562459              62709 bps
  Transmitted:
    Packets              :               1094135               8149 pps
    Tail-dropped packets :                    11                  0 pps
    RED-dropped packets  :                    25                  5 pps
    RED-dropped bytes    :              14992331             240129 bps
    ECN-CE packets       :                 43210                  0 pps
"""
CUMULUS = """\
Ingress Buffer Statistics
============================
    priority-group  rx-frames  rx-buffer-discards  rx-shared-buffer-discards
    --------------  ---------  ------------------  -------------------------
    0               0          0 Bytes             0 Bytes
    3               812        2.00 KB             0 Bytes

Egress Queue Statistics
==========================
    traffic-class  tx-frames  tx-bytes  tx-uc-buffer-discards  wred-discards
    -------------  ---------  --------  ---------------------  -------------
    0              9          712 Bytes  0 Bytes                0
    3              0          0 Bytes   128 Bytes              4

PFC Statistics
=================
    switch-priority  rx-pause-frames  rx-pause-duration  tx-pause-frames  tx-pause-duration
    ---------------  ---------------  -----------------  ---------------  -----------------
    3                12               480                7                210

Qos Port Statistics
======================
    Counter             Receive  Transmit
    ------------------  -------  --------
    ecn-marked-packets  n/a      0
"""


@pytest.mark.parametrize(
    ("os", "command", "text", "expected"),
    [
        (
            "cisco_nxos",
            "",
            NXOS_PFC,
            {"rx_pfc": (5, 8), "tx_pfc": (17, 9), "rx_pfc_3": (5, 13), "tx_pfc_3": (17, 15), "tx_pfc_7": (0, 15)},
        ),
        (
            "cisco_nxos",
            "",
            NXOS_QUEUING,
            {
                "tx_queue0_discards": (44, 15),
                "tx_queue3_discards": (0, 25),
                "rx_pfc_0": (0, 39),
                "rx_pfc_3": (5, 40),
                "tx_pfc_3": (17, 40),
            },
        ),
        ("cisco_nxos", "", NXOS_INTERFACE, {"rx_oversize": (913, 6)}),
        ("arista_eos", "", EOS, {"rx_pfc": (31, 2), "tx_pfc": (902, 2)}),
        ("sonic", "", SONIC_GROUPS, {"rx_pg0_discards": (0, 4), "rx_pg3_discards": (1204, 4)}),
        ("sonic", "", SONIC_QUEUES, {"tx_queue0_discards": (0, 3), "tx_queue3_discards": (12, 4)}),
        (
            "sonic",
            "",
            SONIC_WRED,
            {
                "tx_queue0_wred_discards": (6, 3),
                "tx_queue3_wred_discards": (0, 4),
                "tx_queue3_ecn_marked": (1032731, 4),
            },
        ),
        (
            "juniper_junos",
            "",
            JUNOS_EXTENSIVE,
            {
                "tx_queue0_discards": (25, 8),
                "tx_queue3_discards": (0, 9),
                "rx_pause_frames": (4, 15),
                "tx_pause_frames": (6, 15),
                "rx_pfc_3": (1200, 18),
                "tx_pfc_3": (340, 18),
            },
        ),
        (
            "juniper_junos",
            "show interfaces queue",
            JUNOS_QUEUE,
            {
                "tx_queue3_tail_discards": (11, 11),
                "tx_queue3_wred_discards": (25, 12),
                "tx_queue3_ecn_marked": (43210, 14),
            },
        ),
        (
            "cumulus_nvue",
            "nv show interface swp1 counters qos",
            CUMULUS,
            {
                "rx_pg3_discards_bytes": (2048, 6),
                "rx_pg3_shared_discards_bytes": (0, 6),
                "tx_queue3_discards_bytes": (128, 13),
                "tx_queue3_wred_discards": (4, 13),
                "rx_pfc_3": (12, 19),
                "tx_pfc_3": (7, 19),
            },
        ),
    ],
)
def test_counters_of_a_switch(
    write: Write, os: str, command: str, text: str, expected: dict[str, tuple[int, int]]
) -> None:
    head = f"$ {command}\n" if command else ""
    (unit,) = find([str(write({"leaf1/output.txt": head + text}))]).units
    assert unit.os == os
    (port, *_) = fill_defaults(read_device(unit).device).ports
    shift = head.count("\n")
    found = {
        name: (known.value, known.where.line - shift if known.where else None)
        for name, known in (port.counters or {}).items()
    }
    assert {name: found.get(name) for name in expected} == expected
    assert not any(value for name, (value, _) in found.items() if name not in expected)


HOSTILE = (
    "|" * 50_000,
    "| " * 25_000 + "Dropped Pkts",
    "|" + " " * 50_000 + "Dropped Pkts |",
    "Ethernet1/1" + " 9" * 25_000,
    "Rx  |" + "9" * 50_000,
    "Rx  |" + "1|" * 25_000,
    "Et1/1 " + "9" * 5_000 + " 1",
    "Priority :  3  " + "9" * 50_000,
    "switch-priority" + "  a-b" * 10_000 + "  !",
    "    3  " + "1  " * 20_000,
    "Port TxQ " + "Drop/pkts " * 5_000 + "\nEthernet0 UC3 " + "7 " * 5_000,
    "Port" + "".join(f" PG{n}" for n in range(5_000)) + "\nEthernet0" + " 5" * 5_000,
)


@pytest.mark.parametrize("hostile", range(len(HOSTILE)))
@pytest.mark.parametrize(
    ("os", "command", "text"),
    [
        ("cisco_nxos", "", NXOS_PFC),
        ("cisco_nxos", "", NXOS_QUEUING),
        ("arista_eos", "", EOS),
        ("sonic", "", SONIC_GROUPS),
        ("sonic", "", SONIC_QUEUES),
        ("juniper_junos", "", JUNOS_EXTENSIVE),
        ("cumulus_nvue", "nv show interface swp1 counters qos", CUMULUS),
    ],
    ids=["NX-OS pauses", "NX-OS queues", "EOS", "SONiC groups", "SONiC queues", "Junos", "Cumulus"],
)
def test_hostile_lines_cost_no_time_and_hide_no_counters(
    write: Write, os: str, command: str, text: str, hostile: int
) -> None:
    head = f"$ {command}\n" if command else ""
    (unit,) = find([str(write({"leaf1/output.txt": f"{head}{text}{HOSTILE[hostile]}\n"}))]).units
    started = process_time()
    port = read_device(unit).device.ports[0]
    assert process_time() - started < 2
    assert (unit.os, bool(port.counters)) == (os, True)
