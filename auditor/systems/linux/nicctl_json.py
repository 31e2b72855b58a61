"""`nicctl ... --json`: the same labels as in its text, joined by underscores, below `nic`, `port` and `lif`."""

import re
from collections.abc import Callable, Iterator

from auditor.model.dump import Capture
from auditor.model.setting import Where
from auditor.systems.linux import jsontext
from auditor.systems.linux.evidence import Event, Events, LineMark
from auditor.systems.linux.portnames import Subject, parse_pci
from auditor.util.regex import regex
from auditor.util.values import dataclass

CARD = regex(r"NIC\s*:\s*\S+\s+\((\S+?)\)(?:\s*:\s*(\w+))?.*")
"""The head of a card in the text form: its PCI address, and its state if printed."""
_CONTAINERS = ("port", "lif", "roce_device", "rdma_device", "dcqcn", "profile", "qos")
_ADDRESSES = ("pcie_bdf", "pci_address", "bdf", "pcie_address")
_DEVICES = ("roce_device", "rdma_device")


@dataclass(frozen=True, slots=True)
class CardField:
    """A value of the tool: its label in the words of the text form, and its section."""

    label: str
    value: str
    where: Where
    section: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True)
class CardRecord:
    """A card, or one of its ports or devices: its names and values."""

    about: Subject
    where: Where
    fields: tuple[CardField, ...]


def spell_label(text: str) -> str:
    """Return a label of the text form as JSON spells it.

    >>> spell_label("PFC no-drop priorities"), spell_label("DSCP value used for CNP")
    ('pfc_no_drop_priorities', 'dscp_value_used_for_cnp')
    """
    return re.sub(r"[^a-z0-9]+", "_", text.strip().lower()).strip("_")


def read_records(capture: Capture, of: Callable[[CardRecord], Events]) -> Events:
    """Yield the events of *of* for each record; a line that gives a value is modelled."""
    root = yield from jsontext.open_json(capture)
    if root is None:
        return
    found: list[Event] = []
    keys: set[str] = set()
    for record in list_records(root):
        said = list(of(record))
        found += said
        keys |= {each.key for each in record.fields} if said else set()
    yield from jsontext.mark_lines(root, frozenset(keys))
    yield from (event for event in found if not isinstance(event, LineMark))


def list_rows(record: CardRecord) -> Iterator[dict[str, CardField]]:
    """Yield the fields of *record* in rows: a row ends where its section ends or a label comes again."""
    row: dict[str, CardField] = {}
    for each in record.fields:
        if row and (each.label in row or each.section != next(iter(row.values())).section):
            yield row
            row = {}
        row[each.label] = each
    if row:
        yield row


def list_records(root: jsontext.JsonNode) -> Iterator[CardRecord]:
    """Yield a record for each port or device of each card, or for a card without such lists."""
    cards = root.get("nic")
    for card in _list_nodes(cards):
        pci = next((found for name in _ADDRESSES if (found := parse_pci(card.text(name)))), "")
        # a card with only an identifier joins no port, and stays apart from other cards
        handle = "" if pci else card.text("id")
        below = [
            inner for name in _CONTAINERS for inner in _list_nodes(card.get(name)) if isinstance(inner.value, dict)
        ]
        for node in below or [card]:
            fields = tuple(_list_fields(node, ""))
            rdma = next((f.value for f in fields if f.label in _DEVICES), "")
            yield CardRecord(Subject(rdma=rdma, pci=pci, mst=handle), node.where, fields)


def _list_nodes(node: jsontext.JsonNode | None) -> Iterator[jsontext.JsonNode]:
    if node and isinstance(node.value, list):
        yield from node.items()
    elif node:
        yield node


def _list_fields(node: jsontext.JsonNode, section: str, depth: int = 4) -> Iterator[CardField]:
    for name, inner in node.members():
        if isinstance(inner.value, dict) and depth:
            yield from _list_fields(inner, name, depth - 1)
        elif isinstance(inner.value, list) and depth:
            plain = [str(v) for v in inner.value if isinstance(v, str | int)]
            if plain:
                yield CardField(spell_label(name), ",".join(plain), inner.where, section, name)
            for each in inner.items():
                yield from _list_fields(each, name, depth - 1)
        elif isinstance(inner.value, str | int | float):
            shown = str(inner.value).strip()
            yield CardField(spell_label(name), "" if shown == "-" else shown, inner.where, section, name)
