"""The port view of files that hold the traps of the grammar, value by value.

`tests/golden/cumulus.json` holds the views, ports that look alike told once. After a change that is meant, write it
anew with `python tests/systems/cumulus/test_golden.py` and read the difference.
"""

import json
from pathlib import Path
from typing import Any

from auditor.engine.load import read_device
from auditor.inputs.snapshot import find
from auditor.view.port_view import device_view

ROOT = Path(__file__).parents[3]
DUMPS = ROOT / "fixtures" / "dumps" / "cumulus"
DEEP = 4
"""From here on a value stays on one line: a class, a queue, a map."""
GOLDEN = ROOT / "tests" / "golden" / "cumulus.json"


def views() -> list[dict[str, Any]]:
    """Return each device, its ports grouped by what they show beside their names, places and neighbours."""
    found = []
    for unit in find([str(DUMPS)]).units:
        device = device_view(read_device(unit).device).model_dump(mode="json", by_alias=True)
        groups: dict[str, dict[str, Any]] = {}
        for port in device.pop("ports"):
            name = port.pop("name")
            group = groups.setdefault(json.dumps(port), {"names": [], **port})
            group["names"].append(name)
        device["source"] = Path(device["source"]).name
        found.append({**device, "ports": list(groups.values())})
    return sorted(found, key=lambda device: str(device["name"]))


def text() -> str:
    """Return the views with one field a line."""
    return _told(views(), 0) + "\n"


def _told(value: Any, depth: int) -> str:  # noqa: ANN401  JSON
    plain = json.dumps(value)
    if len(plain) + 2 * depth < 110 or depth > DEEP or not isinstance(value, dict | list):
        return plain
    pad = "\n" + "  " * (depth + 1)
    if isinstance(value, list):
        return "[" + pad + f",{pad}".join(_told(each, depth + 1) for each in value) + pad[:-2] + "]"
    items = (f"{json.dumps(key)}: {_told(each, depth + 1)}" for key, each in value.items())
    return "{" + pad + f",{pad}".join(items) + pad[:-2] + "}"


def test_views_are_what_they_were() -> None:
    assert json.loads(GOLDEN.read_text(encoding="utf-8")) == json.loads(text())


if __name__ == "__main__":
    GOLDEN.write_text(text(), encoding="utf-8")
