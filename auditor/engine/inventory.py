"""The inventory of `pull` as the list of the devices that an audit must see.

The file may be a stranger's: it lies below the intent, a child process reads it within bounds, and no message quotes
it.
"""

import os
import re
from pathlib import Path

from auditor.intent import Expectation
from auditor.util.filesystem import is_file
from auditor.util.regex import regex
from auditor.util.values import dataclass

BESIDE = ("groups.yaml", "defaults.yaml", "group_vars", "host_vars")
"""Files and folders beside an inventory that belong to it."""
_ADDRESS = regex(r"[a-z]+://", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class InventoryNames:
    """The names of an inventory's devices, or the reason why there are none."""

    names: tuple[str, ...] = ()
    wrong: str = ""


def name_inventory(expected: Expectation) -> str:
    """Return the path of the inventory beside that of the intent, as messages name it."""
    return str(Path(expected.file).parent / expected.inventory)


def read_names(expected: Expectation) -> InventoryNames:
    """Return the devices of the inventory that *expected* names."""
    from auditor.collect.inventory import read_inventory
    from auditor.collect.target import InventoryError

    if _ADDRESS.match(expected.inventory):
        return InventoryNames(wrong="is an address; give a file")
    path = Path(os.path.realpath(Path(expected.folder, expected.inventory)))
    if not path.is_relative_to(os.path.realpath(expected.folder)):
        why = "leads out of the folder of the intent; give a file below it, or an intent elsewhere with --config"
        return InventoryNames(wrong=why)
    if not is_file(path):
        return InventoryNames(wrong="no such file")
    try:
        targets = read_inventory(str(path), {}).targets  # no PATH: a stranger's inventory starts no program
    except InventoryError as error:
        line = re.match(re.escape(str(path)) + r":(\d+):", str(error))
        at = f" (line {line[1]})" if line else ""
        advice = f"`roce-audit pull {name_inventory(expected)} --dry-run` names the mistake"
        return InventoryNames(wrong=f"not an inventory of devices{at}; {advice}")
    return InventoryNames(tuple(target.name for target in targets))
