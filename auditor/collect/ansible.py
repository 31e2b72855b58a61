"""Ansible inventories, INI or YAML, with the group_vars and host_vars beside them, and the variables of a host."""

import configparser
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from auditor.collect.ranges import expand_names
from auditor.collect.simple import PASSWORDS, load_located, read_text
from auditor.collect.target import (
    Inventory,
    InventoryError,
    Target,
    check_size,
    make_inventory,
    make_target,
    parse_truth,
)
from auditor.util.filesystem import is_file, is_folder
from auditor.util.values import dataclass
from auditor.util.yamlfile import YamlError, load

_VAULT = "$ANSIBLE_VAULT"
_UNGROUPED = "ungrouped"
_KEYS = {
    "hostname": ("ansible_host", "ansible_ssh_host"),
    "port": ("ansible_port", "ansible_ssh_port"),
    "username": ("ansible_user", "ansible_ssh_user"),
    "platform": ("ansible_network_os",),
    "sudo": ("ansible_become",),
    "method": ("ansible_become_method",),
    "connection": ("ansible_connection",),
    "password": ("ansible_password", "ansible_ssh_pass", "ansible_ssh_password"),
    "become_password": ("ansible_become_pass", "ansible_become_password"),
    "key": ("ansible_private_key_file", "ansible_ssh_private_key_file"),
}
"""The variables of a host that a pull uses; of several, the last one that is set wins, as in Ansible's own plugin."""
_OVER_SSH = frozenset({"", "ssh", "smart", "paramiko", "paramiko_ssh", "libssh", "network_cli", "netconf", "httpapi"})
"""Connections of devices that also answer SSH; local, docker, winrm and the like do not."""
_SUDO = "sudo"
"""The become method of hosts. Network devices have `enable`, a privilege within the CLI."""

Values = dict[str, Any]


@dataclass(slots=True)
class _Group:
    """A group of an inventory file: hosts with their variables, children, variables of the group."""

    hosts: dict[str, Values] = field(default_factory=dict)
    children: list[str] = field(default_factory=list)
    said: Values = field(default_factory=dict)


@dataclass(slots=True)
class _File:
    """The content of an inventory file: groups, and the place of each host."""

    groups: dict[str, _Group] = field(default_factory=dict)
    wheres: dict[str, str] = field(default_factory=dict)

    def get_group(self, name: str) -> _Group:
        return self.groups.setdefault(name, _Group())

    def add_host(self, group: str, pattern: str, said: Values, where: str) -> None:
        try:
            names = expand_names(pattern)
        except ValueError as error:
            raise InventoryError(f"{where}: {error}") from None
        for name in names:
            self.get_group(group).hosts.setdefault(name, {}).update(said)
            self.wheres.setdefault(name, where)
            check_size(len(self.wheres))


def read_ini(path: Path) -> Inventory:
    """Return the inventory of an INI file; raises InventoryError."""
    lines = read_text(path).splitlines()
    parser = configparser.RawConfigParser(
        delimiters=("\n",), comment_prefixes=("#", ";"), allow_no_value=True, strict=False, default_section="\n"
    )
    parser.optionxform = str  # type: ignore[assignment,method-assign] # names keep their case
    # Each line becomes one key and carries its number; hosts may stand before the first section.
    numbered = [f"[{_UNGROUPED}]", *(_number_line(n, line.strip()) for n, line in enumerate(lines, start=1))]
    try:
        parser.read_string("\n".join(numbered))
    except configparser.Error as error:
        line = getattr(error, "lineno", None) or 2
        raise InventoryError(f"{path}:{line - 1}: not an INI inventory: {error.message.splitlines()[0]}") from None
    file = _File()
    for section in parser.sections():
        name, _, kind = section.partition(":")
        group = file.get_group(name)
        for key in parser[section]:
            number, _, text = key.partition(" ")
            where = f"{path}:{number}"
            words = _split_words(where, text)
            if not words:
                continue
            if kind == "children":
                group.children.append(words[0])
            elif kind == "vars":
                variable, _, value = text.partition("=")
                group.said[variable.strip()] = " ".join(_split_words(where, value))
            elif not kind:
                file.add_host(name, words[0], dict(_parse_assignment(where, word) for word in words[1:]), where)
            else:
                raise InventoryError(f"{where}: [{section}]: expected [GROUP], [GROUP:vars] or [GROUP:children]")
    return _build_inventory(path, file)


def read_yaml(path: Path) -> Inventory:
    """Return the inventory of a YAML file; raises InventoryError."""
    located = load_located(path, _YAML)
    file = _File()
    stack: list[tuple[tuple[str, ...], str, Any]] = [((str(n),), str(n), entry) for n, entry in located.data.items()]
    while stack:
        steps, name, entry = stack.pop(0)
        group = file.get_group(name)
        entry = entry or {}
        group.said.update(entry.get("vars") or {})
        for host, said in (entry.get("hosts") or {}).items():
            file.add_host(name, str(host), dict(said or {}), f"{path}:{located.line((*steps, 'hosts', str(host)))}")
        for child, below in (entry.get("children") or {}).items():
            group.children.append(str(child))
            stack.append(((*steps, "children", str(child)), str(child), below))
    return _build_inventory(path, file)


