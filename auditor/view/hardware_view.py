"""The card of a port, and what is plugged in, as a public document."""

from typing import Any

from auditor.model.hardware import Hardware, Module
from auditor.view.documents import HardwareView, ModuleView
from auditor.view.states import StateReader


def build_hardware(read: StateReader, hardware: Hardware) -> dict[str, Any] | None:
    """Return the card and the module of a port; None where the dumps show neither."""
    if hardware == Hardware():
        return None
    module = hardware.module
    names = (name for name in HardwareView.model_fields if name != "module")
    return {
        **{n: read(f"/hardware/{n}", getattr(hardware, n)) for n in names},
        "module": None
        if module == Module()
        else {n: read(f"/hardware/module/{n}", getattr(module, n)) for n in ModuleView.model_fields},
    }
