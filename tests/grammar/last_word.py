"""What tests of the last word share: a port's fields as its view shows them, and the line behind each."""

import re
from typing import Any

from auditor.model.device import Device
from auditor.systems.effective import fill_defaults
from auditor.view.documents import StateView
from auditor.view.port_view import port_view


class Shown:
    """A port as its view shows it: `fields` without the lines behind them, `states` by pointer."""

    def __init__(self, device: Device, name: str) -> None:
        port = fill_defaults(device).port(name)
        assert port is not None, f"{name} is gone"
        view = port_view(port, with_state=True)
        self.states: dict[str, StateView] = view.state or {}
        self.fields: dict[str, Any] = view.model_dump(by_alias=True, exclude={"state"})

    def at(self, pattern: str) -> list[StateView]:
        """Return the states of the fields at *pattern*, in which `*` stands for any number."""
        wanted = re.compile(re.escape(pattern).replace(r"\*", r"\d+"))
        return [state for pointer, state in self.states.items() if wanted.fullmatch(pointer)]

    def lines(self, pattern: str) -> set[tuple[str | None, int | None]]:
        """Return the files and lines behind the fields at *pattern*."""
        return {(state.file, state.line) for state in self.at(pattern)}

    def written(self) -> set[str]:
        """Return the fields that the configuration sets, numbers in their pointers as `*`."""
        return {re.sub(r"/\d+", "/*", at) for at, state in self.states.items() if state.origin == "intended"}
