"""Inventories in YAML with Nornir's keys: one file of hosts, groups and defaults, or Nornir's SimpleInventory files."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from auditor.collect.ranges import expand_names
from auditor.collect.target import Inventory, InventoryError, Target, make_inventory, make_target
from auditor.util.filesystem import explain_encoding, is_file
from auditor.util.yamlfile import Located, YamlError, load

MAX_BYTES = 2**26
_KEYS = ("hostname", "port", "username", "platform", "sudo")
_SCALAR = {"type": ["string", "integer", "null"]}
_ENTRY: dict[str, Any] = {
    "type": ["object", "null"],
    "properties": {
        "hostname": _SCALAR,
        "port": {"type": ["integer", "null"], "minimum": 1, "maximum": 65535},
        "username": _SCALAR,
        "platform": {"type": ["string", "null"]},
        "groups": {"type": ["array", "null"], "items": {"type": "string"}},
        "data": {"type": ["object", "null"]},
        "sudo": {"type": "boolean"},
        "password": True,
        "connection_options": True,
    },
    "additionalProperties": False,
}
_ENTRIES = {"type": ["object", "null"], "additionalProperties": _ENTRY}
_WHOLE: dict[str, Any] = {
    "type": "object",
    "properties": {"hosts": _ENTRIES, "groups": _ENTRIES, "defaults": _ENTRY},
    "required": ["hosts"],
    "additionalProperties": False,
}
PASSWORDS = "passwords in an inventory are ignored; `roce-audit pull --help` lists the sources of passwords"

Values = Mapping[str, Any]


def read_simple(path: Path) -> Inventory:
    """Return the inventory of a file with `hosts`, `groups` and `defaults`; raises InventoryError."""
    located = load_located(path, _WHOLE)
    return _build_inventory(
        located, located.data["hosts"] or {}, located.data.get("groups"), located.data.get("defaults")
    )


def read_nornir(hosts: Path, groups: Path, defaults: Path) -> Inventory:
    """Return the inventory of Nornir's SimpleInventory; only *hosts* must exist. Raises InventoryError."""
    located = load_located(hosts, _ENTRIES)
    more = [
        load_located(path, schema).data if is_file(path) else None for path, schema in _list_schemas(groups, defaults)
    ]
    return _build_inventory(located, located.data or {}, *more)


def load_located(path: Path, schema: Mapping[str, Any]) -> Located:
    """Return the data of the YAML file *path* with its lines; raises InventoryError."""
    try:
        return load(str(path), read_text(path), schema)
    except YamlError as error:
        raise InventoryError(str(error)) from None


def read_text(path: Path) -> str:
    """Return the text of *path*; raises InventoryError if the file is unreadable or too large."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise InventoryError(f"{path}: too large, expected at most {MAX_BYTES} bytes")
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InventoryError(f"{path}: cannot be read: {explain_encoding(error)}") from None
    except OSError as error:
        raise InventoryError(f"{path}: cannot be read: {error.strerror or error}") from None


def _list_schemas(groups: Path, defaults: Path) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    yield groups, _ENTRIES
    yield defaults, _ENTRY


def _build_inventory(located: Located, hosts: Values, groups: Values | None, defaults: Values | None) -> Inventory:
    entries = [entry or {} for entry in (*hosts.values(), *(groups or {}).values(), defaults)]
    notes = [PASSWORDS] if any(entry.get("password") for entry in entries) else []
    return make_inventory(_make_targets(located, hosts, groups or {}, defaults or {}), notes)


def _make_targets(located: Located, hosts: Values, groups: Values, defaults: Values) -> Iterator[Target]:
    prefix = ("hosts",) if "hosts" in located.data and isinstance(located.data["hosts"], Mapping) else ()
    for name, host in hosts.items():
        where = f"{located.file}:{located.line((*prefix, str(name)))}"
        if isinstance(name, bool):
            raise InventoryError(f"{where}: YAML reads this name as a boolean; put it in quotes")
        said = {
            **_flatten_entry(defaults),
            **_merge_groups(where, host or {}, groups, ()),
            **_flatten_entry(host or {}),
        }
        try:
            names = expand_names(str(name))
            hostnames = expand_names(str(said.get("hostname") or name))
        except ValueError as error:
            raise InventoryError(f"{where}: {error}") from None
        if len(hostnames) not in {1, len(names)}:
            raise InventoryError(f"{where}: {len(names)} names, but {len(hostnames)} host names")
        if len(hostnames) == 1 < len(names):
            raise InventoryError(f"{where}: {len(names)} names, but one host name")
        for each, hostname in zip(names, hostnames, strict=True):
            yield make_target(where, each, {**said, "hostname": hostname})


def _merge_groups(where: str, entry: Values, groups: Values, above: tuple[str, ...]) -> dict[str, Any]:
    """Return the values of the groups of *entry*; the first group wins, and a group over its own groups."""
    found: dict[str, Any] = {}
    for name in entry.get("groups") or ():
        if name not in groups:
            raise InventoryError(f"{where}: unknown group {name!r}")
        if name in above:
            raise InventoryError(f"{where}: group {name!r} contains itself")
        group = groups[name] or {}
        found = {**_merge_groups(where, group, groups, (*above, name)), **_flatten_entry(group), **found}
    return found


def _flatten_entry(entry: Values) -> dict[str, Any]:
    """Return the known keys of *entry* and of its `data`; `null` counts as missing."""
    both = {**(entry.get("data") or {}), **entry}
    return {key: both[key] for key in _KEYS if both.get(key) is not None}
