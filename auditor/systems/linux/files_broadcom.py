"""Files of Broadcom's bnxt_re: congestion control as configfs keeps it until it is applied, and as it runs.

The driver writes and reads the files of configfs in hexadecimal, so that `echo 26 > roce_dscp` sets DSCP 38.
"""

from collections.abc import Callable, Mapping

from auditor.model.nic import CcEngine, Nic, set_all_priorities
from auditor.model.setting import Known, Origin
from auditor.systems.linux import text
from auditor.systems.linux.evidence import Rank
from auditor.systems.linux.fetch import BNXT, NETDEV, RDMA, SCRIPT, Fetch
from auditor.systems.linux.sysfs import LineContent, LineResult, Names, SystemFile, describe_nic, read_nothing
from auditor.util.regex import regex

_HEX = regex(r"0|0x[0-9A-Fa-f]{1,8}")
_LABELLED = regex(r"([^:]+):\s*(.*)")
_AMOUNT = regex(r"(0x[0-9A-Fa-f]{1,8}|\d{1,10})(?: (?:usec|rtts?|cnps|bits|byte/usec))?")
_MARKINGS = {0: "not_ect", 1: "ect1", 2: "ect0"}
_MARKING_WORDS = {"not-ect": 0, "ect(1)": 1, "ect(0)": 2}
_SWITCH_WORDS = {"disabled": 0, "enabled": 1}
_MODE_NAME = "cc_mode"
_MODE_WORDS = {"dcqcn-d": 0, "dcqcn-p": 1, "tcp": 1}
"""Modes by the words of `apply`: deterministic and probabilistic DCQCN; cards older than Thor have TCP as mode 1."""

ENABLE, MARKING, MODE = "enable", "marking", "mode"
ROCE_DSCP, CNP_DSCP, ROCE_PRIORITY, CNP_PRIORITY = "roce_dscp", "cnp_dscp", "roce_priority", "cnp_priority"
_CONFIGFS = {
    "ecn_enable": ENABLE,
    "ecn_marking": MARKING,
    _MODE_NAME: MODE,
    "roce_dscp": ROCE_DSCP,
    "roce_prio": ROCE_PRIORITY,
    "cnp_dscp": CNP_DSCP,
    "cnp_prio": CNP_PRIORITY,
}
_DEBUGFS = {
    "enable_cc": ENABLE,
    "tos_ecn": MARKING,
    _MODE_NAME: MODE,
    "tos_dscp": ROCE_DSCP,
    "alt_vlan_pcp": CNP_PRIORITY,
    "alt_vlan_dscp": CNP_DSCP,
}
_APPLIED = {
    "ecn status": ENABLE,
    "ecn marking": MARKING,
    "congestion control mode": MODE,
    "roce dscp": ROCE_DSCP,
    "roce prio": ROCE_PRIORITY,
    "cnp dscp": CNP_DSCP,
    "cnp prio": CNP_PRIORITY,
}
_NOT_PARAMETERS = frozenset({"advanced", "disable_prio_vlan_tx", "tx_queue"})
_RANGES: Mapping[str, range] = {
    ENABLE: range(256),
    MARKING: range(3),
    MODE: range(256),
    ROCE_DSCP: text.DSCPS,
    CNP_DSCP: text.DSCPS,
    ROCE_PRIORITY: text.PRIORITIES,
    CNP_PRIORITY: text.PRIORITIES,
}


def _build_nic(kind: str, number: Known[int]) -> Nic:
    """Return a setting of *kind*; congestion control is one switch for all of RoCE."""
    if kind == ENABLE:
        is_on = Known(bool(number.value & 1), number.origin, number.where)
        engine = Known(CcEngine.DCQCN if is_on.value else CcEngine.NONE, number.origin, number.where)
        each = set_all_priorities(is_on)
        return Nic(dcqcn_np=each, dcqcn_rp=each, np_enabled=is_on, cc_engine=engine)
    if kind == MARKING:
        return Nic(ecn_marking=Known(_MARKINGS[number.value], number.origin, number.where))
    return _WHOLES[kind](number)


_WHOLES: Mapping[str, Callable[[Known[int]], Nic]] = {
    ROCE_DSCP: lambda number: Nic(roce_dscp=number),
    ROCE_PRIORITY: lambda number: Nic(roce_priority=number),
    CNP_DSCP: lambda number: Nic(cnp_dscp=number),
    CNP_PRIORITY: lambda number: Nic(cnp_priority=number),
}


