"""Every port of the fixtures can be drawn, within 80 columns, and each number on its sheet is one of its JSON view."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from auditor.engine.fabric import load
from auditor.engine.options import Options
from auditor.model.device import Device
from auditor.model.port import Port
from auditor.report.presentation import format_number
from auditor.report.show_device import render_device
from auditor.report.show_port import name_system, render_port
from auditor.view.port_view import device_view

FIXTURES = Path("fixtures")
FOLDERS = sorted(
    folder.as_posix()
    for folder in chain(FIXTURES.iterdir(), FIXTURES.glob("dumps/*"), FIXTURES.glob("hosts/*"))
    if folder.is_dir() and folder.name not in {"dumps", "hosts", "pod-clean", "systems", "inventory", "scenarios"}
)
WIDTH = 80
LEGEND = "\nconfigured: set in the dump"
PLACES = re.compile(r"\[[a-z]+\]:[\d, ]*(?:\n +[\d, ]+$)*", re.MULTILINE)
COMPUTED = re.compile(r"^  (?:scale in bytes|marks  |paused, ).*$", re.MULTILINE)
DIGITS = re.compile(r"\d{1,3}(?:,\d{3})+(?!\d)|\d+(?:\.\d+)?")
pytestmark = [pytest.mark.read_once, pytest.mark.long]


@cache
def find_digits(text: str) -> tuple[str, ...]:
    return tuple(DIGITS.findall(text))


def list_numbers(sheet: str) -> set[str]:
    """Return the numbers of a sheet but lines of files, pages, and what is computed and says so."""
    text = COMPUTED.sub("", PLACES.sub("", sheet.partition(LEGEND)[0]))
    return {number.replace(",", "") for number in DIGITS.findall(text)}


@cache
def list_as_written(value: float) -> tuple[str, ...]:
    return (*DIGITS.findall(format_number(value).replace(",", "")), *DIGITS.findall(f"{value * 100:.10g}"))


def list_view_numbers(value: Any) -> Iterator[str]:  # noqa: ANN401  JSON
    """Yield the numbers of a document as a sheet writes them; a probability is a percentage there."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield from find_digits(name)
            yield from list_view_numbers(item)
    elif isinstance(value, list):
        for item in value:
            yield from list_view_numbers(item)
    elif isinstance(value, str):
        yield from (number.replace(",", "") for number in find_digits(value))
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield from list_as_written(value)


def find_strange_numbers(device: Device, port: Port, sheet: str) -> set[str]:
    view = device_view(replace(device, ports=(port,)), with_state=True).model_dump(mode="json", by_alias=True)
    known = {*list_view_numbers(view), *DIGITS.findall(name_system(device))}
    return list_numbers(sheet) - known


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_port_is_drawn(folder: str) -> None:
    fabric = load(folder, Options(jobs=1))
    for device in fabric.complete_model.devices:
        assert max(map(len, render_device(device).splitlines())) <= WIDTH
        for port in {id(port.config): port for port in device.ports}.values():
            sheet = render_port(device, port)
            assert max(map(len, sheet.splitlines())) <= WIDTH
            assert find_strange_numbers(device, port, sheet) == set(), f"{device.name} {port.name}"


def test_a_number_of_no_view_would_be_found() -> None:
    (device, *_) = load("fixtures/fabric-more", Options(jobs=1)).complete_model.devices
    port = device.ports[0]
    sheet = render_port(device, port)
    assert find_strange_numbers(device, port, sheet.replace("classification", "12345", 1)) == {"12345"}
    assert list_numbers(sheet)
