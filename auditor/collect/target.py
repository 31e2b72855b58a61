"""Targets: the devices of an inventory."""

from collections.abc import Iterable, Mapping
from dataclasses import field

from auditor.inputs import layouts
from auditor.inputs.filenames import explain_odd_name
from auditor.inputs.manifest import MANIFEST
from auditor.util.printable import shorten
from auditor.util.regex import regex
from auditor.util.values import dataclass

NAME = regex(r"[A-Za-z0-9_](?:[A-Za-z0-9_.:@+ -]{0,126}[A-Za-z0-9_@+-])?")
"""A device's name becomes a folder: no separators, no leading dot, no special characters of shells or terminals."""
_OURS = frozenset({MANIFEST, "roce-audit.yaml", "roce-audit.yml"})
"""Files that may stand beside the folders of devices, and mean something there."""
_OF_WINDOWS = regex(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?")
_HOSTNAME = regex(r"(?!-)[A-Za-z0-9_.:%-]{1,255}")
_USERNAME = regex(r"(?!-)[^\s\x00-\x1f\x7f\"'`$;|&<>]{1,128}")
_PORTS = range(1, 65536)
MAX_DEVICES = 100_000
"""Devices of one inventory: a few lines with ranges could stand for any number."""


class InventoryError(ValueError):
    """Raised for an unusable inventory; the message has the place and the expected value."""

    def __init__(self, message: str) -> None:
        super().__init__(shorten(message))


@dataclass(frozen=True, slots=True)
class Target:
    """One device. SSH configuration and environment replace None; a None `platform` is detected.

    `key` is the file of a private key, in place of all other keys.
    """

    name: str
    hostname: str
    port: int | None = None
    username: str | None = None
    platform: str | None = None
    sudo: bool = False
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Inventory:
    """The devices in the order of the inventory, and notes on unused parts."""

    targets: tuple[Target, ...]
    notes: tuple[str, ...] = field(default=())


def make_target(where: str, name: str, said: Mapping[str, object]) -> Target:
    """Return the target *name* of an inventory's values; raises InventoryError that begins with *where*."""
    hostname = str(said.get("hostname") or name)
    port, username, sudo = said.get("port"), said.get("username"), said.get("sudo")
    if not NAME.fullmatch(name):
        raise InventoryError(f"{where}: {name!r} cannot name a folder; expected letters, digits, . _ -")
    if why := _explain_taken(name):
        raise InventoryError(f"{where}: {name!r} cannot name a folder: {why}; give the device another name")
    if "{{" in f"{hostname}{port}{username}{sudo}{said.get('key')}":
        raise InventoryError(f"{where}: {name}: a template ({{{{ … }}}}) is not evaluated; expected a plain value")
    if not _HOSTNAME.fullmatch(hostname):
        raise InventoryError(f"{where}: {name}: {hostname!r} is neither a host name nor an address")
    if username is not None and not _USERNAME.fullmatch(str(username)):
        raise InventoryError(f"{where}: {name}: {username!r} is not a user name")
    return Target(
        name,
        hostname,
        None if port is None else _parse_port(where, name, port),
        None if username is None else str(username),
        str(said["platform"]) if said.get("platform") else None,
        parse_truth(sudo),
        str(said["key"]) if said.get("key") else None,
    )


def _explain_taken(name: str) -> str:
    """Return what the folder of a device *name* would be taken for; empty for a usable name.

    >>> _explain_taken("Manifest.JSON"), _explain_taken("aux.1"), _explain_taken("leaf1")
    ("the name of a file of roce-audit's", 'a reserved name on Windows', '')
    """
    folded = name.casefold()  # some file systems take names that differ in case for one
    if folded in _OURS:
        return "the name of a file of roce-audit's"
    if _OF_WINDOWS.fullmatch(folded):
        return "a reserved name on Windows"
    if layout := layouts.layout_of(lambda entry: entry.casefold() == folded):
        return f"the sign of {layout.name}"
    return explain_odd_name(name)


def parse_truth(value: object) -> bool:
    """Return whether *value* is true in YAML or Ansible."""
    return value is True or str(value).lower() in {"yes", "true", "on", "1"}


def make_inventory(targets: Iterable[Target], notes: Iterable[str] = ()) -> Inventory:
    """Return the inventory of *targets*; raises InventoryError if two targets have one name."""
    found: dict[str, Target] = {}
    for each in targets:
        key = each.name.casefold()  # some file systems take names that differ in case for one
        if key in found:
            raise InventoryError(f"two devices have the name {each.name}")
        found[key] = each
        check_size(len(found))
    return Inventory(tuple(found.values()), tuple(notes))


def check_size(count: int) -> None:
    """Raise InventoryError for more devices than an inventory may have."""
    if count > MAX_DEVICES:
        raise InventoryError(f"more than {MAX_DEVICES} devices in the inventory; give it in parts")


def _parse_port(where: str, name: str, value: object) -> int:
    text = str(value)
    if not text.isascii() or not text.isdecimal() or int(text[:6]) not in _PORTS:
        raise InventoryError(f"{where}: {name}: {text!r} is not a port; expected 1 to 65535")
    return int(text)
