"""Files of the Linux kernel: RDMA devices, GIDs, counters, PCIe links, modules, and the release of the system."""

import re
from dataclasses import replace

from auditor.model.host import Host
from auditor.model.nic import Nic, Pcie
from auditor.model.port import Ethernet, Port, PortConfig
from auditor.model.setting import Known, Origin
from auditor.systems.linux import adapters, text
from auditor.systems.linux.ethtool import is_counted
from auditor.systems.linux.evidence import GidPart, HostFact, NetdevFact, PortFact, Rank, Release, Strength
from auditor.systems.linux.facts import make_nic_port, make_port
from auditor.systems.linux.fetch import NETDEV, PULL, RDMA, SCRIPT, Fetch
from auditor.systems.linux.ip_link import make_mtu
from auditor.systems.linux.linkstate import describe_link, parse_link_state
from auditor.systems.linux.portnames import Subject
from auditor.systems.linux.sysfs import (
    LineContent,
    LineResult,
    Names,
    SystemFile,
    describe_nic,
    parse_subject,
    read_nothing,
)
from auditor.util.regex import regex

_MODES = {"RoCE v2": "v2", "IB/RoCE v1": "v1", "RoCE v1": "v1"}
_TRANSFERS = regex(r"(\d{1,3}(?:\.\d)?) GT/s\b.*")
_RATE = regex(r"(\d{1,5}(?:\.\d)?) Gb/sec\b.*")
_MAC = regex(r"(?:[0-9a-f]{2}:){5}[0-9a-f]{2}")
_ASSIGNED = regex(r"([A-Z_]+)=\"?([^\"]*)\"?")
_NO_GID = frozenset("0:")


def read_rdma_cm_tos(names: Names, content: LineContent) -> LineResult:
    """Return the default ToS of RDMA-CM."""
    tos = text.parse_whole(content.value, text.TOS_VALUES)
    if tos is None:
        return LineResult(expected="a ToS of 0 to 255")
    return describe_nic(names, Nic(rdma_cm_tos=Known(tos, Origin.INTENDED, content.where)), content.where)


def read_rdma_cm_mode(names: Names, content: LineContent) -> LineResult:
    """Return which version of RoCE the connections of RDMA-CM use by default."""
    mode = _MODES.get(content.value)
    if mode is None:
        return LineResult(expected="RoCE v2 or IB/RoCE v1")
    return describe_nic(names, Nic(rdma_cm_mode=Known(mode, Origin.INTENDED, content.where)), content.where)


def _read_counter(names: Names, content: LineContent) -> LineResult:
    count = text.parse_whole(content.value, range(text.MAX_COUNT))
    if count is None:
        return LineResult(expected="a count")
    if not is_counted(names["name"]):
        return LineResult()
    about, counted = parse_subject(names), Known(count, Origin.LEARNED, content.where)
    said = make_nic_port(Nic(), content.where, about.rdma)
    return LineResult((PortFact(about, replace(said, counters={names["name"]: counted})),))


def _read_link_layer(names: Names, content: LineContent) -> LineResult:
    layer = content.value.lower()
    if layer not in {"ethernet", "infiniband"}:
        return LineResult(expected="Ethernet or InfiniBand")
    return describe_nic(names, Nic(link_layer=Known(layer, Origin.LEARNED, content.where)), content.where)


def _read_state(names: Names, content: LineContent) -> LineResult:
    is_up = parse_link_state(content.value)
    if is_up is None:
        return LineResult()
    if names.get("netdev"):
        return LineResult((describe_link(parse_subject(names), is_up, content.where, Rank.RUNNING),))
    nic = Nic(link_up=Known(is_up, Origin.LEARNED, content.where))
    return describe_nic(names, nic, content.where, Rank.FALLBACK)


def _read_carrier(names: Names, content: LineContent) -> LineResult:
    if content.value not in {"0", "1"}:
        return LineResult()
    return LineResult((describe_link(parse_subject(names), content.value == "1", content.where, Rank.RUNNING),))


