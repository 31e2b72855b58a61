"""The operating systems: one folder each; the folders give every list of systems."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType

from auditor.systems.system import Depth, System

__all__ = ["Depth", "System", "find_system", "systems"]


@cache
def systems() -> Mapping[str, System]:
    """Return the operating systems by identifier, in the order of detection."""
    folders = (module.name for module in iter_modules(__path__) if module.ispkg)
    found: list[System] = [import_module(f"{__name__}.{folder}.system").SYSTEM for folder in folders]
    return MappingProxyType({each.os: each for each in sorted(found, key=lambda each: each.rank)})


def find_system(name: str) -> System | None:
    """Return the system of an identifier or an alias; None if unknown.

    >>> [system.os for name in ("cisco.nxos.nxos", "NXOS") if (system := find_system(name))], find_system("vms")
    (['cisco_nxos', 'cisco_nxos'], None)
    """
    wanted = name.strip().lower()
    return systems().get(wanted) or next((each for each in systems().values() if wanted in each.aliases), None)


def list_names() -> list[str]:
    """Return all names of systems: identifiers, then aliases."""
    return [*systems(), *(alias for each in systems().values() for alias in each.aliases)]