def _describe_nic(names: Names, content: LineContent, kind: str | None, number: int | None, rank: Rank) -> LineResult:
    allowed = _RANGES.get(kind or "", range(2**32))
    if number is None or number not in allowed:
        return LineResult(expected=f"a number of 0 to {allowed.stop - 1}")
    origin = Origin.INTENDED if rank is Rank.REQUESTED else Origin.LEARNED
    if kind and kind != MODE:
        return describe_nic(names, _build_nic(kind, Known(number, origin, content.where)), content.where, rank)
    parameter = Known(float(number), origin, content.where)
    said = Nic(dcqcn=Known({names["name"]: parameter}, origin, content.where))
    return describe_nic(names, said, content.where, rank)


def _read_configfs(names: Names, content: LineContent) -> LineResult:
    name = names["name"]
    if name in _NOT_PARAMETERS or not content.value:
        return LineResult()
    if not _HEX.fullmatch(content.value):
        return LineResult(expected="a number as the driver prints it, 0x in front")
    return _describe_nic(names, content, _CONFIGFS.get(name), int(content.value, 16), Rank.REQUESTED)


def _read_debugfs(names: Names, content: LineContent) -> LineResult:
    name = names["name"]
    if name in _NOT_PARAMETERS or not content.value:
        return LineResult()
    is_hex = content.value.startswith("0x") and _HEX.fullmatch(content.value)
    number = int(content.value, 16) if is_hex else text.parse_whole(content.value, range(2**32))
    return _describe_nic(names, content, _DEBUGFS.get(name), number, Rank.RUNNING)


def read_applied(names: Names, content: LineContent) -> LineResult:
    """Return the running value in a line of `apply`."""
    match = _LABELLED.fullmatch(content.value)
    if not match:
        return LineResult(expected="a label and a value")
    label, value = match[1].strip().lower(), match[2].strip()
    kind, amount = _APPLIED.get(label), _AMOUNT.fullmatch(value)
    number = int(amount[1], 0 if amount[1].startswith("0x") else 10) if amount else None
    if kind == MARKING:
        number = _MARKING_WORDS.get(value.lower())
    elif kind == ENABLE:
        number = _SWITCH_WORDS.get(value.lower())
    elif kind == MODE:
        label, number = _MODE_NAME, _MODE_WORDS.get(value.lower())
    if number is None and kind in {None, MODE}:
        return LineResult()
    return _describe_nic({**names, "name": label}, content, kind, number, Rank.RUNNING)


def _read_info(names: Names, content: LineContent) -> LineResult:
    match = _LABELLED.fullmatch(content.value)
    if not match or match[1].strip() != "fw_service_prof_type_sup":
        return LineResult()
    flag = text.parse_whole(match[2], range(2))
    if flag is None:
        return LineResult(expected="0 or 1")
    return describe_nic(names, Nic(service_profile=Known(bool(flag), Origin.LEARNED, content.where)), content.where)


_CC = (
    "config.nic.cc_engine",
    "config.nic.dcqcn_np",
    "config.nic.dcqcn_rp",
    "config.nic.cnp_dscp",
    "config.nic.cnp_priority",
    "config.nic.roce_dscp",
)
_SHOWS = "congestion control, DSCP and priority of RoCE and CNP, ECN marking (Broadcom)"

FILES = (
    SystemFile("/sys/kernel/config/bnxt_re/{rdma}/ports/{port}/cc/apply", read_applied, _CC, f"{_SHOWS}, as it runs"),
    SystemFile("/sys/kernel/config/bnxt_re/{rdma}/ports/{port}/cc/dcn", read_nothing),
    SystemFile(
        "/sys/kernel/config/bnxt_re/{rdma}/ports/{port}/cc/{name}", _read_configfs, _CC, f"{_SHOWS}, as requested"
    ),
    SystemFile("/sys/kernel/debug/bnxt_re/{card}/cc_config/{name}", _read_debugfs, _CC, f"{_SHOWS}, as it runs"),
    SystemFile(
        "/sys/kernel/debug/bnxt_re/{card}/info",
        _read_info,
        ("config.nic.service_profile",),
        "whether the firmware owns the classes of RoCE and CNP (Broadcom)",
    ),
)

FETCHES: tuple[Fetch, ...] = (
    Fetch(
        ("cat /sys/kernel/config/bnxt_re/{rdma}/ports/1/cc/apply",),
        "congestion control of Broadcom NICs",
        RDMA,
        drivers=BNXT,
        needs="/sys/kernel/config/bnxt_re/{rdma}",
        is_root=True,
        by=SCRIPT,
    ),
    Fetch(
        ("grep -r . /sys/kernel/debug/bnxt_re/{pci}/",),
        "congestion control",
        NETDEV,
        drivers=BNXT,
        is_root=True,
        by=SCRIPT,
    ),
)
