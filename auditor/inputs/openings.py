"""First lines of outputs of hosts, which separate outputs without commands between them."""

import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from functools import cache

from auditor.grammar.clues import KEY, Clues
from auditor.grammar.patternclues import find_clues
from auditor.grammar.signs import split_alternatives
from auditor.inputs.heads import list_distinct, list_likely, match_head
from auditor.util.regex import regex

OPENINGS: Mapping[str, tuple[str, str]] = {
    "ibdev2netdev": (" ==> ", r"\S+ port \d+ ==> \S+ \(|[0-9a-f:.]{7,12} \S+ \(.{1,300}? port \d+ \(\w+ *\) +==> "),
    "rdma link": ("physical_state", r"link \S+/\d+:? .*\bstate |\d+/\d+: \S+/\d+:? .*\bstate "),
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
_ARROW = " ==> "
_LOOP = regex(r"(?:for|while)\s")


def find_openings(lines: tuple[str, ...], text: str) -> frozenset[int]:
    r"""Return the lines of *lines* at which an output of another command begins; *text* is all of them.

    A loop prints outputs of several commands.

    >>> lines = ("mlx5_0 port 1 ==> a (Up)", "Priority trust state: pcp", "$ ibstat", "CA 'mlx5_0'")
    >>> sorted(find_openings(lines, "\n".join(lines)))
    [0, 1]
    """
    kinds = {kind: re.compile(OPENINGS[kind][1]) for kind in _list_likely_kinds(lines, text)}
    if len(kinds) <= 1:
        return frozenset()
    likely = {lines[index] for index in list_likely(lines)}
    heads = {line: head for line in likely if (head := match_head(line))}
    begun = {line: kind for line in _list_begun(lines, text, likely) - heads.keys() if (kind := _match(line, kinds))}
    wanted = heads.keys() | begun.keys()
    found: set[int] = set()
    first: int | None = None
    current = ""
    is_loop = False
    for index in [index for index, line in enumerate(lines) if line in wanted]:
        line = lines[index]
        if line in heads:
            current, first, is_loop = "", -1, bool(_LOOP.match(heads[line]["command"].lstrip()))
            continue
        kind = begun[line]
        if not current:
            current, first = kind, index if first is None else first
        elif kind != current and not is_loop:
            found |= {index, *([first] if first is not None and first >= 0 else [])}
            current, first = kind, -1
    return frozenset(found)


def _list_begun(lines: tuple[str, ...], text: str, likely: AbstractSet[str]) -> AbstractSet[str]:
    """Return those of *lines* that may be the first line of an output, the *likely* commands among them."""
    beginnings = _tabulate_beginnings()
    words = [word for word in _tabulate_words() if word in text]
    return likely | {
        line
        for line in list_distinct(lines)
        if line[:KEY] in beginnings or (line[:1].isdigit() and any(word in line for word in words))
    }


def _match(line: str, kinds: Mapping[str, re.Pattern[str]]) -> str:
    """Return the one of *kinds* whose first line *line* is, empty for another line."""
    return next((kind for kind in list_kinds(line) if kind in kinds and kinds[kind].match(line)), "")


def _list_likely_kinds(lines: tuple[str, ...], text: str) -> frozenset[str]:
    """Return the commands of which *text* has the word, and whose first line some line may be."""
    beginnings, words = _tabulate_beginnings(), _tabulate_words()
    told = [beginnings[key] for key in {line[:KEY] for line in list_distinct(lines)} & beginnings.keys() if key]
    told += [kinds for word, kinds in words.items() if word in text]
    return frozenset(kind for kinds in told for kind in kinds if OPENINGS[kind][0] in text)


def list_kinds(line: str) -> tuple[str, ...]:
    """Return the commands whose first line may be *line*, by how it begins.

    >>> list_kinds("Settings for eth0:"), list_kinds("     Settings for eth0:")
    (('ethtool',), ())
    """
    beginnings = _tabulate_beginnings()
    kinds = beginnings.get(line[:KEY], ())
    return (*kinds, *beginnings[""]) if line[:1].isdigit() or _ARROW in line else kinds


@cache
def _tabulate_beginnings() -> Mapping[str, tuple[str, ...]]:
    """Return the commands by the first characters of their first line; "" has those whose line begins otherwise.

    Such a line begins with a digit, or holds an arrow.
    """
    found: dict[str, tuple[str, ...]] = {"": ()}
    for kind, (_, pattern) in OPENINGS.items():
        for part in split_alternatives(pattern):
            clues = _find_clues(part)
            for key in clues.heads or ("",):
                found[key] = (*found.get(key, ()), kind)
    return found


@cache
def _tabulate_words() -> Mapping[str, tuple[str, ...]]:
    """Return the commands by the words of which their first line has one, where it may begin with any characters."""
    found: dict[str, tuple[str, ...]] = {}
    for kind, (_, pattern) in OPENINGS.items():
        for part in split_alternatives(pattern):
            for word in _find_clues(part).words:
                found[word] = (*found.get(word, ()), kind)
    return found


def _find_clues(part: str) -> Clues:
    """Return what a line has that begins as the pattern *part* says. Raises ValueError where it may be any line."""
    clues = find_clues(f"^{part}", re.MULTILINE)
    if clues is None:
        raise ValueError(f"any line may begin an output: {part}")
    return clues
