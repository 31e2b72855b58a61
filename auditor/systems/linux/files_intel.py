"""Files of Intel's irdma: its parameters of the whole host, and the congestion control of each RDMA device."""

from auditor.model.host import Host
from auditor.model.nic import CcEngine, Nic, set_all_priorities
from auditor.model.setting import Known, Origin
from auditor.systems.linux import text
from auditor.systems.linux.evidence import HostFact
from auditor.systems.linux.fetch import RDMA, SCRIPT, Fetch
from auditor.systems.linux.sysfs import Content, Found, KnownFile, Names, nic_says

_ENGINES = {"roce_dcqcn_enable": CcEngine.DCQCN, "roce_timely_enable": CcEngine.RTT}
_TRUE = frozenset({"1", "Y", "y"})
_FALSE = frozenset({"0", "N", "n"})


def _read_configfs(names: Names, content: Content) -> Found:
    name, value = names["name"], content.value
    if value not in _TRUE | _FALSE:
        return Found(expected="0 or 1") if name in _ENGINES else Found()
    is_on = Known(value in _TRUE, Origin.LEARNED, content.where)
    engine = _ENGINES.get(name)
    parameter = Nic(dcqcn=Known({name: Known(float(is_on.value), Origin.LEARNED, content.where)}, Origin.LEARNED))
    if engine is None:
        return nic_says(names, parameter, content.where)
    nic = Nic(
        dcqcn=parameter.dcqcn,
        cc_engine=Known(engine, Origin.LEARNED, content.where) if is_on.value else Nic().cc_engine,
        dcqcn_rp=set_all_priorities(is_on) if engine is CcEngine.DCQCN else Nic().dcqcn_rp,
    )
    return nic_says(names, nic, content.where)


def _read_parameter(names: Names, content: Content) -> Found:
    if text.number(content.value) is None and content.value not in _TRUE | _FALSE:
        return Found()
    value = Known(content.value, Origin.INTENDED, content.where)
    named = Known({f"irdma.{names['name']}": value}, Origin.INTENDED, content.where)
    return Found((HostFact(Host(module_parameters=named)),))


FILES = (
    KnownFile(
        "/sys/kernel/config/irdma/{rdma}/{name}",
        _read_configfs,
        ("config.nic.dcqcn_rp", "config.nic.cc_engine"),
        "congestion control (Intel)",
    ),
    KnownFile(
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
