"""Entries of a datapath file that lead nowhere, or say two things: port groups and code points."""

from collections.abc import Mapping, Sequence

from auditor.model.device import NamedObject
from auditor.model.finding import Related
from auditor.model.rows import RowCheck, RowFault, RowFaultKind
from auditor.systems.cumulus.entries import Entry, File
from auditor.systems.cumulus.names import parse_numbers
from auditor.util.regex import regex

_GROUP = regex(
    r"(?P<kind>source|remark|pfc|link_pause|pause|ecn_red|ecn|egress_sched|shaping|pfc_watchdog)\."
    r"(?P<name>[\w-]{1,64})\.[\w.-]+\Z"
)
_SORTED = regex(r"(?P<prefix>.+)\.cos_(?P<cos>[0-7])\.priority_source\.(?P<what>dscp|8021p)\Z")
_NAMES = {"dscp": ("DSCP", 63), "8021p": ("PCP", 7)}
_WITHOUT_PREFIX = frozenset({"ecn", "ecn_red"})
"""Kinds whose groups may lack the kind's name as a prefix."""


def find_stray_groups(file: File, groups: Mapping[str, Sequence[str]]) -> None:
    """Find port groups that a list names and no entry describes, and groups that no list names."""
    described: dict[tuple[str, str], Entry] = {}
    for key, entry in file.entries.items():
        if match := _GROUP.match(key):
            described.setdefault((match["kind"], match["name"]), entry)
    heads = {key.partition(".")[0] for key in file.entries}
    for kind, names in groups.items():
        entry = file.entries[f"{kind}.port_group_list"]
        for name in names:
            if (kind, name) not in described and not (kind in _WITHOUT_PREFIX and name in heads):
                file.undefined.append(NamedObject(f"{kind} port group", name, entry.where))
    for (kind, name), entry in described.items():
        if name not in groups.get(kind, ()):
            file.unattached.append(NamedObject(f"{kind} port group", name, entry.where))


def find_twice_sorted(file: File) -> None:
    """Find code points that stand in the lists of two switch priorities: only one of them can hold."""
    first: dict[tuple[str, str, int], tuple[str, Entry]] = {}
    faults: dict[tuple[str, str], RowFault] = {}
    for key, entry in file.entries.items():
        match = _SORTED.match(key)
        if match is None:
            continue
        name, highest = _NAMES[match["what"]]
        for point in parse_numbers(entry.value, 0, highest) or ():
            before, other = first.setdefault((match["prefix"], match["what"], point), (match["cos"], entry))
            if before != match["cos"]:
                message = f"{name} {point} is in the lists of cos_{before} and cos_{match['cos']}: one of them holds"
                related = (Related(f"the list of cos_{before}", other.where),)
                what = (match["prefix"], f"{name} {point}")
                faults.setdefault(what, RowFault(" ".join(what), message, entry.where, related=related))
    if first:
        file.checks.append(RowCheck(RowFaultKind.TWICE_SORTED, tuple(faults.values())))
