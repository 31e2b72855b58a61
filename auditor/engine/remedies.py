"""The remedy of a finding: the lines to type at its device, with its own numbers and names."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache

from auditor.checks.catalogue import ANY
from auditor.diagnosis.dumptext import MOST_TEXTS, index_texts
from auditor.diagnosis.join import join_remedies
from auditor.diagnosis.remedies import (
    EXAMPLES,
    MissingFact,
    Remedy,
    indent_stanza,
    list_intent_facts,
    list_places,
    list_port_facts,
    list_typed,
    render,
)
from auditor.diagnosis.stanza import find_path, find_row, find_stanza
from auditor.engine.findings import ReportedFinding
from auditor.engine.result import Report
from auditor.intent import Intents, TrafficKind
from auditor.model.device import Device
from auditor.model.fabric import End, Fabric
from auditor.model.port import Port
from auditor.model.setting import value_of
from auditor.systems import systems
from auditor.systems.system import ListNames, Maker
from auditor.util.regex import regex

_PROFILE = regex(r"\bcongestion-notification-profile (\S+)")
"""The profile in whose block a line of Junos stands."""
_NO_WORD = regex(r"[^\w #./:|,@%+=\[\]-]")
"""What a shell may act on: more than a part of a word, and more than a comment, which does nothing."""
_NUMBERS = regex(r"\A\d+(?:\n\d+)+\Z")
"""A list of a check's own, one number a line; a line break in anything else may begin a command."""
MOST_PLACES = 16_384
"""Further places of a fault for which a remedy has lines: a hostile dump has more, a switch has fewer ports."""
_USUAL = ("policy", "class_map", "wred_profile", "thresholds", "cnp_priority", "cnp_phb")
"""Facts that have a name, or the usual number, of their own where neither the dump nor the intent has one."""


