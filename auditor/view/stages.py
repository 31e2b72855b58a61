"""A stage of the way of packets through a port, as data."""

from dataclasses import field
from typing import TypeAlias

from auditor.util.values import dataclass

Place: TypeAlias = tuple[str, int]
"""A file and a line; empty and 0 where nothing proves a setting."""
NOWHERE: Place = ("", 0)


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting of a stage: its label, its value as JSON, the unit of a number, and where it comes from.

    `state` is `known`, `unset` or `unknown`; `origin` and `why` as in the port view.
    """

    label: str
    value: str
    unit: str
    state: str
    origin: str
    why: str


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage of the pipeline; `number` tells stages of one name apart: the class, the priority group, the queue.

    `places` prove the settings, one each; stages that differ in them alone are equal.
    """

    name: str
    number: str
    settings: tuple[Setting, ...]
    places: tuple[Place, ...] = field(default=(), compare=False)
