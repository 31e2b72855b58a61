"""What was asked for, or comes with the next boot, where something else runs."""

from collections.abc import Callable, Mapping
from enum import Enum

from auditor.model.nic import Switches, list_running_priorities
from auditor.model.port import Port
from auditor.model.setting import Known, Origin, Setting, Unknown

_Get = Callable[[Port], Setting[object]]


def _of_nic(name: str) -> _Get:
    return lambda port: getattr(port.config.nic, name) if port.config.nic else Unknown("no NIC")


def _switches(name: str) -> _Get:
    def get(port: Port) -> Setting[object]:
        switches: Setting[Switches] = getattr(port.config.nic, name) if port.config.nic else Unknown("no NIC")
        return list_running_priorities(switches)

    return get


_COMPARED: Mapping[str, _Get] = {
    "pfc_priorities": lambda port: port.config.pfc.priorities,
    "trust": lambda port: port.config.classification.trust,
    "pause_rx": lambda port: port.config.pause.rx,
    "pause_tx": lambda port: port.config.pause.tx,
    "dcqcn_np": _switches("dcqcn_np"),
    "dcqcn_rp": _switches("dcqcn_rp"),
    **{
        name: _of_nic(name)
        for name in ("cnp_dscp", "cnp_priority", "roce_dscp", "roce_priority", "ecn_marking", "dcbx_willing")
    },
}
"""Settings by their name in the port view."""


def otherwise(asked: Port, running: Port) -> Known[Mapping[str, Known[str]]]:
    """Return what *asked* holds and *running* does otherwise, by the name in the port view."""
    found: dict[str, Known[str]] = {}
    for name, get in _COMPARED.items():
        wanted, actual = get(asked), get(running)
        if isinstance(wanted, Known) and isinstance(actual, Known) and wanted.value != actual.value:
            found[name] = Known(_shown(wanted.value), wanted.origin, wanted.where or asked.where)
    return Known(found, Origin.INTENDED, asked.where)


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple):
        return ",".join(map(str, value)) or "none"
    return str(value.value if isinstance(value, Enum) else value)
