"""The pod's servers, as transcripts of the script that gathers a host."""

import json

from pod_nics import (
    CONNECTX6,
    CONNECTX7,
    THOR,
    THOR2,
    TRAFFIC_CLASS,
    Nic,
    broadcom_rdma,
    linked,
    niccli,
    nvidia,
    nvidia_rdma,
)
from pod_wiring import (
    GPU_SERVERS,
    PER_STORAGE_LEAF,
    RAILS,
    STORAGE_LEAVES,
    PortName,
    nexus_port,
    rail_address,
    storage_address,
)

NVIDIA_SERVERS = range(1, 13)
BUSES = ("1a", "3c", "4d", "5e", "9c", "bc", "cc", "dc", "2b", "ad")
SWITCH_MAC = "02:00:5e:4e"


def gpu_server(number: int, port_name: PortName = nexus_port, *, has_storage: bool = True) -> str:
    """Return the transcript of a GPU server: 8 NICs in the fabric of the GPUs, and mostly one in that of storage."""
    is_nvidia = number in NVIDIA_SERVERS
    fast, slow = (CONNECTX7, CONNECTX6) if is_nvidia else (THOR2, THOR)
    kind = "mlx5_" if is_nvidia else "bnxt_re"
    nics = [
        Nic(
            f"rail{rail}", f"{kind}{rail}", f"0000:{BUSES[rail]}:00.0", _mac(number, rail), rail_address(number, rail),
            f"leaf{rail + 1}", port_name(number), 400, fast,
        )
        for rail in range(RAILS)
    ]  # fmt: skip
    if has_storage:
        leaf = (number - 1) // PER_STORAGE_LEAF + 1
        port = f"Ethernet{4 * ((number - 1) % PER_STORAGE_LEAF)}"
        nics.append(
            Nic(
                "stor0", f"{kind}{RAILS}", f"0000:{BUSES[RAILS]}:00.0", _mac(number, RAILS), f"10.40.{number}.1",
                f"stor-leaf{leaf}", port, 100, slow,
            )
        )  # fmt: skip
    return transcript(f"gpu{number:02d}", nics, has_gpus=True)


def storage_server(number: int) -> str:
    """Return the transcript of a storage server: a NIC on each of the two switches."""
    port = f"Ethernet{4 * (PER_STORAGE_LEAF + number - 1)}"
    nics = [
        Nic(
            f"stor{leaf - 1}", f"mlx5_{leaf - 1}", f"0000:{BUSES[-leaf]}:00.0", _mac(len(GPU_SERVERS) + number, leaf),
            storage_address(number, leaf), f"stor-leaf{leaf}", port, 100, CONNECTX6,
        )
        for leaf in STORAGE_LEAVES
    ]  # fmt: skip
    return transcript(f"nfs{number}", nics, has_gpus=False)


def _mac(server: int, nic: int) -> str:
    return f"02:00:5e:20:{server:02x}:{nic:02x}"


