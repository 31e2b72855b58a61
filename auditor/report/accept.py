"""An acceptance for people: failures first, then what the dumps do not show, then the devices that pass."""

from collections.abc import Callable, Iterator, Sequence

from auditor.engine.accept.values import Acceptance, Item, ItemState
from auditor.report.causes import fold_ports
from auditor.report.markup import escape_markup
from auditor.report.presentation import clean_text
from auditor.util.natsort import natural
from auditor.util.printable import printable

MOST_ALSO = 4
"""Further settings of one item that are named."""
_COLUMNS = ("device", "port", "item", "expected", "found", "evidence", "rules")
_ORDER = (ItemState.FAIL, ItemState.NOT_SHOWN, ItemState.PASS)
_TITLES = ((ItemState.FAIL, "fail"), (ItemState.NOT_SHOWN, "not shown"))


def sort_items(found: Acceptance) -> list[Item]:
    """Return the items in the order in which people read: failures, what is not shown, passes; each by device."""
    ranks = {state: rank for rank, state in enumerate(_ORDER)}
    return sorted(found.items, key=lambda item: (ranks[item.state], natural(item.device)))


def render(found: Acceptance, *, allow_not_shown: bool = False) -> str:
    """Return the acceptance as text; with *allow_not_shown* items that are not shown do not prevent it."""
    lines = [describe_result(found, allow_not_shown=allow_not_shown), count_items(found)]
    for state, title in _TITLES:
        items = [item for item in sort_items(found) if item.state is state]
        if items:
            lines += ["", f"{title} ({len(items)})", *(f"  {describe_item(item)}{_place(item)}" for item in items)]
    lines += ["", *_list_devices(found, clean_text, allow_not_shown=allow_not_shown)]
    return "".join(f"{printable(line)}\n" for line in lines)


def render_markdown(found: Acceptance, *, allow_not_shown: bool = False) -> str:
    """Return the acceptance as Markdown: a table of the items that do not pass."""
    lines = [f"# {escape_markup(describe_result(found, allow_not_shown=allow_not_shown))}", "", count_items(found)]
    for state, title in _TITLES:
        items = [item for item in sort_items(found) if item.state is state]
        if items:
            lines += ["", f"## {title.capitalize()}", "", f"| {' | '.join(_COLUMNS)} |", f"|{' --- |' * len(_COLUMNS)}"]
        for item in items:
            what = f"{item.what}{_also(item)}"
            place = f"{item.file}:{item.line}" if item.file and item.line else ""
            cells = (item.device, fold_ports(item.ports), what, item.expected, item.found, place, " ".join(item.rules))
            lines.append(f"| {' | '.join(escape_markup(cell) for cell in cells)} |")
    devices = _list_devices(found, escape_markup, allow_not_shown=allow_not_shown)
    lines += ["", *(f"- {line}" for line in devices)]
    return "\n".join(lines) + "\n"


def describe_result(found: Acceptance, *, allow_not_shown: bool) -> str:
    """Return the result in words."""
    verdict = "accepted" if found.is_accepted(allow_not_shown=allow_not_shown) else "not accepted"
    count = f"{len(found.devices)} device{'' if len(found.devices) == 1 else 's'}"
    return clean_text(f"{verdict}: {count} by {'the settings of ' if found.is_like else ''}{found.specification}")


def count_items(found: Acceptance) -> str:
    """Return the number of items in each state."""
    return ", ".join(f"{len(found.list_in(state))} {state.value}" for state in _ORDER)


def describe_item(item: Item) -> str:
    """Return an item without its place on one line."""
    head = " ".join(filter(None, (item.device, fold_ports(item.ports))))
    rules = f" ({', '.join(item.rules)})" if item.rules else ""
    return clean_text(f"{head}: {item.what}: expected {item.expected}, found {item.found}{_also(item)}{rules}")


def _also(item: Item) -> str:
    """Return the further settings that differ by the same line, in short."""
    names = [each.what for each in item.also]
    left = len(names) - MOST_ALSO
    more = f" and {left} more" if left > 0 else ""
    return f"; also {', '.join(names[:MOST_ALSO])}{more}" if names else ""


def _place(item: Item) -> str:
    return f"  --> {clean_text(item.file)}:{item.line}" if item.file and item.line else ""


def _list_devices(found: Acceptance, escape: Callable[[str], str], *, allow_not_shown: bool) -> Iterator[str]:
    """Yield the devices that pass, those that do not, and those that are not judged, each name by *escape*."""
    good = {ItemState.PASS, ItemState.NOT_SHOWN} if allow_not_shown else {ItemState.PASS}
    judged = [each for each in found.verdicts if each.device in found.devices]
    groups: Sequence[tuple[str, Sequence[str]]] = (
        ("accepted", [each.device for each in judged if each.state in good]),
        ("not accepted", [each.device for each in judged if each.state not in good]),
        ("not covered", found.others),
    )
    for title, devices in groups:
        if devices:
            yield f"{title} ({len(devices)}): {', '.join(map(escape, sorted(devices, key=natural)))}"