def _read_rate(names: Names, content: LineContent) -> LineResult:
    match = _RATE.fullmatch(content.value)
    if not match:
        return LineResult(expected="a rate in Gb/sec")
    speed = Known(float(match[1]), Origin.LEARNED, content.where)
    about = parse_subject(names)
    said = make_nic_port(Nic(), content.where, about.rdma)
    with_speed = replace(said, config=replace(said.config, ethernet=Ethernet(speed_gbps=speed)))
    return LineResult((PortFact(about, with_speed, rank=Rank.FALLBACK),))


def _read_rdma_firmware(names: Names, content: LineContent) -> LineResult:
    if not re.fullmatch(r"\d+(?:\.\d+)+", content.value):
        return LineResult(expected="a version of firmware")
    firmware = Known(content.value, Origin.LEARNED, content.where)
    return describe_nic(names, Nic(firmware=firmware), content.where, Rank.FALLBACK)


def _read_part(names: Names, content: LineContent) -> LineResult:
    match = re.fullmatch(r"MT(\d{4,5})", content.value)
    return (
        LineResult(tuple(adapters.describe_adapter(parse_subject(names), "NVIDIA", int(match[1]), content.where)))
        if match
        else LineResult()
    )


def _read_bond_mode(names: Names, content: LineContent) -> LineResult:
    bond, where = names["netdev"], content.where
    mode = Known({bond: Known(content.value.split()[0], Origin.LEARNED, where)}, Origin.LEARNED, where)
    return (
        LineResult((HostFact(Host(bonds=mode)), NetdevFact(bond, is_ethernet=True, kind="bond")))
        if content.value
        else LineResult()
    )


def _read_bond_members(names: Names, content: LineContent) -> LineResult:
    bond, where = names["netdev"], content.where
    members = content.value.split()
    lag = Port("", PortConfig(), where, lag=Known(bond, Origin.INTENDED, where))
    return LineResult(
        (
            *(NetdevFact(member, is_ethernet=True, master=bond) for member in members),
            *(PortFact(Subject(netdev=member), lag, Strength.LISTED) for member in members),
        )
    )


def _read_gid(names: Names, content: LineContent) -> LineResult:
    value = content.value if set(content.value) - _NO_GID else ""
    return _make_gid_part(names, content, "gid", value)


def _read_gid_type(names: Names, content: LineContent) -> LineResult:
    version = _MODES.get(content.value, "")
    return _make_gid_part(names, content, "type", version) if version else LineResult(expected="RoCE v2 or IB/RoCE v1")


def _read_gid_netdev(names: Names, content: LineContent) -> LineResult:
    return _make_gid_part(names, content, "netdev", content.value)


def _make_gid_part(names: Names, content: LineContent, name: str, value: str) -> LineResult:
    about = parse_subject(names)
    return (
        LineResult((GidPart(about, int(names["index"]), name, value, content.where),)) if about.rdma else LineResult()
    )


def _read_mtu(names: Names, content: LineContent) -> LineResult:
    mtu = text.parse_whole(content.value, range(text.MAX_MTU))
    if mtu is None:
        return LineResult(expected="an MTU in bytes")
    said = make_port(PortConfig(ethernet=make_mtu(mtu, content.where)), content.where)
    return LineResult((PortFact(parse_subject(names), said, Strength.LISTED),))


def _read_speed(names: Names, content: LineContent) -> LineResult:
    if content.value.startswith("-"):  # the link is down
        return LineResult()
    mbps = text.parse_whole(content.value, range(1, 10**8))
    if mbps is None:
        return LineResult(expected="a speed in Mb/s")
    ethernet = Ethernet(speed_gbps=Known(mbps / 1000, Origin.LEARNED, content.where))
    said = make_port(PortConfig(ethernet=ethernet), content.where)
    return LineResult((PortFact(parse_subject(names), said, Strength.LISTED, Rank.FALLBACK),))


def _read_address(names: Names, content: LineContent) -> LineResult:
    if not _MAC.fullmatch(content.value):
        return LineResult()
    said = Port("", PortConfig(), content.where, mac=Known(content.value, Origin.LEARNED, content.where))
    return LineResult((PortFact(parse_subject(names), said, Strength.LISTED),))


