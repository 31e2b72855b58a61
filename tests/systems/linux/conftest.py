"""Hosts out of fixture files and out of text."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from auditor.model.device import Device
from auditor.model.dump import Capture
from auditor.systems.linux.parse import parse

FIXTURES = Path(__file__).parents[3] / "fixtures" / "dumps" / "linux"


def transcript(path: Path) -> list[Capture]:
    """Return the captures of a transcript, each below its `$ COMMAND` line."""
    lines = path.read_text().splitlines()
    heads = [number for number, line in enumerate(lines) if line.startswith("$ ")]
    ends = [*heads[1:], len(lines)]
    return [
        Capture(path.name, tuple(lines[head + 1 : end]), lines[head][2:], head + 2)
        for head, end in zip(heads, ends, strict=True)
    ]


@pytest.fixture(scope="session")
def folder() -> Device:
    """Return a host of one file per command."""
    files = sorted((FIXTURES / "gpu-a01").iterdir())
    return parse("folder", "gpu-a01", [Capture(file.name, tuple(file.read_text().splitlines())) for file in files])


@pytest.fixture(scope="session")
def recorded() -> Device:
    """Return a host of one transcript."""
    path = FIXTURES / "gpu-b01.txt"
    return parse("recorded", "gpu-b01.txt", transcript(path))


@pytest.fixture(scope="session")
def host() -> Callable[[Mapping[str, str]], Device]:
    """Return what makes a host out of commands and their output."""

    def of(outputs: Mapping[str, str]) -> Device:
        captures = [
            Capture(f"{number}.txt", tuple(output.splitlines()), command)
            for number, (command, output) in enumerate(outputs.items())
        ]
        return parse("host", "host", captures)

    return of
