"""AMD Pensando: `nicctl show card profile`, which selects the transport of a card, and `show version firmware`."""

from auditor.model.dump import Capture
from auditor.model.nic import Nic
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Where
from auditor.systems.linux import jsontext, nicctl_json, text
from auditor.systems.linux.evidence import Call, Events, PortFact, Rank, Strength
from auditor.systems.linux.facts import make_nic_port
from auditor.systems.linux.marks import mark_ignored, mark_modelled, mark_not_modelled
from auditor.systems.linux.nicctl_json import CARD, CardRecord
from auditor.systems.linux.portnames import Subject, parse_pci
from auditor.util.regex import regex

_FIELD = regex(r"([^:]+):\s*(.*)")
_PROFILE = frozenset({"profile_name", "device_config"})
_FIRMWARE = "firmware_a"
"""The firmware of the first partition; the second holds a copy to fall back to."""


def read_profile(capture: Capture, _: Call) -> Events:
    """Yield the profile of each card: profiles of MetaRoCE speak a transport of their own instead of RoCE."""
    if jsontext.is_json(capture):
        yield from nicctl_json.read_records(capture, _read_profile_record)
        return
    about = Subject()
    for index, line in text.list_lines(capture):
        card, match, where = CARD.fullmatch(line), _FIELD.fullmatch(line), capture.where(index)
        label = nicctl_json.spell_label(match[1]) if match else ""
        if card:
            about = Subject(pci=parse_pci(card[1]))
            yield mark_modelled(index)
        elif match and label in _PROFILE and match[2]:
            yield _describe_profile(about, label, match[2].strip(), where)
            yield mark_modelled(index)
        elif not text.is_error(line):
            yield mark_not_modelled(index) if match else mark_ignored(index)


def _read_profile_record(record: CardRecord) -> Events:
    for each in record.fields:
        label = "profile_name" if each.label == "name" else each.label
        if label in _PROFILE and each.value:
            yield _describe_profile(record.about, label, each.value, each.where)


def _describe_profile(about: Subject, label: str, value: str, where: Where) -> PortFact:
    known = Known(value, Origin.INTENDED, where)
    is_other = label == "profile_name" and value.lower().startswith("meta-roce")
    transport: Setting[str] = Known("meta_roce", Origin.INTENDED, where) if is_other else NOT_COLLECTED
    vendor = Known("AMD", Origin.LEARNED, where)
    nic = Nic(vendor=vendor, transport=transport, nv=Known({label: known}, Origin.INTENDED, where))
    return PortFact(about, make_nic_port(nic, where), Strength.NIC)


def read_firmware(capture: Capture, _: Call) -> Events:
    """Yield the firmware of each card."""
    about = Subject()
    for index, line in text.list_lines(capture):
        card, match, where = CARD.fullmatch(line), _FIELD.fullmatch(line), capture.where(index)
        if card:
            about = Subject(pci=parse_pci(card[1]))
            yield mark_modelled(index)
        elif match and nicctl_json.spell_label(match[1]) == _FIRMWARE and match[2] and about.is_named:
            said = Nic(
                vendor=Known("AMD", Origin.LEARNED, where), firmware=Known(match[2].strip(), Origin.LEARNED, where)
            )
            yield PortFact(about, make_nic_port(said, where), Strength.NIC, Rank.FALLBACK)
            yield mark_modelled(index)
        elif not text.is_error(line) and (about.is_named or not match):  # without it the line of the card was cut
            yield mark_not_modelled(index) if match else mark_ignored(index)
