"""Files of sysfs, configfs and debugfs: DCQCN switches and parameters, traffic class, RDMA-CM ToS, counters."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from auditor.model.nic import Nic
from auditor.model.port import Port, PortConfig
from auditor.model.setting import Known, Origin, Setting, Unset, Where
from auditor.parsers.host import text
from auditor.parsers.host.ethtool import is_counted
from auditor.parsers.host.evidence import Event, Rank, Statement, Strength, Subject, nic_port, pci_address

_TCLASS = re.compile(r"Global tclass=\s*(\d{1,5})")


@dataclass(frozen=True, slots=True)
class Content:
    """One line of a file, or its absence: `value` is empty for an empty file."""

    value: str
    where: Where


@dataclass(frozen=True, slots=True)
class Found:
    """What a line of a file says: events, or `expected` where it says nothing sensible; neither is not modelled."""

    events: tuple[Event, ...] = ()
    expected: str = ""


_Names = dict[str, str]
_FileReader = Callable[[_Names, Content], Found]


@dataclass(frozen=True, slots=True)
class KnownFile:
    """Files by the template of their path, what reads a line of them, and what stays unknown without them."""

    template: str
    read: _FileReader
    silent: tuple[str, ...] = ()

    def names(self, path: str) -> _Names | None:
        """Return what *path* names, None where it is another file; a separator may be a `_`, as in a file name."""
        match = _pattern(self.template).fullmatch(path)
        return match.groupdict() if match else None

    def path(self, names: _Names) -> str:
        """Return the path of the file that *names* name."""
        return self.template.format(**names | {"pci": pci_address(names.get("pci", ""))})


def subject(names: _Names) -> Subject:
    """Return the port that the parts of a path name; an asterisk names none."""
    given = {key: value for key, value in names.items() if value and "*" not in value and value != "_"}
    return Subject(
        netdev=given.get("netdev", ""),
        rdma=given.get("rdma", ""),
        rdma_port=text.whole(given.get("port", ""), range(1, 256)),
        pci=pci_address(given.get("pci", "")),
    )


def _nic(names: _Names, nic: Nic, where: Where) -> Found:
    about = subject(names)
    said = Statement(about, nic_port(nic, where))
    if not about.rdma:
        return Found((said,))
    # that the kernel has the file shows that it has the device; which netdev it is on, another capture shows better
    device = Nic(rdma_device=Known(about.rdma, Origin.LEARNED, where))
    return Found((said, Statement(about, nic_port(device, where), rank=Rank.FALLBACK)))


def _read_enable(names: _Names, content: Content) -> Found:
    priority, on = text.whole(names["priority"], text.PRIORITIES), text.whole(content.value, range(2))
    if priority is None or on is None:
        return Found(expected="0 or 1 for a priority of 0 to 7")
    switch = Known({priority: Known(bool(on), Origin.INTENDED, content.where)}, Origin.INTENDED, content.where)
    nic = Nic(dcqcn_np=switch) if names["side"] == "np" else Nic(dcqcn_rp=switch)
    return Found((Statement(subject(names), nic_port(nic), Strength.RDMA),))


def _read_named_parameter(names: _Names, content: Content) -> Found:
    """Read a file of the ecn tree or of cc_params, where the same parameters have other names."""
    name = names["name"]
    if name in {"cnp_dscp", "np_cnp_dscp"}:
        return _read_cnp_dscp(names, content)
    if name in {"cnp_802p_prio", "np_cnp_prio"}:
        return _read_cnp_priority(names, content)
    return _read_parameter(names, content)


def _read_cnp_dscp(names: _Names, content: Content) -> Found:
    dscp = text.whole(content.value, text.DSCPS)
    if dscp is None:
        return Found(expected="a DSCP of 0 to 63")
    return _nic(names, Nic(cnp_dscp=Known(dscp, Origin.INTENDED, content.where)), content.where)


def _read_cnp_priority(names: _Names, content: Content) -> Found:
    priority = text.whole(content.value, text.PRIORITIES)
    if priority is None:
        return Found(expected="a priority of 0 to 7")
    return _nic(names, Nic(cnp_priority=Known(priority, Origin.INTENDED, content.where)), content.where)


def _read_parameter(names: _Names, content: Content) -> Found:
    value = text.number(content.value)
    if value is None:
        return Found(expected="a number")
    known = Known(value, Origin.INTENDED, content.where)
    return _nic(names, Nic(dcqcn=Known({names["name"]: known}, Origin.INTENDED, content.where)), content.where)


def _read_traffic_class(names: _Names, content: Content) -> Found:
    match = _TCLASS.fullmatch(content.value)
    tos = text.whole(match[1], text.TOS_VALUES) if match else None
    if match and tos is None:
        return Found(expected="a ToS of 0 to 255")
    if content.value and tos is None:
        return Found() if "=" in content.value else Found(expected="Global tclass=0 to 255")
    setting: Setting[int] = Unset(content.where) if tos is None else Known(tos, Origin.INTENDED, content.where)
    return _nic(names, Nic(traffic_class=setting), content.where)


def read_rdma_cm_tos(names: _Names, content: Content) -> Found:
    """Return what the default ToS of RDMA-CM says."""
    tos = text.whole(content.value, text.TOS_VALUES)
    if tos is None:
        return Found(expected="a ToS of 0 to 255")
    return _nic(names, Nic(rdma_cm_tos=Known(tos, Origin.INTENDED, content.where)), content.where)


def _read_counter(names: _Names, content: Content) -> Found:
    count = text.whole(content.value, range(text.MAX_COUNT))
    if count is None:
        return Found(expected="a count")
    if not is_counted(names["name"]):
        return Found()
    said = Port("", PortConfig(), content.where, counters={names["name"]: count})
    return Found((Statement(subject(names), said),))


def _read_link_layer(names: _Names, content: Content) -> Found:
    layer = content.value.lower()
    if layer not in {"ethernet", "infiniband"}:
        return Found(expected="Ethernet or InfiniBand")
    return _nic(names, Nic(link_layer=Known(layer, Origin.LEARNED, content.where)), content.where)


def _read_nothing(_: _Names, __: Content) -> Found:
    return Found()


_PARTS = {
    "netdev": r"[^/\s]+?",
    "rdma": r"[^/\s]+?",
    "pci": r"[^/\s]+?",
    "side": r"np|rp",
    "priority": r"[0-9]{1,3}",
    "port": r"[0-9]{1,3}|\*",
    "name": r"[a-z0-9_]+",
    "rest": r"[^\s]+",
}
_SEPARATOR = r"[^A-Za-z0-9.*-]+"


@cache
def _pattern(template: str) -> re.Pattern[str]:
    literal = _SEPARATOR.join(re.split("[/_]+", template.strip("/")))
    parts = re.sub(r"\{(\w+)\}", lambda match: f"(?P<{match[1]}>{_PARTS[match[1]]})", literal)
    return re.compile(f"(?:{_SEPARATOR})?{parts}")


FILES: tuple[KnownFile, ...] = (
    KnownFile(
        "/sys/class/net/{netdev}/ecn/roce_{side}/enable/{priority}",
        _read_enable,
        ("config.nic.dcqcn_np", "config.nic.dcqcn_rp"),
    ),
    KnownFile(
        "/sys/class/net/{netdev}/ecn/roce_{side}/{name}",
        _read_named_parameter,
        ("config.nic.cnp_dscp", "config.nic.cnp_priority", "config.nic.dcqcn"),
    ),
    KnownFile(
        "/sys/class/infiniband/{rdma}/tc/{port}/traffic_class",
        _read_traffic_class,
        ("config.nic.traffic_class",),
    ),
    KnownFile(
        "/sys/kernel/config/rdma_cm/{rdma}/ports/{port}/default_roce_tos",
        read_rdma_cm_tos,
        ("config.nic.rdma_cm_tos",),
    ),
    KnownFile(
        "/sys/kernel/debug/mlx5/{pci}/cc_params/{name}",
        _read_named_parameter,
        ("config.nic.cnp_dscp", "config.nic.cnp_priority", "config.nic.dcqcn"),
    ),
    KnownFile("/sys/class/infiniband/{rdma}/ports/{port}/hw_counters/{name}", _read_counter),
    KnownFile("/sys/class/infiniband/{rdma}/ports/{port}/counters/{name}", _read_counter),
    KnownFile("/sys/class/infiniband/{rdma}/ports/{port}/link_layer", _read_link_layer, ("config.nic.link_layer",)),
    KnownFile("/sys/class/{rest}", _read_nothing),
    KnownFile("/sys/bus/pci/{rest}", _read_nothing),
    KnownFile("/sys/module/{rest}", _read_nothing),
    KnownFile("/sys/kernel/{rest}", _read_nothing),
    KnownFile("/proc/cmdline", _read_nothing),
    KnownFile("/proc/modules", _read_nothing),
    KnownFile("/etc/os-release", _read_nothing),
    KnownFile("/etc/nccl.conf", _read_nothing),
    KnownFile("/etc/modprobe.d/{rest}", _read_nothing),
    KnownFile("/var/lib/lldpad/{rest}", _read_nothing),
)


def known_file(path: str) -> tuple[KnownFile, _Names] | None:
    """Return what is known of the file *path* and the names in its path, None for a file that says nothing here."""
    return next(((each, names) for each in FILES if (names := each.names(path)) is not None), None)
