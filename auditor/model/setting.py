"""The three states of a value: known, unset and unknown, never merged."""

from enum import StrEnum
from typing import Generic, NoReturn, TypeAlias, TypeVar

from auditor.util.values import dataclass

T_co = TypeVar("T_co", covariant=True)


class Origin(StrEnum):
    """Where a value comes from, in the terms of RFC 8342."""

    INTENDED = "intended"
    LEARNED = "learned"
    DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class Where:
    """A place in a dump.

    `line` counts from 1. With `relative` it counts from the head of the port's own stanza (the head is 0) and names no
    file, so that ports with equal stanzas, also of several devices, share one value; `at` turns it into a place of its
    own. `pointer` is the JSON pointer (RFC 6901) where the dump is JSON or YAML. Where a port's configuration stands in
    several places, `part` says from which of them a relative place counts: 0 is the head of the stanza, 1 the first of
    the port's `parts`, -1 the first of its `rows`.

    >>> found = Where("", 2, relative=True).at(Where("leaf1.cfg", 40))
    >>> found.line, found.relative
    (42, False)
    """

    file: str
    line: int
    relative: bool = False
    pointer: str = ""
    part: int = 0

    def at(self, head: "Where") -> "Where":
        """Return this place as an absolute one, *head* being the first line of the port's stanza."""
        if not self.relative:
            return self
        return Where(head.file, head.line + self.line, pointer=head.pointer + self.pointer)


HEAD = Where("", 0, relative=True)
"""The head of a port's own stanza."""


class Undetermined(Exception):  # noqa: N818  a silent dump is no error: the audit reports the open object
    """The dumps do not determine a value; `where` is the silent block, if any.

    `device` and `port` name the owner of the value if the owner may differ from the judged object.
    """

    def __init__(self, why: str, where: Where | None = None, *, device: str = "", port: str = "") -> None:
        super().__init__(why)
        self.why = why
        self.where = where
        self.device = device
        self.port = port


@dataclass(frozen=True, slots=True)
class Known(Generic[T_co]):
    """A value with its origin and the line that proves it.

    A value of origin `default` has the line of the block that is silent, and in `reference` the vendor's page.
    """

    value: T_co
    origin: Origin
    where: Where | None = None
    reference: str = ""

    def known(self) -> "Known[T_co]":
        """Return this value."""
        return self


@dataclass(frozen=True, slots=True)
class Unset:
    """The block is in the dump and does not set this value; `where` is the block's line."""

    where: Where | None = None

    def known(self) -> NoReturn:
        """Raise Undetermined: the operating system's default is not documented."""
        raise Undetermined("not configured, and the default is not documented", self.where)


@dataclass(frozen=True, slots=True)
class Unknown:
    """The output with the value was not collected, or two outputs contradict each other; `why` is the reason."""

    why: str

    def known(self) -> NoReturn:
        """Raise Undetermined with the reason."""
        raise Undetermined(self.why)


Setting: TypeAlias = Known[T_co] | Unset | Unknown


NOT_COLLECTED = Unknown("no capture shows it")


def value_of(setting: "Setting[T_co]") -> T_co | None:
    """Return the value of *setting*, or None where the dumps do not determine it."""
    return setting.value if isinstance(setting, Known) else None


def is_unclear(setting: "Setting[object]") -> bool:
    """Return whether the dumps tell of *setting*, and do not determine its value."""
    return isinstance(setting, Unknown) and setting != NOT_COLLECTED


def is_chosen(*settings: "Setting[object]") -> bool:
    """Return whether one of *settings* is a known value other than a default."""
    return any(isinstance(s, Known) and s.origin is not Origin.DEFAULT for s in settings)


def is_by_hand(setting: "Setting[object]") -> bool:
    """Return whether the configuration itself sets *setting*, not a vendor's reading of another line."""
    return isinstance(setting, Known) and setting.origin is Origin.INTENDED and not setting.reference