def transcript(name: str, nics: list[Nic], *, has_gpus: bool) -> str:
    """Return what is captured of a host, its RDMA devices and its interfaces, one behind the other."""
    is_nvidia = nics[0].card.driver == "mlx5_core"
    captures = [
        ("uname -n", name),
        ("uname -r", "5.15.0-122-generic"),
        ("cat /etc/os-release", 'PRETTY_NAME="Ubuntu 22.04.5 LTS"\nNAME="Ubuntu"\nVERSION_ID="22.04"'),
        ("ip -j -d link", _ip_link(nics)),
    ]
    if is_nvidia:
        mapped = "\n".join(f"{nic.rdma} port 1 ==> {nic.netdev} (Up)" for nic in nics)
        captures.append(("ibdev2netdev", mapped))
    captures += [("rdma -j link", _rdma_link(nics)), ("ibv_devinfo -v", "\n\n".join(map(_devinfo, nics)))]
    if is_nvidia:
        captures.append(("show_gids", _gids(nics)))
    captures += [
        ("lldpctl -f json0", _lldp(nics)),
        ("systemctl is-active lldpad lldpd", "inactive\nactive"),
        ("sysctl net.ipv4.tcp_ecn", "net.ipv4.tcp_ecn = 2"),
        ("cat /proc/modules", _modules(has_gpus=has_gpus, is_nvidia=is_nvidia)),
    ]
    if has_gpus:
        captures.append(("cat /etc/nccl.conf", _nccl(is_nvidia=is_nvidia)))
    if not is_nvidia:
        captures += niccli(nics)
    captures.append(("lspci -vvv", "\n\n".join(map(_lspci, nics))))
    for nic in nics:
        captures += (nvidia_rdma if is_nvidia else broadcom_rdma)(nic)
    for nic in nics:
        captures += (nvidia if is_nvidia else linked)(nic)
    if has_gpus and is_nvidia:
        captures.append(("nvidia-smi topo -m", _matrix(nics)))
    if has_gpus:
        captures.append(("grep -o '[a-z_]*iommu[.a-z]*=[^ ]*' /proc/cmdline", "iommu=pt"))
    head = "# gathered with roce-audit 0.1.0 by user 0 on 2026-11-21 05:30:00 UTC\n"
    return head + "".join(f"$ {command}\n{output}\n" for command, output in captures)


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def _ip_link(nics: list[Nic]) -> str:
    own = [("eno1", "02:00:5e:20:ff:01", 1500, "0000:01:00.0")]
    links = [
        {
            "ifindex": index,
            "ifname": name,
            "flags": ["BROADCAST", "MULTICAST", "UP", "LOWER_UP"],
            "mtu": mtu,
            "qdisc": "mq",
            "operstate": "UP",
            "link_type": "ether",
            "address": mac,
            "broadcast": "ff:ff:ff:ff:ff:ff",
            "min_mtu": 68,
            "max_mtu": 9978,
            "parentbus": "pci",
            "parentdev": pci,
        }
        for index, (name, mac, mtu, pci) in enumerate(own + [(nic.netdev, nic.mac, 9000, nic.pci) for nic in nics], 2)
    ]
    return "[" + ",\n".join(map(_json, links)) + "]"


def _rdma_link(nics: list[Nic]) -> str:
    links = [
        {
            "ifindex": index,
            "ifname": nic.rdma,
            "port": 1,
            "state": "ACTIVE",
            "physical_state": "LINK_UP",
            "netdev": nic.netdev,
            "netdev_index": index + 3,
        }
        for index, nic in enumerate(nics)
    ]
    return _json(links)


def _devinfo(nic: Nic) -> str:
    board = f"\tboard_id:\t\t\t{nic.card.board}\n" if nic.card.board else ""
    gids = (
        ""
        if nic.card.board
        else f"\n\t\t\tGID[  0]:\t\tfe80::{nic.guid}, RoCE v2\n\t\t\tGID[  1]:\t\t::ffff:{nic.address}, RoCE v2"
    )
    return f"""\
hca_id:	{nic.rdma}
	transport:			InfiniBand (0)
	fw_ver:				{nic.card.firmware}
	node_guid:			{nic.guid}
	vendor_id:			{nic.card.vendor_id}
	vendor_part_id:			{nic.card.part_id}
	hw_ver:				0x0
{board}	phys_port_cnt:			1
		port:	1
			state:			PORT_ACTIVE (4)
			max_mtu:		4096 (5)
			active_mtu:		4096 (5)
			link_layer:		Ethernet{gids}"""


def _gids(nics: list[Nic]) -> str:
    rows = [
        f"{nic.rdma}\t1\t{index}\t{gid}\t{address:<15} \t{version}\t{nic.netdev}"
        for nic in nics
        for index, (gid, address, version) in enumerate(
            (gid, address, version)
            for gid, address in ((f"fe80:0000:0000:0000:{nic.guid}", ""), (nic.ipv4_gid, nic.address))
            for version in ("v1", "v2")
        )
    ]
    head = "DEV\tPORT\tINDEX\tGID\t\t\t\t\tIPv4  \t\tVER\tDEV\n---\t----\t-----\t---\t\t\t\t\t------------  \t---\t---"
    return "\n".join([head, *rows, f"n_gids_found={len(rows)}"])


