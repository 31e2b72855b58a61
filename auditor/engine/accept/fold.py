"""Items that fail for one reason as one item."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from auditor.engine.accept.values import Detail, Item, ItemState

_COPIES = frozenset({"pfc_tx_priorities", "pfc_rx_priorities", "ip_mtu_bytes", "max_frame_bytes"})
"""Settings that mostly follow another one."""


def fold_failures(items: Iterable[Item]) -> list[Item]:
    """Return *items* of one device, those that fail by one line of a port as one, and two cables swapped as one."""
    kept = [*dict.fromkeys(items)]
    failures = [item for item in kept if item.state is ItemState.FAIL]
    groups: dict[tuple[object, ...], list[Item]] = {}
    for item in failures:
        groups.setdefault(_make_key(item), []).append(item)
    folded = {group[0]: _join(group) for group in _join_copies([*groups.values()])}
    dropped = {item for item in failures if item not in folded}
    result = [folded.get(item, item) for item in kept if item not in dropped]
    return _fold_swaps(result)


def _make_key(item: Item) -> tuple[object, ...]:
    """Return what items share that fail by one line; those of a list without a line share the list."""
    if item.what in {"peer", "port"} or item.what.startswith("ports "):
        return item.port, item.what
    if item.file and item.line:
        return item.port, item.file, item.line
    head = item.what.partition("[")[0]
    return item.port, head


def _join_copies(groups: Sequence[Sequence[Item]]) -> list[Sequence[Item]]:
    """Return *groups*, with those of copies alone behind the group of their port that has the setting they follow."""
    leads = [[*sorted(group, key=_is_follower)] for group in groups if not _is_copy(group)]
    alone = []
    for group in groups:
        if _is_copy(group):
            lead = next((each for each in leads if each[0].port == group[0].port and _leads(each, group)), None)
            if lead is None:
                alone.append(group)
            else:
                lead += group
    return [*leads, *alone]


def _is_copy(group: Sequence[Item]) -> bool:
    return all(_is_follower(item) for item in group)


def _is_follower(item: Item) -> bool:
    return item.what in _COPIES


def _leads(lead: Sequence[Item], group: Sequence[Item]) -> bool:
    """Return whether *lead* has the setting that those of *group* follow: the priorities of PFC, or the MTU."""
    names = {item.what for item in lead}
    return all(("pfc_priorities" if item.what.startswith("pfc") else "mtu_bytes") in names for item in group)


def _join(group: Sequence[Item]) -> Item:
    first, *rest = group
    return replace(first, also=tuple(Detail(each.what, each.expected, each.found) for each in rest))


def _fold_swaps(items: Sequence[Item]) -> list[Item]:
    """Return *items*, of two cables that lead to the switch of each other the first alone."""
    wrong = [item for item in items if item.what == "peer" and item.state is ItemState.FAIL]
    partner: dict[Item, Item] = {}
    for item in wrong:
        if item in partner:
            continue
        others = [
            each
            for each in wrong
            if each is not item and each not in partner and (each.expected, each.found) == (item.found, item.expected)
        ]
        if len(others) == 1:
            partner |= {item: others[0], others[0]: item}
    result = []
    seen: set[Item] = set()
    for item in items:
        other = partner.get(item)
        if other is None:
            result.append(item)
        elif other not in seen:
            seen.add(item)
            detail = Detail(f"{other.port} {other.what}", other.expected, other.found)
            result.append(replace(item, also=(*item.also, detail)))
    return result
