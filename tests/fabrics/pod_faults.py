"""What is planted in fixtures/pod-faulty: what is found of each fault, what undoes it, and how it comes about."""

from dataclasses import dataclass, replace

from planted import Edit, Fault, Row
from pod_nics import DSCP_TABLE

NEXUS = tuple(f"Ethernet1/{port}" for port in range(1, 33))
SONIC = tuple(f"Ethernet{4 * (port - 1)}" for port in (*range(1, 13), 15, 16))
SERVER = (*(f"rail{rail}" for rail in range(8)), "stor0")
FEW = 4


@dataclass(frozen=True)
class Planted(Fault):
    """A fault with the rest of its row in FAULTS.md: `how` it comes about."""

    how: str = ""

    def told(self) -> str:
        """Return its row of the table."""
        number, _, title = self.name.partition(" ")
        ports = tuple(dict.fromkeys(port for row in self.rows for port in row.ports))
        lines: dict[str, set[int]] = {}
        for row in self.rows:
            lines.setdefault(row.file, set()).add(row.line)
        cells = (
            number,
            title,
            self.rows[0].device,
            ", ".join(ports) or "(device)" if len(ports) < FEW else f"all {len(ports)} in use",
            "; ".join(f"{file}:{_listed(sorted(numbers))}" for file, numbers in lines.items()),
            ", ".join(dict.fromkeys(row.rule for row in self.rows)),
            self.how,
        )
        return f"| {' | '.join(cells)} |"


def _listed(lines: list[int]) -> str:
    return ", ".join(map(str, lines if len(lines) <= FEW else [*lines[:2], "…", lines[-1]]))


def config(device: str) -> str:
    """Return the file of a switch's configuration."""
    return f"{device}/{'config_db.json' if device.startswith('stor') else 'show_running-config.txt'}"


def rows(rules: str, place: str, line: int, quoted: str, ports: tuple[str, ...] | None = None) -> tuple[Row, ...]:
    """Return what each of several rules says of a line of a device's dump; *place* is the device, and a port of it."""
    device, _, port = place.partition(" ")
    file = f"{device}.txt" if device.startswith(("gpu", "nfs")) else config(device)
    at = ports if ports is not None else (port,) if port else ()
    return tuple(Row(rule, device, at, file, line, quoted) for rule in rules.split())


def by_port(rule: str, device: str, first: int, quoted: str) -> tuple[Row, ...]:
    """Return what a rule says of all ports of a leaf or spine, whose stanzas have 11 lines each."""
    return tuple(
        Row(rule, device, (port,), config(device), first + 11 * index, quoted.format(port))
        for index, port in enumerate(NEXUS)
    )


WATCHDOG = "  priority-flow-control watch-dog-interval {}\n"
CURVE = "random-detect minimum-threshold {} kbytes maximum-threshold {} kbytes drop-probability 7 weight 0"
PAUSE = "pause buffer-size {} pause-threshold 83200 resume-threshold 62400"
INPUT = "policy-map type queuing {}\n  class type queuing c-in-q{}\n    {}\n"
NO_DROP_4 = "  class type queuing c-in-q4\n    " + PAUSE.format(187200) + "\n"
REWRITE = '    "TC_TO_DSCP_MAP": {\n        "LEGACY": {\n            "3": "24"\n        }\n    },\n'
BOUND = (
    '"{}": {{\n            "dscp_to_tc_map": "SU1",\n            "pfc_enable": "3",\n'
    '            "pfc_to_queue_map": "SU1",\n            "pfcwd_sw_enable": "3",\n'
)
LAST_TACACS = '"192.0.2.30": {\n            "priority": "1",\n            "tcp_port": "49"\n        }\n    },\n'
NEIGHBOUR = "Ethernet60   stor-leaf{0}      Ethernet60      BR            Ethernet60\n"
BUFFERS = "Receive buffer size (bytes): 20016,{},0,0,0,0,0,0,max_buffer_size={}"
LANES = "LnkSta:\tSpeed 16GT/s, Width {}"
IP_LINK = (
    '{"ifindex":5,"ifname":"rail2","flags":["BROADCAST","MULTICAST","UP","LOWER_UP"],"mtu":1500,"qdisc":"mq",'
    '"operstate":"UP","link_type":"ether","address":"02:00:5e:20:0b:02","broadcast":"ff:ff:ff:ff:ff:ff","min_mtu":68,'
    '"max_mtu":9978,"parentbus":"pci","parentdev":"0000:4d:00.0"},'
)
SWITCH = """\
     "name": "rail{}",
     "via": "LLDP",
     "rid": "{}",
     "chassis": [
      {{
       "id": [
        {{
         "type": "local",
         "value": "leaf{}"
        }}
       ],
       "name": [
        {{
         "value": "leaf{}"
"""
PFC = "\tenabled     {0}   \n\tbuffer      {0}   \n"


