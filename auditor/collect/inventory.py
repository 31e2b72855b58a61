"""Inventories of every form: detection of the form, and reading."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import yaml

from auditor.collect import ansible, netbox, simple
from auditor.collect.target import Inventory, InventoryError
from auditor.util.filesystem import is_file, is_folder
from auditor.util.yamlfile import YamlError, compose

_YAML = frozenset({".yaml", ".yml", ".json"})
_ANSIBLE_NAMES = ("hosts", "hosts.ini", "hosts.yml", "inventory", "inventory.ini", "inventory.yml", "inventory.yaml")
_FORMS = "a YAML file with hosts, Nornir's hosts.yaml, an Ansible inventory, or the https:// address of a NetBox"


def read_inventory(
    given: str, environment: Mapping[str, str], filters: Mapping[str, Sequence[str]] | None = None
) -> Inventory:
    """Return the devices of the inventory *given*, a path or the address of a NetBox; raises InventoryError.

    *filters* select devices of a NetBox.
    """
    if given.startswith(("https://", "http://")):
        return netbox.read_netbox(given, environment.get(netbox.TOKEN), filters or {})
    if filters:
        raise InventoryError(f"{given}: not a NetBox; remove the filters {', '.join(filters)}")
    path = Path(given)
    found = _read_folder(path) if is_folder(path) else _read_file(path)
    if not found.targets:
        raise InventoryError(f"{given}: no devices in the inventory")
    return found


def _read_folder(folder: Path) -> Inventory:
    """Return the inventory of a folder of Nornir's or Ansible's files."""
    for name in ("hosts.yaml", *_ANSIBLE_NAMES):
        if is_file(folder / name):
            return _read_file(folder / name)
    raise InventoryError(f"{folder}: no inventory; expected hosts.yaml or one of {', '.join(_ANSIBLE_NAMES)}")


def _read_file(path: Path) -> Inventory:
    if not is_file(path):
        raise InventoryError(f"{path}: no such file; expected {_FORMS}")
    if path.suffix not in _YAML:
        return ansible.read_ini(path)
    keys = _list_top_keys(path)
    if "hosts" in keys and set(keys) <= {"hosts", "groups", "defaults"}:
        return simple.read_simple(path)
    if keys and all(shape <= {"hosts", "children", "vars"} for shape in keys.values()) and any(keys.values()):
        return ansible.read_yaml(path)
    return simple.read_nornir(path, path.with_name("groups.yaml"), path.with_name("defaults.yaml"))


def _list_top_keys(path: Path) -> dict[str, frozenset[str]]:
    """Return the top keys of a YAML file, each with the keys below it; raises InventoryError.

    Only the shape counts here; the reader of that form reports errors with their places.
    """
    try:
        node = compose(str(path), simple.read_text(path))
    except YamlError as error:
        raise InventoryError(str(error)) from None
    if not isinstance(node, yaml.MappingNode):
        raise InventoryError(f"{path}: expected {_FORMS}")
    return {str(key.value): _list_keys(value) for key, value in node.value}


def _list_keys(node: yaml.Node) -> frozenset[str]:
    return frozenset(str(key.value) for key, _ in node.value) if isinstance(node, yaml.MappingNode) else frozenset()
