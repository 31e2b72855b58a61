"""The tables of what is read of a host: commands and files."""

import re
from collections.abc import Iterator

from pages import tabulate

from auditor.systems.linux.commands import COMMANDS
from auditor.systems.linux.filetable import FILES
from auditor.systems.windows.show import KNOWN as WINDOWS

WORDS = {"netdev": "IF", "rdma": "DEV", "device": "DEV", "card": "N", "pci": "BDF", "port": "PORT", "side": "{np,rp}"}
"""The places of a command or a path, as the page writes them."""


def name_capture(template: str) -> str:
    """Return a command or a path as people type it.

    >>> name_capture("mlnx_qos -i {netdev}"), name_capture("/sys/class/infiniband/{rdma}/tc/1/traffic_class")
    ('mlnx_qos -i IF', '/sys/class/infiniband/DEV/tc/1/traffic_class')
    """
    return re.sub(r"\{(\w+)\}", lambda match: WORDS.get(match[1], match[1].upper()), re.sub(r"[\[\]]", "", template))


def make_command_table() -> str:
    """Return the table of commands that are read."""
    read = ([f"`{name_capture(each.name)}`", each.shows] for each in (*COMMANDS, *WINDOWS) if each.shows)
    return tabulate(["command", "what is read"], read)


def make_file_table() -> str:
    """Return the table of files that are read."""
    read = ([f"`{name_capture(each.template)}`", each.shows] for each in FILES if each.shows)
    return tabulate(["file", "what is read"], read)


def make_silent_list() -> str:
    """Return the tools whose other outputs are known, and of which nothing is kept."""
    return ", ".join(f"`{tool}`" for tool in sorted(set(_list_silent_tools())))


def _list_silent_tools() -> Iterator[str]:
    for each in COMMANDS:
        tool = name_capture(each.name).split()[0]
        if not each.shows and tool not in {"other", "lldptool"}:
            yield tool
