"""Inventories of every form: detection of the form, and reading."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import yaml

from auditor.collect import ansible, ansible_program, netbox, simple
from auditor.collect.target import Inventory, InventoryError
from auditor.util.filesystem import is_file, is_folder
from auditor.util.yamlfile import YamlError, compose

_SHOWN = 3
_YAML = frozenset({".yaml", ".yml", ".json"})
_ANSIBLE_NAMES = ("hosts", "hosts.ini", "hosts.yml", "inventory", "inventory.ini", "inventory.yml", "inventory.yaml")
_PLUGIN = "plugin"
"""The key of a file that an inventory plugin of Ansible reads."""
_FORMS = "a YAML file with hosts, Nornir's hosts.yaml, an Ansible inventory, or the https:// address of a NetBox"


def read_inventory(
    given: str,
    environment: Mapping[str, str],
    filters: Mapping[str, Sequence[str]] | None = None,
    *,
    insecure_http: bool = False,
) -> Inventory:
    """Return the devices of the inventory *given*, a path or the address of a NetBox; raises InventoryError.

    *filters* select devices of a NetBox; *insecure_http* lets its token cross the network in clear text. Where the PATH
    has `ansible-inventory`, it lists the devices of an Ansible inventory; elsewhere the files are read here.
    """
    if given.startswith(("https://", "http://")):
        devices = netbox.read_netbox(given, environment.get(netbox.TOKEN), filters or {}, insecure_http=insecure_http)
        if not devices.targets:
            raise InventoryError("; ".join([f"{given}: no devices in the inventory", *_explain(filters, devices)]))
        return devices
    if filters:
        raise InventoryError(f"{given}: not a NetBox; remove the filters {', '.join(filters)}")
    path = Path(given)
    found = _read_folder(path, environment) if is_folder(path) else _read_file(path, environment)
    if not found.targets:
        raise InventoryError(f"{given}: no devices in the inventory")
    return found


def _explain(filters: Mapping[str, Sequence[str]] | None, devices: Inventory) -> Iterator[str]:
    """Yield why a NetBox has no devices."""
    chosen = {"status": ["active"], **(filters or {})}
    words = [f"{key} {' or '.join(values)}" for key, values in chosen.items()]
    yield f"{' and '.join(words)} selects none"
    yield from devices.notes[:_SHOWN]


def _read_folder(folder: Path, environment: Mapping[str, str]) -> Inventory:
    """Return the inventory of a folder of Nornir's or Ansible's files."""
    for name in ("hosts.yaml", *_ANSIBLE_NAMES):
        if is_file(folder / name):
            return _read_file(folder / name, environment)
    raise InventoryError(f"{folder}: no inventory; expected hosts.yaml or one of {', '.join(_ANSIBLE_NAMES)}")


def _read_file(path: Path, environment: Mapping[str, str]) -> Inventory:
    if not is_file(path):
        raise InventoryError(f"{path}: no such file; expected {_FORMS}")
    if path.suffix not in _YAML:
        return _read_ansible(path, environment, ansible.read_ini)
    keys = _list_top_keys(path)
    if "hosts" in keys and set(keys) <= {"hosts", "groups", "defaults"}:
        return simple.read_simple(path)
    if keys and all(shape <= {"hosts", "children", "vars"} for shape in keys.values()) and any(keys.values()):
        return _read_ansible(path, environment, ansible.read_yaml)
    if _PLUGIN in keys:
        return _read_ansible(path, environment, _refuse_plugin)
    return simple.read_nornir(path, path.with_name("groups.yaml"), path.with_name("defaults.yaml"))


def _read_ansible(path: Path, environment: Mapping[str, str], read: Callable[[Path], Inventory]) -> Inventory:
    """Return the inventory that Ansible lists, or that *read* returns where Ansible is missing."""
    program = ansible_program.find_program(environment)
    return ansible_program.read_by_ansible(path, program, environment) if program else read(path)


def _refuse_plugin(path: Path) -> Inventory:
    raise InventoryError(
        f"{path}: an inventory plugin of Ansible needs {ansible_program.PROGRAM}; install ansible-core"
    )


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
