"""Lists of devices that other tools keep beside configurations: which of them lack one."""

import re
from collections.abc import Container, Iterator
from pathlib import PurePosixPath

from auditor.inputs.rawtext import Raw, Skipped
from auditor.util.regex import regex

LIST, FOLDER = "router.db", "configs"
_DEVICE = regex(
    r"(?P<name>[A-Za-z0-9_][\w.-]{0,254})(?P<mark>[;:])[^;:]{1,64}(?P=mark)\s{0,9}up\s{0,9}(?:(?P=mark).*)?",
    re.IGNORECASE,
)


def list_missing(raw: Raw, names: Container[str]) -> Iterator[Skipped]:
    """Yield the devices that RANCID's list *raw* has as up, and of which *names* of files have no configuration.

    Source: router.db(5) of https://github.com/haussli/rancid, man/router.db.5: `name;type;state`, before release 3 with
    colons. The file of a device is its name in lower case, in the folder `configs` beside the list.
    """
    if PurePosixPath(raw.name).name != LIST:
        return
    folder = f"{PurePosixPath(raw.folder) / FOLDER}"
    found = (match["name"] for line in raw.lines if (match := _DEVICE.fullmatch(line.strip())))
    for name in dict.fromkeys(found):
        if not any(f"{folder}/{each}" in names for each in (name, name.lower())):
            yield Skipped(f"{folder}/{name.lower()}", f"up in {LIST}, without a configuration")
