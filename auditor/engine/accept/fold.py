"""Items that fail for one reason as one item."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from auditor.engine.accept.values import Detail, Item, ItemState
from auditor.view.cells import FOLLOWED

LEADS: Mapping[str, str] = {
    **FOLLOWED,
    "nic.active_mtu_bytes": "mtu_bytes",
    **dict.fromkeys(("dscp_to_class", "dscp_to_class_ipv6", "pcp_to_class"), "trust"),
}
"""Settings that follow another one at a device that differs, which this names."""


def fold_failures(items: Iterable[Item]) -> list[Item]:
    """Return *items* of one device, those that fail by one line as one, and two cables swapped as one.

    Settings of one port are one item, and so are ports that fail alike. A setting that follows another one stands with
    it where that one fails, also if no capture shows it then.
    """
    kept = [*dict.fromkeys(items)]
    groups: dict[tuple[object, ...], list[Item]] = {}
    for item in kept:
        if item.state is ItemState.FAIL:
            groups.setdefault(_make_key(item), []).append(item)
        elif item.state is ItemState.NOT_SHOWN and find_lead(item.what):
            groups[item.port, item.what, item.state] = [item]
    folded: dict[Item, Item] = {}
    for group in _join_followers([*groups.values()]):
        first, *rest = group
        folded[first] = replace(first, also=tuple(Detail(each.what, each.expected, each.found) for each in rest))
    grouped = {item for group in groups.values() for item in group}
    result = [folded.get(item, item) for item in kept if item in folded or item not in grouped]
    return _fold_swaps(_fold_ports(result))


def find_lead(what: str) -> str:
    """Return the setting that *what* follows, empty where it stands for itself.

    >>> find_lead("dscp_to_class[26]"), find_lead("trust")
    ('trust', '')
    """
    return LEADS.get(what.partition("[")[0], "")


def _make_key(item: Item) -> tuple[object, ...]:
    """Return what items share that fail by one line; those of a list without a line share the list."""
    if item.what in {"peer", "port"} or item.what.startswith("ports "):
        return item.port, item.what
    if item.file and item.line:
        return item.port, item.file, item.line
    return item.port, item.what.partition("[")[0]


def _join_followers(groups: Sequence[Sequence[Item]]) -> list[Sequence[Item]]:
    """Return *groups*; one whose settings all follow another setting stands behind the group that has that one."""
    leads = [sorted(group, key=_is_follower) for group in groups if not all(map(_is_follower, group))]
    by_setting = {(item.port, item.what): lead for lead in leads for item in lead}
    alone = []
    for group in groups:
        if all(map(_is_follower, group)):
            lead = by_setting.get((group[0].port, find_lead(group[0].what)))
            if lead is None:
                alone.append(group)
            else:
                lead += group
    return [*leads, *alone]


def _is_follower(item: Item) -> bool:
    return bool(find_lead(item.what))


def _fold_ports(items: Sequence[Item]) -> list[Item]:
    """Return *items*, of ports that fail alike by one line, such as one of a policy, the first with the others."""
    groups: dict[Item, list[Item]] = {}
    for item in items:
        is_alike = item.state is ItemState.FAIL and item.line and item.what not in {"peer", "port"}
        groups.setdefault(replace(item, port="") if is_alike and item.port else item, []).append(item)
    return [replace(first, more_ports=tuple(each.port for each in rest)) for first, *rest in groups.values()]


def _fold_swaps(items: Sequence[Item]) -> list[Item]:
    """Return *items*, of two cables that lead to the switch of each other the first alone."""
    wrong = [item for item in items if item.what == "peer" and item.state is ItemState.FAIL]
    by_ends: dict[tuple[str, str], list[Item]] = {}
    for item in wrong:
        by_ends.setdefault((item.expected, item.found), []).append(item)
    partner: dict[Item, Item] = {}
    for ends, (item, *more) in by_ends.items():
        others = by_ends.get((ends[1], ends[0]), [])
        if not more and len(others) == 1 and others[0] is not item:
            partner[item] = others[0]
    result = []
    told: set[Item] = set()
    for item in items:
        other = partner.get(item)
        if other is None:
            result.append(item)
        elif other not in told:
            told.add(item)
            detail = Detail(f"{other.port} {other.what}", other.expected, other.found)
            result.append(replace(item, also=(*item.also, detail)))
    return result
