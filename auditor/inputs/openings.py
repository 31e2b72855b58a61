"""First lines of outputs of hosts, which separate outputs without commands between them."""

import re
from collections.abc import Mapping, Sequence

from auditor.inputs.heads import list_likely, match_head

_OPENINGS: Mapping[str, tuple[str, str]] = {
    "ibdev2netdev": (" ==> ", r"\S+ port \d+ ==> \S+ \(|[0-9a-f:.]{7,12} \S+ \(.{1,300}? port \d+ \(\w+ *\) +==> "),
    "rdma link": ("physical_state", r"(?:link |\d+/\d+: )\S+/\d+:? .*\bstate "),
    "rdma dev": ("node_type", r"\d+: \S+: node_type "),
    "show_gids": ("INDEX", r"DEV\s+PORT\s+INDEX\s+GID"),
    "ibstat": ("CA '", r"CA '[^']+'$"),
    "ibstatus": ("Infiniband device", r"Infiniband device '"),
    "ibv_devinfo": ("hca_id", r"hca_id:\s"),
    "mlnx_qos": ("Priority trust state", r"DCBX mode: |Priority trust state: "),
    "ethtool": ("Settings for", r"Settings for \S+:$"),
    "ethtool -a": ("Pause parameters", r"Pause parameters for \S+:$"),
    "ethtool -i": ("driver: ", r"driver: \S+$"),
    "ethtool -S": ("NIC statistics", r"NIC statistics:$"),
    "mlxconfig": ("Device #", r"Device #\d+:$"),
    "mst status": ("MST modules", r"MST modules:$"),
    "lldpctl": ("LLDP neighbors", r"LLDP neighbors:$"),
}
"""A word that the output has, for a fast search, and the pattern of its first line, flush."""
_KEY = 3
_BEGINNINGS: Mapping[str, tuple[str, ...]] = {
    "lin": ("rdma link",),
    "DEV": ("show_gids",),
    "CA ": ("ibstat",),
    "Inf": ("ibstatus",),
    "hca": ("ibv_devinfo",),
    "DCB": ("mlnx_qos",),
    "Pri": ("mlnx_qos",),
    "Set": ("ethtool",),
    "Pau": ("ethtool -a",),
    "dri": ("ethtool -i",),
    "NIC": ("ethtool -S",),
    "Dev": ("mlxconfig",),
    "MST": ("mst status",),
    "LLD": ("lldpctl",),
}
"""The commands whose first line begins so; those of other shapes begin with a digit, or hold an arrow."""
_WITH_DIGIT = ("rdma link", "rdma dev")
_WITH_ARROW = ("ibdev2netdev",)
_LOOP = re.compile(r"(?:for|while)\s")


def find_openings(lines: Sequence[str], text: str) -> frozenset[int]:
    r"""Return the lines of *lines* at which an output of another command begins; *text* is all of them.

    A loop prints outputs of several commands.

    >>> lines = ["mlx5_0 port 1 ==> a (Up)", "Priority trust state: pcp", "$ ibstat", "CA 'mlx5_0'"]
    >>> sorted(find_openings(lines, "\n".join(lines)))
    [0, 1]
    """
    kinds = {kind: re.compile(pattern) for kind, (word, pattern) in _OPENINGS.items() if word in text}
    found: set[int] = set()
    if len(kinds) <= 1:
        return frozenset()
    first: int | None = None
    current = ""
    is_loop = False
    begun = {index for index, line in enumerate(lines) if line[:_KEY] in _BEGINNINGS or line[:1].isdigit()}
    for index in sorted(begun.union(list_likely(tuple(lines)))):
        line = lines[index]
        head = match_head(line)
        if head:
            current, first, is_loop = "", -1, bool(_LOOP.match(head["command"].lstrip()))
            continue
        kind = next((kind for kind in _list_kinds(line) if kind in kinds and kinds[kind].match(line)), "")
        if kind and not current:
            current, first = kind, index if first is None else first
        elif kind and kind != current and not is_loop:
            found |= {index, *([first] if first is not None and first >= 0 else [])}
            current, first = kind, -1
    return frozenset(found)


def _list_kinds(line: str) -> tuple[str, ...]:
    """Return the commands whose first line may be *line*, by its beginning."""
    kinds = _BEGINNINGS.get(line[:_KEY]) or (_WITH_DIGIT if line[:1].isdigit() else ())
    return (*_WITH_ARROW, *kinds) if " ==> " in line else kinds
