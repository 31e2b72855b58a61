"""The public view of a port or a device as rules read it, with the line that proves each field."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from auditor.model.device import Device
from auditor.model.port import Port
from auditor.model.setting import Where
from auditor.util.values import dataclass
from auditor.view.documents import StateView
from auditor.view.port_view import device_view, port_view

HEADER = ("name", "kind", "os", "os_version", "model", "asic", "role", "buffer_architecture")
"""The fields of the device in a port's document, under `device`."""
_TOLD_BY = {"ecn_min": "ecn_min_bytes", "ecn_max": "ecn_max_bytes", "global_pause": "pause_rx"}
_TOLD_BY |= {"dscp_to_priority": "dscp_to_class", "pcp_to_priority": "pcp_to_class"}
"""Derived fields, each with the field whose line proves it."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A document of the public view, with the state of each field by JSON pointer."""

    document: Mapping[str, Any]
    states: Mapping[str, StateView]

    def where(self, at: tuple[str | int, ...]) -> Where | None:
        """Return the line that proves the value at *at*, else the line of the nearest field around it."""
        found = self._state(at)
        return Where(found.file, found.line) if found and found.file and found.line else None

    def why(self, at: tuple[str | int, ...]) -> str:
        """Return the reason why the value at *at* is unknown."""
        found = self._state(at)
        if found and found.state == "unset":
            return "not configured, and the default is not documented"
        return (found.why if found and found.state == "unknown" else None) or "the dumps do not tell it"

    def _state(self, at: tuple[str | int, ...]) -> StateView | None:
        steps = [_TOLD_BY.get(step, step) if isinstance(step, str) else step for step in at]
        while steps:
            pointer = "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)
            if pointer in self.states:
                return self.states[pointer]
            steps.pop()
        return None


def make_header(device: Device) -> dict[str, Any]:
    """Return the fields of *device* for the documents of its ports."""
    view = device_view(replace(device, ports=()))
    return {name: value for name, value in view.model_dump(by_alias=True, mode="json").items() if name in HEADER}


def make_port_subject(port: Port, of: Mapping[str, Any]) -> Subject:
    """Return a port as rules read it; *of* is its device's header."""
    view = port_view(port, with_state=True)
    document = view.model_dump(by_alias=True, mode="json", exclude={"state"})
    return Subject({**document, "device": of}, view.state or {})


def make_device_subject(device: Device) -> Subject:
    """Return a device with its ports as rules read it."""
    view = device_view(device, with_state=True)
    document = view.model_dump(by_alias=True, mode="json")
    states: dict[str, StateView] = {}
    for number, port in enumerate(view.ports):
        document["ports"][number].pop("state", None)
        states |= {f"/ports/{number}{pointer}": state for pointer, state in (port.state or {}).items()}
    return Subject(document, states)
