"""Differences of requested and next-boot settings from running settings."""

from collections.abc import Callable, Mapping, Sequence
from enum import Enum

from auditor.model.nic import Switches, list_running_priorities
from auditor.model.port import PortConfig
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Unknown, Where, value_of

_Get = Callable[[PortConfig], Setting[object]]


def _get_nic_setting(name: str) -> _Get:
    return lambda config: getattr(config.nic, name) if config.nic else Unknown("no NIC")


def _get_switches(name: str) -> _Get:
    def get(config: PortConfig) -> Setting[object]:
        switches: Setting[Switches] = getattr(config.nic, name) if config.nic else Unknown("no NIC")
        return list_running_priorities(switches)

    return get


def _get_parameter(name: str) -> _Get:
    def get(config: PortConfig) -> Setting[object]:
        parameters = value_of(config.nic.dcqcn) if config.nic else None
        return (parameters or {}).get(name, NOT_COLLECTED)

    return get


_COMPARED: Mapping[str, _Get] = {
    "pfc_priorities": lambda config: config.pfc.priorities,
    "trust": lambda config: config.classification.trust,
    "pause_rx": lambda config: config.pause.rx,
    "pause_tx": lambda config: config.pause.tx,
    "firmware": _get_nic_setting("firmware"),
    "dcqcn_np": _get_switches("dcqcn_np"),
    "dcqcn_rp": _get_switches("dcqcn_rp"),
    "cc_mode": _get_parameter("cc_mode"),
    **{
        name: _get_nic_setting(name)
        for name in (
            "firmware",
            "cnp_dscp",
            "cnp_priority",
            "roce_dscp",
            "roce_priority",
            "ecn_marking",
            "dcbx_willing",
        )
    },
}
"""Settings by their name in the port view."""


def find_differences(asked: PortConfig, at: Where | None, running: PortConfig) -> Known[Mapping[str, Known[str]]]:
    """Return the settings of *asked*, which stand *at* a place, that differ from *running*, by their name in views."""
    found: dict[str, Known[str]] = {}
    for name, get in _COMPARED.items():
        wanted, actual = get(asked), get(running)
        if isinstance(wanted, Known) and isinstance(actual, Known) and wanted.value != actual.value:
            found[name] = Known(_format_value(wanted.value), wanted.origin, wanted.where or at)
    return Known(found, Origin.INTENDED, at)


def list_unseen(asked: PortConfig, running: Sequence[PortConfig]) -> tuple[str, ...]:
    """Return the settings of *asked*, by their name in the port view, that none of *running* shows."""
    return tuple(
        name
        for name, get in _COMPARED.items()
        if isinstance(get(asked), Known) and not any(isinstance(get(each), Known) for each in running)
    )


def _format_value(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple):
        return ",".join(map(str, value)) or "none"
    if isinstance(value, float):
        return f"{value:g}"
    return str(value.value if isinstance(value, Enum) else value)
