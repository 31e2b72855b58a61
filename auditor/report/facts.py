"""Values of a port view as labelled texts, each with the state that proves it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from auditor.model.port import Port
from auditor.model.setting import Setting
from auditor.report.presentation import clean_text, format_number
from auditor.report.quote import join_port_names
from auditor.util.values import dataclass
from auditor.view.documents import PortView, StateView
from auditor.view.states import StateReader


@dataclass(frozen=True, slots=True)
class Fact:
    """A value as text, below a label; `state` proves it, None for a name that needs no proof.

    `text` is empty where the state is not known.
    """

    label: str
    text: str
    state: StateView | None = None

    @property
    def is_known(self) -> bool:
        """Whether the dumps determine the value."""
        return self.state is None or self.state.state == "known"


@dataclass(frozen=True, slots=True)
class Reader:
    """The values of a document, and the state of each by JSON pointer."""

    document: Mapping[str, Any]
    states: Mapping[str, StateView]

    def read(self, pointer: str) -> Any:  # noqa: ANN401  JSON
        """Return the value at *pointer*."""
        value: Any = self.document
        for step in pointer.strip("/").split("/"):
            value = value[int(step)] if isinstance(value, Sequence) else value[step]
        return value

    def describe(self, label: str, pointer: str, unit: str = "", text: str | None = None) -> Fact:
        """Return the value at *pointer* as a fact, with its *unit* or as the *text* that says it."""
        state = self.states[pointer]
        if state.state != "known":
            return Fact(label, "", state)
        return Fact(label, format_value(self.read(pointer), unit) if text is None else text, state)

    def list_items(self, pointer: str) -> list[tuple[str, Any]]:
        """Return the items of a list with the pointer of each, none where the list is not known."""
        return [(f"{pointer}/{number}", item) for number, item in enumerate(self.read(pointer) or ())]


def prove(setting: Setting[object], port: Port | None = None) -> StateView:
    """Return the state of *setting*; relative lines count from the stanza of *port*."""
    reader = StateReader(port, keep=True)
    reader("", setting)
    return (reader.states or {})[""]


def make_reader(view: PortView) -> Reader:
    """Return the values of a port view that was made with its states."""
    return Reader(view.model_dump(mode="json", by_alias=True, exclude={"state"}), view.state or {})


def format_value(value: Any, unit: str = "") -> str:  # noqa: ANN401  JSON
    """Return a value of the port view for people.

    >>> [format_value(value) for value in (True, 150000, 0.05, 40.0, [3, 4, 5], [], None, {"3": 26})]
    ['yes', '150,000', '0.05', '40', '3-5', 'none', 'none', '3 26']
    >>> format_value(9216, "bytes")
    '9,216 bytes'
    """
    if value is None or value in ([], {}, ""):
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, float)):
        return f"{format_number(value)} {unit}".rstrip()
    if isinstance(value, Mapping):
        return ", ".join(f"{clean_text(str(name))} {format_value(item)}" for name, item in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return fold_numbers(value) if all(isinstance(each, int) for each in value) else _join_words(value)
    return clean_text(str(value))


def fold_numbers(numbers: Iterable[int]) -> str:
    """Return numbers in short, neighbours in one range; a dash for none.

    >>> fold_numbers([26, 24, 25, 3]), fold_numbers([])
    ('3, 24-26', '-')
    """
    return join_port_names([str(number) for number in sorted(numbers)]) or "-"


def fold_names(names: Sequence[str]) -> str:
    """Return keys of rows in short: numbers in ranges, names as they are."""
    return fold_numbers(map(int, names)) if all(name.isdecimal() for name in names) else ", ".join(names)


def _join_words(words: Iterable[Any]) -> str:
    return ", ".join(format_value(word) for word in words)