def _nexus() -> tuple[Planted, ...]:
    own, storage = INPUT.format("SU1-IN", 3, PAUSE.format(187200)), INPUT.format("STOR-IN", 3, PAUSE.format(110240))
    return (
        Planted(
            "PFC off",
            rows("PFC001 PFC003", "leaf1 Ethernet1/5", 151, "priority-flow-control mode off"),
            (Edit(config("leaf1"), "mode off", "mode on", below="description gpu05 rail0\n"),),
            "Switched off while gpu05 was being repaired, and not switched on again. Its link is up.",
        ),
        Planted(
            "watchdog off",
            rows("WDG001", "leaf2 Ethernet1/21", 328, "priority-flow-control watch-dog-interval off"),
            (Edit(config("leaf2"), WATCHDOG.format("off"), WATCHDOG.format("on"), below="interface Ethernet1/21\n"),),
            "It fired while spine2 was restarted and was taken for the culprit.",
        ),
        Planted(
            "WRED without `ecn`",
            rows("ECN002", "leaf3", 76, CURVE.format(150, 3000), NEXUS),
            (Edit(config("leaf3"), "weight 0\n", "weight 0 ecn\n"),),
            "The last word was lost when the line was typed again: what marked now drops.",
        ),
        Planted(
            "no `mtu` line",
            rows("MTU001 MTU002", "leaf4 Ethernet1/30", 422, "interface Ethernet1/30"),
            (
                Edit(
                    config("leaf4"),
                    WATCHDOG.format("on"),
                    WATCHDOG.format("on") + "  mtu 9216\n",
                    below="interface Ethernet1/30\n",
                ),
            ),
            "`default interface` after an optic was replaced; everything but the MTU came back.",
        ),
        Planted(
            "undefined access list",
            rows("CLS004", "leaf5", 55, "match access-group name ACL-NFS-RDMA"),
            (
                Edit(
                    config("leaf5"),
                    "  match access-group name ACL-NFS-RDMA\n",
                    "",
                    below="class-map type qos match-any STORAGE\n  match dscp 18\n",
                ),
            ),
            "The class map was copied from another pod, its access list was not.",
        ),
        Planted(
            "no classification on a port",
            rows("CLS001", "leaf5 Ethernet1/9", 192, "interface Ethernet1/9"),
            (
                Edit(
                    config("leaf5"),
                    "  mtu 9216\n",
                    "  mtu 9216\n  service-policy type qos input SU1-CLASSIFY\n",
                    below="interface Ethernet1/9\n",
                ),
            ),
            "gpu09 was moved to this port, whose stanza was typed by hand.",
        ),
        Planted(
            "headroom of a 100G template",
            (
                *rows("BUF001", "leaf6", 64, PAUSE.format(110240), NEXUS),
                *rows("CLS005", "leaf6", 65, "policy-map type queuing SU1-IN"),
            ),
            (
                Edit(config("leaf6"), "input STOR-IN\n", "input SU1-IN\n"),
                Edit(config("leaf6"), storage + own, own),
            ),
            "leaf6 came from the storage network. The right policy was added and never attached under `system qos`.",
        ),
        Planted(
            "unmarked packets in the RDMA class",
            rows("CLS010", "leaf7", 57, "set qos-group 3", NEXUS),
            (Edit(config("leaf7"), "  match dscp 0,26\n", "  match dscp 26\n"),),
            "DSCP 0 (line 50) was added for one server whose jobs did not mark, and stayed. All other traffic is now "
            "paused with RDMA.",
        ),
        Planted(
            "ECN marks after the pause",
            rows("ECN004", "leaf8", 76, CURVE.format(1500, 3000) + " ecn", NEXUS),
            (Edit(config("leaf8"), "minimum-threshold 1500 ", "minimum-threshold 150 "),),
            "One zero too many. Eight senders are paused long before the first mark.",
        ),
        Planted(
            "Kmin and Kmax swapped",
            rows("ECN003", "spine1", 76, CURVE.format(3000, 150) + " ecn", NEXUS),
            (Edit(config("spine1"), CURVE.format(3000, 150), CURVE.format(150, 3000)),),
            "Two numbers entered into a form in the wrong order.",
        ),
        Planted(
            "RDMA class matches DSCP 24",
            rows("CLS002", "spine2", 50, "match dscp 24", NEXUS),
            (Edit(config("spine2"), "  match dscp 24\n", "  match dscp 26\n"),),
            "24 is what the vendor's guide uses (line 50), and spine2 was configured from the guide.",
        ),
        Planted(
            "no-drop policy not in force",
            (
                *by_port("PFC002", "spine3", 106, "priority-flow-control mode on"),
                *by_port("PFC003", "spine3", 102, "interface {}"),
                *rows("CLS005", "spine3", 8, "policy-map type network-qos SU1-LOSSLESS"),
            ),
            (
                Edit(
                    config("spine3"),
                    "system qos\n",
                    "system qos\n  service-policy type network-qos SU1-LOSSLESS\n",
                ),
            ),
            "Its line under `system qos` did not survive an upgrade. PFC is on everywhere, and no class is no-drop.",
        ),
        Planted(
            "second lossless priority",
            rows("PFC004", "spine4", 16, "pause pfc-cos 4", NEXUS),
            (
                Edit(config("spine4"), "    pause pfc-cos 4\n", "", below="class type network-qos c-8q-nq4\n"),
                Edit(config("spine4"), NO_DROP_4, "", below="policy-map type queuing SU1-IN\n"),
            ),
            "spine4 was prepared for storage with RDMA, which went elsewhere. Half of its headroom is for nothing.",
        ),
    )