class Remedies:
    """The remedies of the findings of a *report* on a *fabric*; `find_text` gives the text of a file of its dumps."""

    def __init__(self, report: Report, fabric: Fabric, intents: Intents) -> None:
        self._intents = intents
        self._rules = {rule.file.id: rule for rule in report.catalogue}
        self._devices = {device.name: device for device in fabric.devices}
        ends = (pair for link in fabric.links for pair in ((link.a, link.b), (link.b, link.a)))
        self._far_ends: Mapping[End, End] = dict(ends)
        self.find_text = index_texts(report.inputs)
        self._find_names = lru_cache(MOST_TEXTS)(self._read_names)

    def find(self, found: ReportedFinding) -> Remedy | None:
        """Return the remedy of a finding; None where its rule has none for the system of its device."""
        device, rule = self._devices.get(found.device), self._rules.get(found.rule)
        if device is None or rule is None:
            return None
        keys = (f"{device.os}/{self._find_maker(device, found.port)}", device.os, ANY)
        key = next((key for key in keys if key in rule.file.remedy), None)
        return None if key is None else self._render_all(rule.file.remedy[key], key, found)

    def _find_maker(self, device: Device, port: str | None) -> str:
        """Return the maker of the NIC at a port, or of all NICs of a device, as remedies name it; empty if unknown."""
        syntax = systems()[device.os].remedies
        makers = syntax.makers if syntax else ()
        asked = device.port(port) if port else None
        nics = (each for each in ((asked,) if asked else device.ports) if each.config.nic)
        found = {next((maker.key for maker in makers if _is_of(nic, maker)), "") for nic in nics}
        return found.pop() if len(found) == 1 else ""

    def _render_all(self, template: str, key: str, found: ReportedFinding) -> Remedy:
        """Return the lines for a finding and for the places where the same fault stands, each with its own block."""
        own_names = self._list_own_names(found)
        alike = [(place.file, place.line) for place in found.related if place.is_alike]
        remedies = [
            self._render(template, key, {**dict(self._list_facts(found, file, line)), **own_names, **dict(found.facts)})
            for file, line in ((found.file, found.line), *alike[:MOST_PLACES])
        ]
        texts = [each.text for each in remedies if each.text]
        return replace(remedies[0], text=join_remedies(texts)) if remedies[0].text and len(texts) > 1 else remedies[0]

    def _render(self, template: str, key: str, given: Mapping[str, str | int | float]) -> Remedy:
        os, _, maker = key.partition("/")
        facts = {name: str(value) for name, value in given.items()}
        login = systems()[os].login if os != ANY else None
        if login and login.is_shell:
            typed = list_places("\n".join(list_typed(template)))
            used = sorted(typed & facts.keys())
            strange = next((name for name in used if _NO_WORD.search(_NUMBERS.sub("", facts[name]))), None)
            if strange:
                return Remedy(os, "", f"{strange} without characters that a shell may act on", maker)
        try:
            return Remedy(os, render(template, facts), maker=maker)
        except MissingFact as fact:
            return Remedy(os, "", fact.name, maker)

    def _list_facts(self, found: ReportedFinding, file: str | None, line: int | None) -> Iterator[tuple[str, str]]:
        """Yield what a finding tells at a line: of the device, the intent, the port and its peer, and of the line."""
        device = self._devices[found.device]
        intent = self._intents.of(device.own_name)
        yield "device", device.own_name
        yield from ((name, EXAMPLES[name]) for name in _USUAL)
        yield from list_intent_facts(intent)
        port = device.port(found.port) if found.port else None
        if port:
            yield "port", port.name
            rdma = next(iter(intent.of_kind(TrafficKind.RDMA)), None)
            own = dict(found.facts).get("priority", value_of(rdma.priority) if rdma else None)
            yield from list_port_facts(port, own if isinstance(own, int) else None)
            if device_name := value_of(port.rdma.name):
                yield "rdma_device", device_name
        yield from self._list_peer(found)
        yield from self._list_place(found.device, file, line)

    def _list_peer(self, found: ReportedFinding) -> Iterator[tuple[str, str]]:
        """Yield the device and the port at the other end of the cable."""
        far = self._far_ends.get(End(found.device, found.port or ""))
        if far:
            yield from (("peer", far.device), ("peer_port", far.port))

    def _list_place(self, device: str, file: str | None, number: int | None) -> Iterator[tuple[str, str]]:
        """Yield a line that proves a finding, and the block in which it stands."""
        if file is None or number is None:
            return
        text = self.find_text(file)
        syntax = systems()[self._devices[device].os].remedies
        if (line := text.read(number)) is not None:
            yield "line", line.strip()
            if syntax and syntax.list_quoted:
                yield from syntax.list_quoted(line.strip(), find_stanza(text, number))
        if keys := find_row(text, number):
            yield from zip(("table", "row", "field"), keys, strict=False)
        elif path := find_path(text, number):
            yield "path", path
            if profile := _PROFILE.search(path):
                yield "profile", profile[1]
        elif heads := find_stanza(text, number):
            yield "stanza", indent_stanza(heads)

    def _list_own_names(self, found: ReportedFinding) -> Mapping[str, str]:
        """Return the names that the switch gives its own policies, maps and profiles, as its system reads them."""
        if found.file is None or found.line is None:
            return {}
        list_names = self._find_names(self._devices[found.device].os, found.file)
        if list_names is None:
            return {}
        at_odds = (place.line for place in found.related if place.is_at_odds and place.file == found.file)
        blocks = [find_stanza(self.find_text(found.file), number) for number in (found.line, *at_odds)]
        return dict(list_names(blocks))

    def _read_names(self, os: str, file: str) -> ListNames | None:
        """Return what lists the own names of a switch in its dump; None where its system has nothing that does."""
        syntax = systems()[os].remedies
        return syntax.read_names(self.find_text(file).list_lines()) if syntax and syntax.read_names else None


def _is_of(port: Port, maker: Maker) -> bool:
    """Return whether *maker* made a NIC, by what its captures say, else by the kernel's name of its RDMA device."""
    vendor = value_of(port.config.nic.vendor) if port.config.nic else None
    return vendor == maker.name if vendor else (value_of(port.rdma.name) or "").startswith(maker.device)
