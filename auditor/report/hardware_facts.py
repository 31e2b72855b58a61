"""Sections of the sheet of a port: its card, and the module that is plugged in."""

from collections.abc import Iterator

from auditor.report.facts import Reader
from auditor.report.sheet import Section

_SECTIONS: tuple[tuple[str, str, tuple[tuple[str, str, str], ...]], ...] = (
    (
        "card",
        "/hardware",
        (("slot", "slot", ""), ("part", "part_number", ""), ("serial number", "serial", ""), ("board", "board", "")),
    ),
    (
        "module",
        "/hardware/module",
        (
            ("kind", "kind", ""),
            ("vendor", "vendor", ""),
            ("part", "part_number", ""),
            ("serial number", "serial", ""),
            ("length or reach", "length_m", "m"),
            ("temperature", "temperature_c", "C"),
            ("weakest lane", "rx_power_dbm", "dBm"),
        ),
    ),
)


def build_hardware_sections(reader: Reader) -> Iterator[Section]:
    """Yield the sections of what the dumps know of the card and the module of a port."""
    for title, pointer, rows in _SECTIONS:
        facts = [
            reader.describe(label, f"{pointer}/{name}", unit)
            for label, name, unit in rows
            if f"{pointer}/{name}" in reader.states
        ]
        known = tuple(fact for fact in facts if fact.is_known)
        if known:
            yield Section(title, known)
