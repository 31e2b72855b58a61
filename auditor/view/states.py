"""Reading the settings of a port for its view, with the proof of each field."""

from collections.abc import Callable, Container
from functools import lru_cache
from typing import Any, TypeVar

from auditor.model.port import Port
from auditor.model.setting import Known, Setting, Unset, Where, value_of
from auditor.view.documents import State, StateOrigin, StateView

T = TypeVar("T")


class StateReader:
    """Reads settings of one port, keeping that of each field by its JSON pointer when asked to."""

    def __init__(self, port: Port | None, *, keep: bool, left: Container[str] = ()) -> None:
        """Keep the settings of all fields but those whose pointers are in *left*."""
        self._port = port
        self._left = left
        self.settings: dict[str, Setting[Any]] | None = {} if keep else None

    @property
    def states(self) -> dict[str, StateView] | None:
        """The proof of each setting that was kept; None where none is."""
        return None if self.settings is None else {at: self._state(setting) for at, setting in self.settings.items()}

    def __call__(self, pointer: str, setting: Setting[T]) -> T | None:
        """Return the value of the field at *pointer*, and keep its setting."""
        if self.settings is not None and pointer not in self._left:
            self.settings[pointer] = setting
        return value_of(setting)

    def each(self, pointer: str, setting: Setting[tuple[T, ...]], shown: Callable[[str, T], Any]) -> list[Any] | None:
        """Return a list field, every item shown with the pointer that it has in it."""
        items = self(pointer, setting)
        return None if items is None else [shown(f"{pointer}/{n}", item) for n, item in enumerate(items)]

    def numbers(self, pointer: str, setting: Setting[tuple[int, ...]]) -> list[int] | None:
        """Return a list of numbers."""
        found = self(pointer, setting)
        return None if found is None else list(found)

    def _state(self, setting: Setting[object]) -> StateView:
        if isinstance(setting, Known):
            file, line = self._place(setting.where)
            why = setting.reference or None
            return _make_view("known", setting.origin.value, file, line, why)
        if isinstance(setting, Unset):
            file, line = self._place(setting.where)
            return _make_view("unset", None, file, line, None)
        return _make_view("unknown", None, None, None, setting.why)

    def _place(self, where: Where | None) -> tuple[str | None, int | None]:
        found = self._port.locate(where) if self._port else where
        return (found.file, found.line) if found else (None, None)


@lru_cache(maxsize=1024)
def _make_view(
    state: State, origin: StateOrigin | None, file: str | None, line: int | None, why: str | None
) -> StateView:
    """Return the proof; most fields of a port share theirs with others, and it never changes."""
    return StateView(state=state, origin=origin, file=file, line=line, why=why)
