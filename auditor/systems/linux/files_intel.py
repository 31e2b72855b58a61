"""Files of Intel's irdma: its parameters of the whole host, and the congestion control of each RDMA device."""

from collections.abc import Iterable
from dataclasses import replace

from auditor.model.host import Host
from auditor.model.nic import CcEngine, Nic, set_all_priorities
from auditor.model.port import Port
from auditor.model.setting import Known, Origin, value_of
from auditor.systems.linux import text
from auditor.systems.linux.evidence import HostFact
from auditor.systems.linux.fetch import RDMA, SCRIPT, Fetch
from auditor.systems.linux.sysfs import LineContent, LineResult, Names, SystemFile, describe_nic

_ENGINES = {"roce_dcqcn_enable": CcEngine.DCQCN, "roce_timely_enable": CcEngine.RTT}
_TRUE = frozenset({"1", "Y", "y"})
_FALSE = frozenset({"0", "N", "n"})


def _read_configfs(names: Names, content: LineContent) -> LineResult:
    name, value = names["name"], content.value
    if value not in _TRUE | _FALSE:
        return LineResult(expected="0 or 1") if name in _ENGINES else LineResult()
    is_on = Known(value in _TRUE, Origin.LEARNED, content.where)
    engine = _ENGINES.get(name)
    parameter = Nic(dcqcn=Known({name: Known(float(is_on.value), Origin.LEARNED, content.where)}, Origin.LEARNED))
    if engine is None:
        return describe_nic(names, parameter, content.where)
    nic = Nic(
        dcqcn=parameter.dcqcn,
        cc_engine=Known(engine, Origin.LEARNED, content.where) if is_on.value else Nic().cc_engine,
        dcqcn_rp=set_all_priorities(is_on) if engine is CcEngine.DCQCN else Nic().dcqcn_rp,
    )
    return describe_nic(names, nic, content.where)


def _read_parameter(names: Names, content: LineContent) -> LineResult:
    if text.parse_number(content.value) is None and content.value not in _TRUE | _FALSE:
        return LineResult()
    value = Known(content.value, Origin.INTENDED, content.where)
    named = Known({f"irdma.{names['name']}": value}, Origin.INTENDED, content.where)
    return LineResult((HostFact(Host(module_parameters=named)),))


def apply_module(ports: Iterable[Port], host: Host) -> tuple[Port, ...]:
    """Return *ports*; DCQCN reacts on those of Intel's 800 series if the parameter `dcqcn_enable` of irdma says so.

    The parameter is fixed while the module is loaded, and configfs overrides it for one device. Source: README of
    Intel's irdma, "ECN Configuration", which has no congestion control for cards before the 800 series.
    """
    enabled = (value_of(host.module_parameters) or {}).get("irdma.dcqcn_enable")
    if enabled is None or enabled.value not in _TRUE:
        return tuple(ports)
    is_on = Known(True, Origin.INTENDED, enabled.where)
    return tuple(_enable_dcqcn(port, is_on) for port in ports)


def _enable_dcqcn(port: Port, is_on: Known[bool]) -> Port:
    nic = port.config.nic
    if nic is None or value_of(nic.driver) != "ice" or value_of(nic.transport) == "iwarp":
        return port
    if isinstance(nic.dcqcn_rp, Known) or isinstance(nic.cc_engine, Known):
        return port
    engine = Known(CcEngine.DCQCN, is_on.origin, is_on.where)
    reacting = replace(nic, cc_engine=engine, dcqcn_rp=set_all_priorities(is_on))
    return replace(port, config=replace(port.config, nic=reacting))


FILES = (
    SystemFile(
        "/sys/kernel/config/irdma/{rdma}/{name}",
        _read_configfs,
        ("config.nic.dcqcn_rp", "config.nic.cc_engine"),
        "congestion control (Intel)",
    ),
    SystemFile(
        "/sys/module/irdma/parameters/{name}",
        _read_parameter,
        (),
        "RoCE or iWARP mode and DCQCN parameters (Intel)",
    ),
)

FETCHES: tuple[Fetch, ...] = (
    Fetch(
        ("grep -r . /sys/module/irdma/parameters/",),
        "RoCE and DCQCN of Intel NICs",
        needs="/sys/module/irdma",
        by=SCRIPT,
    ),
    Fetch(
        ("grep -r . /sys/kernel/config/irdma/{rdma}/",),
        "congestion control of Intel NICs",
        RDMA,
        needs="/sys/kernel/config/irdma/{rdma}",
        is_root=True,
        by=SCRIPT,
    ),
)