def _read_pcie_speed(names: Names, content: LineContent) -> LineResult:
    match = _TRANSFERS.fullmatch(content.value)
    if not match:
        return LineResult() if content.value.startswith("Unknown") else LineResult(expected="a speed in GT/s")
    speed = Known(float(match[1]), Origin.LEARNED, content.where)
    pcie = Pcie(speed_gtps=speed) if names["limit"] == "current" else Pcie(max_speed_gtps=speed)
    return _describe_pcie(names, pcie, content)


def _read_pcie_width(names: Names, content: LineContent) -> LineResult:
    lanes = text.parse_whole(content.value, range(256))
    if lanes is None:
        return LineResult(expected="a number of lanes")
    width = Known(lanes, Origin.LEARNED, content.where)
    return _describe_pcie(names, Pcie(width=width) if names["limit"] == "current" else Pcie(max_width=width), content)


def _describe_pcie(names: Names, pcie: Pcie, content: LineContent) -> LineResult:
    """Return the PCIe link of a PCI function; any device has such files, so they make no port."""
    nic = PortConfig(nic=Nic(pcie=pcie))
    return LineResult((PortFact(parse_subject(names), make_port(nic, content.where), Strength.LISTED),))


def _read_module_parameter(names: Names, content: LineContent) -> LineResult:
    value = Known(content.value, Origin.INTENDED, content.where)
    named = {f"{names['module']}.{names['name']}": value}
    return LineResult((HostFact(Host(module_parameters=Known(named, Origin.INTENDED, content.where))),))


def _read_release(_: Names, content: LineContent) -> LineResult:
    match = _ASSIGNED.fullmatch(content.value)
    if not match or match[1] != "PRETTY_NAME":
        return LineResult()
    return LineResult((Release(Known(match[2], Origin.LEARNED, content.where)),))


def _read_ifcfg(names: Names, content: LineContent) -> LineResult:
    """Return the setting in a line of Red Hat's interface scripts."""
    match, where = _ASSIGNED.fullmatch(content.value), content.where
    key, value = (match[1], match[2].strip("\"'")) if match else ("", "")
    mtu = text.parse_whole(value, range(text.MAX_MTU)) if key == "MTU" else None
    if key == "MTU" and mtu is None:
        return LineResult(expected="an MTU in bytes")
    if mtu is not None:
        said = make_port(PortConfig(ethernet=make_mtu(mtu, where)), where)
    elif key == "MASTER":
        said = Port("", PortConfig(), where, lag=Known(value, Origin.INTENDED, where))
    elif key == "BONDING_OPTS" and (mode := re.search(r"\bmode=(\S+)", value)):
        bond = Known({names["netdev"]: Known(mode[1], Origin.INTENDED, where)}, Origin.INTENDED, where)
        return LineResult((HostFact(Host(bonds=bond)), NetdevFact(names["netdev"], is_ethernet=True, kind="bond")))
    else:
        return LineResult()
    return LineResult((PortFact(parse_subject(names), said, Strength.LISTED, Rank.REQUESTED),))