def _sonic() -> tuple[Planted, ...]:
    one, two = config("stor-leaf1"), config("stor-leaf2")
    return (
        Planted(
            "CNPs in the no-drop class",
            rows("CLS003", "stor-leaf1", 410, '"48": "3",', SONIC),
            (Edit(one, '"48": "3"', '"48": "6"', below='"DSCP_TO_TC_MAP"'),),
            "What belongs to RDMA was put where RDMA is. CNPs now wait behind the pauses that they are to end.",
        ),
        Planted(
            "RDMA rewritten to DSCP 24",
            rows("CLS007 CLS009", "stor-leaf1 Ethernet56", 1068, '"3": "24"'),
            (
                Edit(one, '            "tc_to_dscp_map": "LEGACY",\n', "", below=BOUND.format("Ethernet56")),
                Edit(one, REWRITE, "", below=LAST_TACACS),
            ),
            "Left from when the switch beside it was of another maker and sorted by 24. The one of today does not.",
        ),
        Planted(
            "two speeds on one cable",
            (
                *rows("TOP001", "stor-leaf1 Ethernet60", 704, '"speed": "40000"'),
                *rows("BUF004", "stor-leaf1 Ethernet60", 97, '"profile": "pg_lossless_100000_40m_profile"'),
            ),
            (
                Edit(one, '"speed": "40000"', '"speed": "100000"', below='"description": "stor-leaf2 Ethernet60"'),
                *(
                    Edit(
                        f"stor-leaf{number}/show_lldp_table.txt",
                        "-" * 50 + "\nTotal entries displayed:  13",
                        NEIGHBOUR.format(3 - number) + "-" * 50 + "\nTotal entries displayed:  14",
                    )
                    for number in (1, 2)
                ),
            ),
            "One end was set for an old 40G optic while the new one was awaited. The link is down, its sister is not.",
        ),
        Planted(
            "storage leaves by the queue of RDMA",
            rows("SCH001", "stor-leaf1", 1087, '"2": "3",', SONIC),
            (Edit(one, '"2": "3"', '"2": "2"', below='"TC_TO_QUEUE_MAP"'),),
            "Storage was to get the bandwidth of queue 3. A pause for RDMA now stops it too.",
        ),
        Planted(
            "storage in the default class",
            rows("CLS008", "stor-leaf2", 377, '"18": "0",', SONIC),
            (Edit(two, '"18": "0"', '"18": "2"', below='"DSCP_TO_TC_MAP"'),),
            "The map is that of the back end before storage had a class.",
        ),
        Planted(
            "queue without ECN",
            rows("ECN001", "stor-leaf2 Ethernet12", 852, '"Ethernet12|3": {'),
            (
                Edit(
                    two,
                    "\n",
                    ',\n            "wred_profile": "LOSSLESS"\n',
                    below='"Ethernet12|3": {\n            "scheduler": "rdma"',
                ),
            ),
            "The port was broken out and put together again; its queue came back without the profile.",
        ),
        Planted(
            "watchdog watches priority 4",
            (
                *rows("WDG002", "stor-leaf2 Ethernet20", 747, '"pfcwd_sw_enable": "4",'),
                *rows("WDG004", "stor-leaf2 Ethernet20", 745, '"pfc_enable": "3",'),
            ),
            (
                Edit(
                    two,
                    '"pfcwd_sw_enable": "4"',
                    '"pfcwd_sw_enable": "3"',
                    below='"Ethernet20": {\n            "dscp_to_tc_map"',
                ),
            ),
            "Priority 4 is lossless by SONiC's own templates. Priority 3 stays unwatched.",
        ),
    )


