"""CPU time grows with the length of a dump and no faster, for every reader and every pattern of the program.

Readers and patterns are found in the code: a new one is tested by being there. Growth is judged by CPU time, at four
times the length, and only where three runs in a row agree.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial

import pytest
from clock import GROWTH, SHORT_S, measure, time_steps
from readers import Reader, list_readers, list_uses
from sampling import Use, list_attacks
from shapes import grow_document, mix

from auditor.model.dump import Capture
from auditor.systems import systems

FEW, MANY = 2_000, 8_000
RUNS = 3
BOUNDED = frozenset({"auditor.util.redaction.assignments._BEFORE"})
"""Patterns that see no more than a few characters of a text, whatever its length."""
PARTS = 8


def grows(step: Callable[[int], float]) -> float:
    """Return the least growth of *step* in three runs, from FEW to MANY; 0 as soon as one is below the limit."""
    least = float("inf")
    for _ in range(RUNS):
        many = step(MANY)
        if many < SHORT_S:
            return 0
        growth = many / max(step(FEW), SHORT_S / GROWTH)
        if growth <= GROWTH:
            return 0
        least = min(least, growth)
    return least


def test_every_system_has_readers() -> None:
    assert {reader.os for reader in list_readers()} == set(systems())
    assert all(form.lines for reader in list_readers() for form in reader.forms)


@pytest.mark.long
@pytest.mark.parametrize("os", systems())
def test_no_reader_is_slower_than_its_lines(os: str) -> None:
    slow = {}
    for reader in list_readers():
        if reader.os == os:
            grown = cache(partial(_grow, reader))
            for step in ("identify", "read"):
                growth = grows(lambda count, grown=grown, step=step: time_steps(grown(count), os, only=step)[step])  # type: ignore[misc]
                if growth:
                    slow[reader.name, step] = f"{growth:.1f} times at {MANY // FEW} times the lines"
    assert not slow


def _grow(reader: Reader, count: int) -> Capture:
    """Return an output for *reader* of *count* lines."""
    form = reader.forms[-1]
    return replace(form, lines=tuple(grow_document(form.lines, count) or mix(form.lines, count)))


def make_policies(count: int) -> list[str]:
    """Return an NX-OS policy of many classes on many ports, no two of which are alike."""
    maps = [f"class-map type qos match-any c{n}\n  match dscp {n % 64}" for n in range(count // 5)]
    classes = [f"  class c{n}\n    set qos-group {n % 8}" for n in range(count // 5)]
    attached = "  service-policy type qos input p"
    ports = [
        f"interface Ethernet{n // 500 + 1}/{n % 500 + 1}\n  mtu {1500 + n}\n{attached}" for n in range(count // 10)
    ]
    head = ["version 9.3(8)", "hostname leaf1", "feature lldp"]
    return "\n".join([*head, *maps, "policy-map type qos p", *classes, *ports]).split("\n")


def make_classes(count: int) -> list[str]:
    """Return an NX-OS policy with a class for each two lines."""
    classes = [line for n in range(count // 2) for line in (f"  class c{n}", f"    set qos-group {n % 8}")]
    return ["version 9.3(8)", "hostname leaf1", "policy-map type qos p", *classes]


def make_gids(count: int) -> list[str]:
    """Return a table of GIDs in which each of eight RDMA devices has many netdevs."""
    head = ["DEV\tPORT\tINDEX\tGID\tIPv4\tVER\tDEV", "---\t----\t-----\t---\t----\t---\t---"]
    address = "fe80:0000:0000:0000:0e42:a1ff:fe00"
    return [*head, *(f"mlx5_{n % 8}\t1\t{n}\t{address}:{n:04x}\t\tv{n % 2 + 1}\tens{n}f0" for n in range(count))]


@pytest.mark.parametrize(
    ("os", "command", "make"),
    [
        ("cisco_nxos", "show running-config", make_policies),
        ("cisco_nxos", "show running-config", make_classes),
        ("linux", "show_gids", make_gids),
    ],
)
def test_no_product_of_two_numbers(os: str, command: str, make: Callable[[int], list[str]]) -> None:
    def read(count: int) -> float:
        return time_steps(Capture("leaf1.txt", tuple(make(count)), command), os, only="read")["read"]

    assert read(MANY)
    assert not grows(read)


@pytest.mark.parametrize("part", range(PARTS))
def test_no_pattern_is_slower_than_its_text(part: int) -> None:
    slow = {}
    for use in list_uses()[part::PARTS]:
        if use.place not in BOUNDED and (growth := _grow_pattern(use)):
            slow[use.place, use.pattern.pattern[:80]] = f"{growth:.1f} times at {MANY // FEW} times the characters"
    assert not slow


def _grow_pattern(use: Use) -> float:
    apply = use.pattern.search if use.is_searched else use.pattern.match
    for short, long in zip(list_attacks(use.pattern, FEW), list_attacks(use.pattern, MANY), strict=False):
        texts = {FEW: use.cut(short), MANY: use.cut(long)}
        growth = grows(lambda count, texts=texts: measure(lambda: apply(texts[count])))  # type: ignore[misc]
        if growth:
            return growth
    return 0


def test_a_bounded_pattern_needs_its_bound() -> None:
    uses = {use.place: use for use in list_uses()}
    assert all(_grow_pattern(uses[place]) for place in BOUNDED)


@pytest.mark.parametrize(
    ("text", "is_slow"),
    [(r"a\s*x\s*\s*b", True), (r"^\s*nv set", True), (r"x\s++y", False), (r"(?<!\s)\s+!", False)],
)
def test_a_slow_pattern_is_found(text: str, is_slow: bool) -> None:
    found = _grow_pattern(Use("here", re.compile(text, re.MULTILINE), is_searched=True))
    assert bool(found) is is_slow


def test_a_slow_step_is_found() -> None:
    def scan(count: int) -> float:
        return measure(lambda: [number in list(range(number)) for number in range(count)])

    assert grows(scan) > GROWTH
