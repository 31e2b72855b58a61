"""The page of host captures names every command and file that is read, and nothing else."""

import re
from collections.abc import Iterator
from pathlib import Path

from auditor.systems.linux.commands import COMMANDS
from auditor.systems.linux.filetable import FILES
from auditor.systems.windows.show import KNOWN as WINDOWS

PAGE = (Path(__file__).parents[3] / "CAPTURES.md").read_text(encoding="utf-8")
WORDS = {"netdev": "IF", "rdma": "DEV", "device": "DEV", "card": "N", "pci": "BDF", "port": "PORT", "side": "np|rp"}


def shown(name: str) -> str:
    """Return the name of a command, or of a file, as the page writes it."""
    return re.sub(r"\{(\w+)\}", lambda match: WORDS.get(match[1], match[1].upper()), re.sub(r"[\[\]]", "", name))


def rows() -> Iterator[str]:
    """Yield the rows that the page must have."""
    for each in (*COMMANDS, *WINDOWS):
        if each.shows:
            yield f"| `{shown(each.name)}` | {each.shows} |"
    for file in FILES:
        if file.shows:
            yield f"| `{shown(file.template)}` | {file.shows} |".replace("np|rp", "{np,rp}")


def test_every_command_and_file_that_is_read_is_on_the_page() -> None:
    assert [row for row in rows() if row not in PAGE] == []


def test_nothing_else_is_on_the_page() -> None:
    assert set(re.findall(r"^\| `.*\|$", PAGE, re.MULTILINE)) <= set(rows())


def test_what_is_known_and_kept_nowhere_is_named() -> None:
    named = PAGE.partition("nothing of them is kept")[0].rpartition("\n\n")[2]
    silent = {shown(each.name) for each in COMMANDS if not each.shows}
    without = {name.split()[0] for name in silent - {"other", "lldptool"}}
    assert {tool for tool in without if f"`{tool}" not in named} == set()