def _servers() -> tuple[Planted, ...]:
    ecn = "/sys/class/net/{}/ecn/roce_rp/{}"
    firmware = "{:<35} {:<12}{:<12}{}"
    quoted = "LLDP_NB_TX_MODE_P1", "OFF(0)"
    return (
        Planted(
            "PFC on priority 4 instead of 3",
            rows("PFC001 PFC003 PFC004 CLS002", "gpu01 rail1", 826, "enabled     0   0   0   0   1   0   0   0"),
            (
                Edit(
                    "gpu01.txt",
                    PFC.format("0   0   0   0   1   0   0   0"),
                    PFC.format("0   0   0   1   0   0   0   0"),
                    below="$ mlnx_qos -i rail1\n",
                ),
            ),
            "`mlnx_qos --pfc 0,0,0,0,1,0,0,0`: one zero too many.",
        ),
        Planted(
            "link pause on",
            rows("PFC005", "gpu02 rail2", 912, "RX:\t\ton"),
            (Edit("gpu02.txt", "RX:\t\ton", "RX:\t\toff", below="$ ethtool -a rail2\n"),),
            "The driver's default is back after an update.",
        ),
        Planted(
            "trust pcp",
            rows("CLS001", "gpu03 rail3", 1021, "Priority trust state: pcp"),
            (
                Edit(
                    "gpu03.txt",
                    "trust state: pcp\n",
                    f"trust state: dscp\n{DSCP_TABLE}",
                    below="$ mlnx_qos -i rail3\n",
                ),
            ),
            "The trust state does not survive a reboot, and the boot script sets PFC only.",
        ),
        Planted(
            "RDMA marked with DSCP 24",
            rows("CLS006", "gpu04 rail4", 675, "Global tclass=96"),
            (Edit("gpu04.txt", "tclass=96", "tclass=106", below="mlx5_4/tc/1/traffic_class\n"),),
            "`echo 96 > …/traffic_class`, from the vendor's guide.",
        ),
        Planted(
            "reaction point off",
            rows("CCN001", "gpu05 rail5", 1276, ecn.format("rail5", "enable/3:0")),
            (Edit("gpu05.txt", ecn.format("rail5", "enable/3:0"), ecn.format("rail5", "enable/3:1")),),
            "Switched off to measure something, and forgotten.",
        ),
        Planted(
            "DCQCN parameter out of its range",
            rows("CCN002", "gpu06 rail6", 1394, ecn.format("rail6", "rpg_min_dec_fac:150")),
            (Edit("gpu06.txt", ecn.format("rail6", "rpg_min_dec_fac:150"), ecn.format("rail6", "rpg_min_dec_fac:50")),),
            "Copied from a note that counts in per mille; the driver counts in per cent.",
        ),
        Planted(
            "the next boot changes the DSCP of CNPs",
            rows("HST001", "gpu07 rail7", 1514, firmware.format("CNP_DSCP_P1", 48, 48, 0)),
            (
                Edit(
                    "gpu07.txt",
                    firmware.format("CNP_DSCP_P1", 48, 48, 0),
                    firmware.format("CNP_DSCP_P1", 48, 48, 48),
                    below="$ mlxconfig -d 0000:dc:00.0 -e q\n",
                ),
            ),
            "Set to 0 for a test of another fabric. It waits for the next boot.",
        ),
        Planted(
            "two LLDP agents",
            rows("HST002", "gpu08 rail0", 783, firmware.format(*quoted, "ALL(2)", "ALL(2)")),
            (
                Edit(
                    "gpu08.txt",
                    firmware.format(*quoted, "ALL(2)", "ALL(2)"),
                    firmware.format(*quoted, "OFF(0)", "OFF(0)"),
                    below="$ mlxconfig -d 0000:1a:00.0 -e q\n",
                ),
            ),
            "A card from stock, whose firmware announces itself beside lldpd.",
        ),
        Planted(
            "lldpad beside lldpd",
            (
                *rows("HST002", "gpu09", 209, "{", SERVER),
                *rows("HST003", "gpu09", 533, "active", SERVER),
            ),
            (
                Edit(
                    "gpu09.txt", "active\nactive\n", "inactive\nactive\n", below="$ systemctl is-active lldpad lldpd\n"
                ),
            ),
            "Pulled in with a package for FCoE. It writes its own PFC over what was set by hand.",
        ),
        Planted(
            "receive buffer shared",
            (
                *rows("HST007", "gpu10 rail1", 827, "buffer      0   0   0   0   0   0   0   0"),
                *rows("HST007", "gpu10 rail1", 822, BUFFERS.format("156096", 4181120)),
            ),
            (
                Edit(
                    "gpu10.txt",
                    "buffer      0   0   0   0 ",
                    "buffer      0   0   0   1 ",
                    below="$ mlnx_qos -i rail1\n",
                ),
            ),
            "`mlnx_qos --prio2buffer` with eight zeros, from a note about something else.",
        ),
        Planted(
            "MTU 1500",
            rows("MTU002", "gpu11 rail2", 14, IP_LINK),
            (
                Edit("gpu11.txt", '"mtu":1500', '"mtu":9000', below='"ifname":"rail2"'),
                Edit("gpu11.txt", "active_mtu:\t\t1024 (3)", "active_mtu:\t\t4096 (5)", below="hca_id:\tmlx5_2\n"),
            ),
            "The interface was renamed, and the MTU is set under its old name.",
        ),
        Planted(
            "old firmware",
            rows("FLT001", "gpu12 rail3", 81, "fw_ver:\t\t\t\t28.39.3560"),
            (
                Edit("gpu12.txt", "28.39.3560", "28.43.2026", below="hca_id:\tmlx5_3\n"),
                Edit("gpu12.txt", "28.39.3560", "28.43.2026", below="$ ethtool -i rail3\n"),
            ),
            "A card that was replaced after the roll-out.",
        ),
        Planted(
            "CNPs marked with DSCP 46",
            rows("CLS006", "gpu13 rail0", 893, "cnp dscp				: 46"),
            (
                Edit(
                    "gpu13.txt",
                    "cnp dscp				: 46",
                    "cnp dscp				: 48",
                    below="bnxt_re0/ports/1/cc/apply\n",
                ),
            ),
            "46 is another vendor's CNP. Every switch puts these into the default class.",
        ),
        Planted(
            "GID index of another vendor",
            rows("HST004", "gpu14", 505, "NCCL_IB_GID_INDEX=3", SERVER[:-1]),
            (Edit("gpu14.txt", "NCCL_IB_GID_INDEX=3", "NCCL_IB_GID_INDEX=1"),),
            "The file is that of the NVIDIA racks, where RoCE v2 is index 3.",
        ),
        Planted(
            "job asks for DSCP 6",
            rows("HST006", "gpu15", 504, "NCCL_IB_TC=26"),
            (Edit("gpu15.txt", "NCCL_IB_TC=26", "NCCL_IB_TC=106"),),
            "The DSCP written where the traffic class, four times as large, is asked for.",
        ),
        Planted(
            "PCIe ACS on",
            rows(
                "HST008",
                "gpu16",
                764,
                "ACSCtl:\tSrcValid- TransBlk- ReqRedir+ CmpltRedir+ UpstreamFwd- EgressCtrl- DirectTrans-",
            ),
            (
                Edit(
                    "gpu16.txt",
                    "ReqRedir+ CmpltRedir+ UpstreamFwd- ",
                    "ReqRedir- CmpltRedir- UpstreamFwd- ",
                    below="19:01.0 PCI bridge",
                ),
            ),
            "Virtualisation was switched on in the BIOS. GPU and NIC meet at the CPU only.",
        ),
        Planted(
            "relaxed ordering off",
            rows("HST009", "nfs1 stor0", 160, "RlxdOrd- ExtTag+ PhantFunc- AuxPwr- NoSnoop- FLReset-"),
            (Edit("nfs1.txt", "RlxdOrd-", "RlxdOrd+", below="ad:00.0 Ethernet"),),
            "A BIOS default of the storage servers' maker, set right on the others.",
        ),
        Planted(
            "half of the PCIe lanes",
            rows("HST014", "nfs2 stor0", 163, LANES.format("x8 (downgraded)")),
            (Edit("nfs2.txt", LANES.format("x8 (downgraded)"), LANES.format("x16"), below="ad:00.0 Ethernet"),),
            "The card does not sit right in its riser.",
        ),
        Planted(
            "receive buffer too small",
            rows("HST007", "nfs4 stor1", 319, BUFFERS.format("32768", 1043456)),
            (Edit("nfs4.txt", "20016,32768", "20016,77568", below="$ mlnx_qos -i stor1\n"),),
            "`mlnx_qos --buffer_size` by hand, for more lossy buffer.",
        ),
        Planted(
            "two rails crossed",
            (
                *rows("TOP003", "gpu07 rail0", 214, '"name": "rail0",'),
                *rows("TOP003", "gpu07 rail1", 249, '"name": "rail1",'),
            ),
            (
                Edit("gpu07.txt", SWITCH.format(0, 1, 2, 2), SWITCH.format(0, 1, 1, 1)),
                Edit("gpu07.txt", SWITCH.format(1, 2, 1, 1), SWITCH.format(1, 2, 2, 2)),
            ),
            "Two cables were swapped when the server's NICs were changed.",
        ),
    )


FAULTS: tuple[Planted, ...] = tuple(
    replace(fault, name=f"{number} {fault.name}") for number, fault in enumerate((*_nexus(), *_sonic(), *_servers()), 1)
)