def _lldp(nics: list[Nic]) -> str:
    def one(value: str) -> list[dict[str, str]]:
        return [{"value": value}]

    seen = [
        {
            "name": nic.netdev,
            "via": "LLDP",
            "rid": str(index),
            "chassis": [{"id": [{"type": "local", "value": nic.switch}], "name": one(nic.switch)}],
            "port": [{"id": [{"type": "ifname", "value": nic.port}], "ttl": one("120")}],
        }
        for index, nic in enumerate(nics, 1)
    ]
    return json.dumps({"lldp": [{"interface": seen}]}, indent=1)


def _modules(*, has_gpus: bool, is_nvidia: bool) -> str:
    names = ["mlx5_ib", "mlx5_core"] if is_nvidia else ["bnxt_re", "bnxt_en"]
    names += ["ib_uverbs", "ib_core", "rdma_cm"]
    if has_gpus:
        names += ["nvidia_peermem", "nvidia"] if is_nvidia else ["amdgpu"]
    return "\n".join(f"{name} {16384 * size} {size} - Live 0x0000000000000000" for size, name in enumerate(names, 2))


def _matrix(nics: list[Nic]) -> str:
    """Return how near GPUs and NICs are: each GPU shares a PCIe switch with the NIC of its rail."""
    gpus = [f"GPU{rail}" for rail in range(RAILS)]
    names = [*gpus, *(f"NIC{index}" for index in range(len(nics)))]

    def near(row: str, column: str) -> str:
        if row == column:
            return " X "
        if row in gpus and column in gpus:
            return "NV18"
        same = row[3:] == column[3:]
        return "PXB" if same else "NODE" if int(row[3:]) // 4 == int(column[3:]) // 4 else "SYS"

    rows = []
    for name in names:
        numa = int(name[3:]) // 4 if name in gpus else None
        where = (f"{56 * numa}-{56 * numa + 55}", str(numa), "N/A") if numa is not None else ("", "", "")
        rows.append("\t".join((name, *(near(name, other) for other in names), *where)))
    head = "\t".join(("", *names, "CPU Affinity", "NUMA Affinity", "GPU NUMA ID"))
    legend = "\n".join(f"  NIC{index}: {nic.rdma}" for index, nic in enumerate(nics))
    return f"{head}\n" + "\n".join(rows) + f"\n\nLegend:\n\n  X    = Self\n\nNIC Legend:\n\n{legend}"


def _nccl(*, is_nvidia: bool) -> str:
    index, name = (3, "mlx5_") if is_nvidia else (1, "bnxt_re")
    devices = ",".join(f"{name}{rail}" for rail in range(8))
    return f"NCCL_IB_TC={TRAFFIC_CLASS}\nNCCL_IB_GID_INDEX={index}\nNCCL_IB_HCA=={devices}"


def _lspci(nic: Nic) -> str:
    bus = int(nic.bdf[:2], 16) - 1
    return f"""\
{bus:02x}:01.0 PCI bridge: Broadcom / LSI PEX890xx PCIe Gen 5 Switch (rev b0) (prog-if 00 [Normal decode])
	Capabilities: [148 v1] Access Control Services
		ACSCap:	SrcValid+ TransBlk+ ReqRedir+ CmpltRedir+ UpstreamFwd+ EgressCtrl+ DirectTrans+
		ACSCtl:	SrcValid- TransBlk- ReqRedir- CmpltRedir- UpstreamFwd- EgressCtrl- DirectTrans-

{nic.bdf} Ethernet controller: {nic.card.lspci}
	Capabilities: [60] Express (v2) Endpoint, MSI 00
		DevCtl:	CorrErr- NonFatalErr+ FatalErr+ UnsupReq+
			RlxdOrd+ ExtTag+ PhantFunc- AuxPwr- NoSnoop- FLReset-
			MaxPayload 512 bytes, MaxReadReq 4096 bytes
		LnkCap:	Port #0, Speed {nic.card.pcie_gigatransfers}GT/s, Width x16, ASPM not supported
		LnkSta:	Speed {nic.card.pcie_gigatransfers}GT/s, Width x16"""
