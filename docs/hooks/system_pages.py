"""A page for each operating system: names, depth, commands, what `pull` sends, defaults with their sources."""

import json
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit

from pages import Page, code, tabulate

from auditor.collect.platforms import DETECTION
from auditor.grammar.show import Pull
from auditor.systems import System, systems
from auditor.util.yamlfile import data_of

DEPTHS = {"full": "**full**: each setting that the rules of its kind read", "basic": "**basic**: the core alone"}


def list_system_pages() -> Iterator[Page]:
    """Yield a page for each system, switches first."""
    order = {"switch": 0, "host": 1, "jobs": 2}
    for system in sorted(systems().values(), key=lambda each: (order[each.kind], each.name)):
        parts = [f"# {system.name}", *_describe(system), *_list_outputs(system), *_list_pulls(system)]
        parts += [*_list_change_commands(system), *_list_defaults(system)]
        yield Page(f"systems/{system.os}.md", system.name, "\n\n".join(parts) + "\n")


def make_overview() -> str:
    """Return the table of all systems."""
    rows = []
    for page in list_system_pages():
        os = page.path.rpartition("/")[2].removesuffix(".md")
        system = systems()[os]
        live = "yes" if system.login else "no"
        rows.append([f"[{page.title}]({os}.md)", system.kind, system.depth.value, code(os), live])
    return tabulate(["system", "kind", "depth", "`--os`", "`pull`"], rows)


def _describe(system: System) -> Iterator[str]:
    names = ", ".join(map(code, system.aliases))
    yield tabulate(
        ["", ""],
        [
            ["name for `--os`", code(system.os)],
            ["other names", names],
            ["kind", system.kind],
            ["depth", DEPTHS[system.depth.value]],
            ["models", system.models],
        ],
    )
    yield "## What to give { #give }"
    yield "\n".join(f"- {code(each)}" for each in system.give)


def _list_outputs(system: System) -> Iterator[str]:
    rows = [[code(command), why] for command, why in system.outputs()]
    if rows:
        yield "## Outputs that are read { #outputs }"
        yield f"{code(f'roce-audit os {system.os}')} prints this list."
        yield tabulate(["command", "for"], rows)


def _list_pulls(system: System) -> Iterator[str]:
    yield "## Commands that pull sends { #pull }"
    if system.login is None:
        yield "None: `pull` does not log in to this system."
        return
    rows = [[code(each.command), each.why, _qualify(each)] for each in system.pulls()]
    rows += [[code(line), why, "session"] for line, why in system.login.lines]
    asked = ", ".join(code(line) for line, _ in DETECTION)
    yield f"`pull` sends these lines and no other. Where the inventory names no platform, it asks the device: {asked}."
    yield tabulate(["line", "for", ""], rows)


def _qualify(pull: Pull) -> str:
    words = [("required", pull.required), ("root, where the inventory allows it", pull.root)]
    return "; ".join(word for word, holds in words if holds)


def _list_change_commands(system: System) -> Iterator[str]:
    control = system.remedies.control if system.remedies else None
    if control:
        yield "## Around a change { #change }"
        yield "`roce-audit fix` names these commands of the system in its plan; it sends nothing."
        steps = (("keep", control.keep), ("look", control.look), ("undo", control.undo), ("save", control.save))
        yield tabulate(["step", "command"], ([name, code(command)] for name, command in steps))


def _list_defaults(system: System) -> Iterator[str]:
    yield "## Defaults { #defaults }"
    file = files("auditor.systems") / system.folder / "defaults.yaml"
    data = data_of(file.read_text(encoding="utf-8")) if file.is_file() else {}
    rows = [_make_row(each) for each in (*data.get("defaults", ()), *data.get("device_defaults", ()))]
    if vlan := data.get("vlan_interface"):
        rows.append(_make_row({**vlan, "path": "mtu_bytes of a VLAN interface", "value": vlan["mtu_bytes"]}))
    if rows:
        yield "What the system does where its configuration is silent, and the page or output that says so."
        yield tabulate(["setting", "default", "where", "releases", "source"], rows)
    else:
        yield "None are assumed: a value that no dump shows is unknown."
    if "mtu" in data:
        yield _describe_mtu(data["mtu"])
    if data.get("collect"):
        yield "Settings that are unknown without an output:"
        yield tabulate(["setting", "output that shows it"], ([code(k), code(v)] for k, v in data["collect"].items()))


def _describe_mtu(mtu: Mapping[str, Any]) -> str:
    """Return how the system counts an MTU."""
    counted = (("largest IP packet", mtu["ip_bytes_more"]), ("largest frame", mtu["frame_bytes_more"]))
    known = ", ".join(f"the {name} is {_add(more)}" for name, more in counted if more is not None)
    return f"An MTU: {known or 'its meaning is not documented'} ({_flatten(mtu['reference'])})."


def _add(more: int) -> str:
    return f"{more} bytes longer" if more > 0 else f"{-more} bytes shorter" if more else "as long"


def _make_row(entry: Mapping[str, Any]) -> list[str]:
    when = ", ".join(code(f"{path}: {_write(value)}") for path, value in entry.get("when", {}).items())
    source = _flatten(entry["reference"])
    return [code(entry["path"]), code(_write(entry["value"])), when, str(entry.get("versions", "")), _link(source)]


def _link(source: str) -> str:
    """Return a source with the address that it begins with as a link, whose text is short.

    >>> _link("https://www.example.com/a/long/page.html (as of release 9)")
    '[example.com](https://www.example.com/a/long/page.html) (as of release 9)'
    """
    address, space, rest = source.partition(" ")
    host = urlsplit(address).netloc.removeprefix("www.")
    return f"[{host}]({address}){space}{rest}" if host else source


def _write(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _flatten(text: object) -> str:
    return " ".join(str(text).split()).replace("|", "&#124;")