_YAML_GROUP: dict[str, Any] = {
    "type": ["object", "null"],
    "properties": {
        "hosts": {"type": ["object", "null"], "additionalProperties": {"type": ["object", "null"]}},
        "vars": {"type": ["object", "null"]},
        "children": {"type": ["object", "null"], "additionalProperties": {"$ref": "#/$defs/group"}},
    },
    "additionalProperties": False,
}
_YAML = {
    "type": "object",
    "additionalProperties": {"$ref": "#/$defs/group"},
    "$defs": {"group": _YAML_GROUP},
}


def _number_line(number: int, line: str) -> str:
    is_plain = not line or line[0] in "#;" or re.match(r"\[[^\]]+\]\s*(?:[#;]|\Z)", line)
    return line if is_plain else f"{number} {line}"


def _split_words(where: str, text: str) -> list[str]:
    try:
        return shlex.split(text, comments=True)
    except ValueError as error:
        raise InventoryError(f"{where}: {str(error).lower()}") from None


def _parse_assignment(where: str, word: str) -> tuple[str, str]:
    key, equals, value = word.partition("=")
    if not equals:
        raise InventoryError(f"{where}: {word!r}: expected NAME=VALUE after a host")
    return key, value


def _build_inventory(path: Path, file: _File) -> Inventory:
    notes: list[str] = []
    orders = _measure_depths(path, file.groups)
    outside = _Variables(path.parent, notes)
    shared = [select_variables(file.get_group("all").said), outside.read("group_vars", "all")]
    groups = [name for name, _ in sorted(orders.items(), key=lambda item: (item[1], item[0])) if name != "all"]
    above = _find_ancestors(file.groups)
    targets: list[Target] = []
    for name, where in file.wheres.items():
        direct = [group for group in file.groups if name in file.groups[group].hosts]
        member = {ancestor for group in direct for ancestor in (group, *above.get(group, ()))}
        inherited = [group for group in groups if group in member]
        layers = [
            shared[0],
            *(select_variables(file.groups[group].said) for group in inherited),
            shared[1],
            *(outside.read("group_vars", group) for group in inherited),
            *(select_variables(file.groups[group].hosts[name]) for group in direct),
            outside.read("host_vars", name),
        ]
        targets.extend(list_targets(where, name, {k: v for layer in layers for k, v in layer.items()}, notes))
    return make_inventory(targets, dict.fromkeys(notes))


def list_targets(where: str, name: str, said: Mapping[str, Any], notes: list[str]) -> Iterator[Target]:
    """Yield the target of the host *name*, unless it has no SSH, which goes to *notes*; raises InventoryError.

    *said* are its variables as `select_variables` returns them.
    """
    if said.get("password") or said.get("become_password"):
        notes.append(PASSWORDS)
    connection = str(said.get("connection") or "").rpartition(".")[2]
    if connection not in _OVER_SSH:
        notes.append(f"{name} is skipped: connection {connection} does not use SSH")
        return
    method = str(said.get("method") or _SUDO).rpartition(".")[2]
    yield make_target(where, name, {**said, "sudo": method == _SUDO and parse_truth(said.get("sudo"))})


def select_variables(variables: Mapping[str, Any]) -> Values:
    """Return the variables that a pull uses, under the names of `Target`."""
    return {key: variables[name] for key, names in _KEYS.items() for name in names if variables.get(name) is not None}


def _find_ancestors(groups: Mapping[str, _Group]) -> dict[str, tuple[str, ...]]:
    """Return the ancestors of each group."""
    parents: dict[str, list[str]] = {}
    for name, group in groups.items():
        for child in group.children:
            parents.setdefault(child, []).append(name)
    found = {}
    for name in groups:
        seen: dict[str, None] = {}
        left = list(parents.get(name, ()))
        while left:
            parent = left.pop()
            if parent not in seen:
                seen[parent] = None
                left.extend(parents.get(parent, ()))
        found[name] = tuple(seen)
    return found


def _measure_depths(path: Path, groups: Mapping[str, _Group]) -> dict[str, int]:
    """Return the depth of each group; deeper groups win. Raises InventoryError for a group that contains itself."""
    above = _find_ancestors(groups)
    for name, parents in above.items():
        if name in parents:
            raise InventoryError(f"{path}: group {name!r} contains itself")
    return {name: len(parents) for name, parents in above.items()}


class _Variables:
    """The folders group_vars and host_vars beside an inventory; each file is read once."""

    def __init__(self, folder: Path, notes: list[str]) -> None:
        self._folder = folder
        self._notes = notes
        self._known: dict[tuple[str, str], Values] = {}

    def read(self, kind: str, name: str) -> Values:
        """Return the variables of the file or folder *name*."""
        if (kind, name) not in self._known:
            found: Values = {}
            inside = Path(name).name == name != ".."  # a name like / or .. leads elsewhere
            for path in self._list_paths(self._folder / kind / name) if inside else ():
                found.update(self._read_file(path))
            self._known[kind, name] = select_variables(found)
        return self._known[kind, name]

    @staticmethod
    def _list_paths(base: Path) -> list[Path]:
        if is_folder(base):
            return sorted(path for path in base.iterdir() if is_file(path) and not path.name.startswith("."))
        candidates = (base, *(base.with_name(base.name + suffix) for suffix in (".yml", ".yaml", ".json")))
        return [path for path in candidates if is_file(path)]

    def _read_file(self, path: Path) -> Values:
        text = read_text(path)
        if text.startswith(_VAULT):
            self._notes.append(f"{path} is encrypted; its variables are ignored")
            return {}
        try:
            data = load(str(path), text, {"type": ["object", "null"]}, foreign_tags=True).data
        except YamlError as error:
            raise InventoryError(str(error)) from None
        return dict(data or {})
