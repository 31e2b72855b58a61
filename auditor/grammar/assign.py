"""How settings are written into a body."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

from auditor.model.setting import Setting


class Assigns(ABC):
    """A body that keeps its settings elsewhere than in its attributes."""

    __slots__ = ()

    @abstractmethod
    def assign(self, name: str, found: Setting[Any]) -> None:
        """Keep the setting of a field."""

    @abstractmethod
    def assign_members(self, name: str, keys: Iterable[Any], found: Setting[Any]) -> None:
        """Keep the setting of entries of a field that maps keys to settings."""


def assign(body: object, name: str, found: Setting[Any]) -> None:
    """Write a setting into the field *name* of *body*."""
    if isinstance(body, Assigns):
        body.assign(name, found)
    else:
        setattr(body, name, found)


def assign_members(body: object, name: str, keys: Iterable[Any], found: Setting[Any]) -> None:
    """Write a setting into entries of the field *name* of *body*, which maps keys to settings."""
    if isinstance(body, Assigns):
        body.assign_members(name, keys, found)
    else:
        getattr(body, name).update(dict.fromkeys(keys, found))
