"""Files of NVIDIA's drivers: DCQCN switches and parameters, and the traffic class forced on RDMA connections."""

from collections.abc import Callable

from auditor.model.nic import Nic
from auditor.model.setting import Known, Origin, Setting, Unset
from auditor.systems.linux import text
from auditor.systems.linux.evidence import PortFact, Strength
from auditor.systems.linux.facts import make_nic_port
from auditor.systems.linux.fetch import MLX, NETDEV, RDMA, SCRIPT, Fetch
from auditor.systems.linux.sysfs import LineContent, LineResult, Names, SystemFile, describe_nic, parse_subject
from auditor.util.regex import regex
from auditor.util.values import dataclass

_TCLASS = regex(r"Global tclass=\s*(\d{1,5})")


def _read_enable(names: Names, content: LineContent) -> LineResult:
    priority, on = text.parse_whole(names["priority"], text.PRIORITIES), text.parse_whole(content.value, range(2))
    if priority is None or on is None:
        return LineResult(expected="0 or 1 for a priority of 0 to 7")
    switch = Known({priority: Known(bool(on), Origin.INTENDED, content.where)}, Origin.INTENDED, content.where)
    nic = Nic(dcqcn_np=switch) if names["side"] == "np" else Nic(dcqcn_rp=switch)
    return LineResult((PortFact(parse_subject(names), make_nic_port(nic), Strength.RDMA),))


@dataclass(frozen=True, slots=True)
class _Whole:
    """A parameter with its own field in the model: its range and its field."""

    allowed: range
    expected: str
    says: Callable[[Known[int]], Nic]


_CNP_DSCP = _Whole(text.DSCPS, "a DSCP of 0 to 63", lambda dscp: Nic(cnp_dscp=dscp))
_CNP_PRIORITY = _Whole(text.PRIORITIES, "a priority of 0 to 7", lambda priority: Nic(cnp_priority=priority))
_WHOLES = {
    "cnp_dscp": _CNP_DSCP,
    "np_cnp_dscp": _CNP_DSCP,
    "cnp_802p_prio": _CNP_PRIORITY,
    "np_cnp_prio": _CNP_PRIORITY,
    "rtt_resp_dscp": _Whole(text.DSCPS, "a DSCP of 0 to 63", lambda dscp: Nic(rtt_response_dscp=dscp)),
}


def _read_parameter(names: Names, content: LineContent) -> LineResult:
    """Return a parameter of the ecn tree or of cc_params, which name the same parameters differently."""
    name, where = names["name"], content.where
    known = _WHOLES.get(name)
    if known:
        whole = text.parse_whole(content.value, known.allowed)
        if whole is None:
            return LineResult(expected=known.expected)
        return describe_nic(names, known.says(Known(whole, Origin.INTENDED, where)), where)
    number = text.parse_number(content.value)
    if number is None:
        return LineResult(expected="a number")
    parameters = {name: Known(number, Origin.INTENDED, where)}
    return describe_nic(names, Nic(dcqcn=Known(parameters, Origin.INTENDED, where)), where)


def _read_traffic_class(names: Names, content: LineContent) -> LineResult:
    match = _TCLASS.fullmatch(content.value)
    tos = text.parse_whole(match[1], text.TOS_VALUES) if match else None
    if match and tos is None:
        return LineResult(expected="a ToS of 0 to 255")
    if content.value and tos is None:
        return LineResult() if "=" in content.value else LineResult(expected="Global tclass=0 to 255")
    setting: Setting[int] = Unset(content.where) if tos is None else Known(tos, Origin.INTENDED, content.where)
    return describe_nic(names, Nic(traffic_class=setting), content.where)


_PARAMETERS = ("config.nic.cnp_dscp", "config.nic.cnp_priority", "config.nic.dcqcn")

FILES = (
    SystemFile(
        "/sys/class/net/{netdev}/ecn/roce_{side}/enable/{priority}",
        _read_enable,
        ("config.nic.dcqcn_np", "config.nic.dcqcn_rp"),
        "DCQCN notification and reaction point per priority (NVIDIA)",
    ),
    SystemFile(
        "/sys/class/net/{netdev}/ecn/roce_{side}/{name}", _read_parameter, _PARAMETERS, "DCQCN parameters (NVIDIA)"
    ),
    SystemFile(
        "/sys/class/infiniband/{rdma}/tc/{port}/traffic_class",
        _read_traffic_class,
        ("config.nic.traffic_class",),
        "traffic class forced on RDMA connections (NVIDIA)",
    ),
    SystemFile(
        "/sys/kernel/debug/mlx5/{pci}/cc_params/{name}",
        _read_parameter,
        _PARAMETERS,
        "DCQCN parameters, DSCP of RTT responses (NVIDIA)",
    ),
)

FETCHES: tuple[Fetch, ...] = (
    Fetch(
        ("cat /sys/class/infiniband/{rdma}/tc/1/traffic_class",),
        "the traffic class that all jobs get",
        RDMA,
        drivers=MLX,
    ),
    Fetch(("grep -r . /sys/class/net/{netdev}/ecn/",), "DCQCN by priority, and its parameters", NETDEV, drivers=MLX),
    Fetch(
        ("grep -r . /sys/class/net/{netdev}/settings/",),
        "trust and maps of older drivers",
        NETDEV,
        drivers=MLX,
        needs="/sys/class/net/{netdev}/settings",
        by=SCRIPT,
    ),
    Fetch(
        ("grep -r . /sys/class/net/{netdev}/qos/",),
        "trust and maps of older drivers",
        NETDEV,
        drivers=MLX,
        needs="/sys/class/net/{netdev}/qos",
        by=SCRIPT,
    ),
    Fetch(
        ("grep -r . /sys/kernel/debug/mlx5/{pci}/cc_params/",), "DCQCN parameters", NETDEV, drivers=MLX, is_root=True
    ),
)