FILES = (
    SystemFile(
        "/sys/kernel/config/rdma_cm/{rdma}/ports/{port}/default_roce_tos",
        read_rdma_cm_tos,
        ("config.nic.rdma_cm_tos",),
        "ToS of RDMA-CM connections",
    ),
    SystemFile(
        "/sys/kernel/config/rdma_cm/{rdma}/ports/{port}/default_roce_mode",
        read_rdma_cm_mode,
        ("config.nic.rdma_cm_mode",),
        "RoCE version of RDMA-CM connections",
    ),
    SystemFile("/sys/class/infiniband/{rdma}/ports/{port}/hw_counters/{name}", _read_counter, (), "counters"),
    SystemFile("/sys/class/infiniband/{rdma}/ports/{port}/counters/{name}", _read_counter),
    SystemFile(
        "/sys/class/infiniband/{rdma}/ports/{port}/link_layer",
        _read_link_layer,
        ("config.nic.link_layer",),
        "link layer",
    ),
    SystemFile("/sys/class/infiniband/{rdma}/ports/{port}/state", _read_state, (), "state of the link"),
    SystemFile("/sys/class/infiniband/{rdma}/ports/{port}/rate", _read_rate, (), "speed"),
    SystemFile("/sys/class/infiniband/{rdma}/fw_ver", _read_rdma_firmware, (), "firmware"),
    SystemFile("/sys/class/infiniband/{rdma}/hca_type", _read_part, (), "model (NVIDIA)"),
    SystemFile("/sys/class/infiniband/{rdma}/ports/{port}/gids/{index}", _read_gid, (), "GID table"),
    SystemFile("/sys/class/infiniband/{rdma}/ports/{port}/gid_attrs/types/{index}", _read_gid_type, (), "GID table"),
    SystemFile("/sys/class/infiniband/{rdma}/ports/{port}/gid_attrs/ndevs/{index}", _read_gid_netdev, (), "GID table"),
    SystemFile("/sys/class/net/{netdev}/operstate", _read_state, (), "state of the link"),
    SystemFile("/sys/class/net/{netdev}/carrier", _read_carrier, (), "state of the link"),
    SystemFile("/sys/class/net/{netdev}/mtu", _read_mtu, (), "MTU"),
    SystemFile("/sys/class/net/{netdev}/speed", _read_speed, (), "speed"),
    SystemFile("/sys/class/net/{netdev}/bonding/mode", _read_bond_mode, (), "mode of a bond"),
    SystemFile("/sys/class/net/{netdev}/bonding/slaves", _read_bond_members, (), "members of a bond"),
    SystemFile("/sys/class/net/{netdev}/address", _read_address, (), "MAC address"),
    SystemFile("/sys/class/net/{netdev}/statistics/{name}", _read_counter, (), "counters"),
    SystemFile("/sys/bus/pci/devices/{pci}/{limit}_link_speed", _read_pcie_speed, (), "PCIe link"),
    SystemFile("/sys/bus/pci/devices/{pci}/{limit}_link_width", _read_pcie_width, (), "PCIe link"),
    SystemFile("/sys/module/{module}/parameters/{name}", _read_module_parameter, (), "parameters of kernel modules"),
    SystemFile(
        "/etc/sysconfig/network-scripts/ifcfg-{netdev}", _read_ifcfg, (), "MTU and bond, as requested (Red Hat)"
    ),
    SystemFile("/etc/os-release", _read_release, (), "release of the operating system"),
    SystemFile("/sys/class/{rest}", read_nothing),
    SystemFile("/sys/bus/pci/{rest}", read_nothing),
    SystemFile("/sys/module/{rest}", read_nothing),
    SystemFile("/sys/kernel/{rest}", read_nothing),
    SystemFile("/etc/modprobe.d/{rest}", read_nothing),
    SystemFile("/var/lib/lldpad/{rest}", read_nothing),
)

_PCI = "/sys/bus/pci/devices/{pci}"
FETCHES: tuple[Fetch, ...] = (
    Fetch(("cat /etc/os-release",), "the distribution"),
    Fetch(
        ("cat /var/lib/lldpad/lldpad.conf",),
        "what lldpad sets",
        needs="/var/lib/lldpad/lldpad.conf",
        is_root=True,
        by=SCRIPT,
    ),
    Fetch(("cat /sys/class/infiniband/{rdma}/ports/1/link_layer",), "Ethernet or InfiniBand", RDMA, by=SCRIPT),
    Fetch(
        ("grep -r . /sys/class/infiniband/{rdma}/ports/1/hw_counters/",),
        "CNPs, ECN marks and retransmissions",
        RDMA,
        needs="/sys/class/infiniband/{rdma}/ports/1/hw_counters",
        by=SCRIPT,
    ),
    Fetch(
        ("grep -r . /sys/kernel/config/rdma_cm/{rdma}/ports/",),
        "the type of service of RDMA-CM",
        RDMA,
        needs="/sys/kernel/config/rdma_cm/{rdma}",
        is_root=True,
        by=SCRIPT,
    ),
    Fetch(
        (f"grep . {_PCI}/numa_node {_PCI}/current_link_speed {_PCI}/current_link_width",),
        "PCIe link and NUMA node",
        NETDEV,
        needs=f"{_PCI}/current_link_speed",
        by=SCRIPT,
    ),
    Fetch(
        ("cat /sys/kernel/config/rdma_cm/{rdma}/ports/1/default_roce_tos",), "the ToS of RDMA-CM", by=PULL, is_root=True
    ),
)
