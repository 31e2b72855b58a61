"""CPU time grows with the length of a dump and no faster, for every reader and every pattern of the program.

Readers and patterns are found in the code: a new one is tested by being there. Growth is judged by CPU time, at four
times the length; what looks slow is judged again at sixteen times the length before it fails.
"""

import pickle
import random
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from types import SimpleNamespace

import clock
import pytest
from clock import GROWTH, RUNS, grows, measure, time_steps
from plan_texts import get_text
from readers import Reader, list_readers, list_uses
from sampling import Use, list_attacks
from shapes import grow_document, mix

from auditor.checks.catalogue import load_rules
from auditor.engine.check import check_device
from auditor.engine.load import DeviceReading, read_device
from auditor.grammar.show import LINES_TO_LOOK_AT
from auditor.inputs.cable_plans import FORMATS, PlanFormat, find_plan
from auditor.inputs.decoration import strip_decoration
from auditor.inputs.pastes import unwrap
from auditor.inputs.rawtext import Raw, parse_text
from auditor.inputs.snapshot import DeviceUnit
from auditor.intent import add_ballots, settle_intents
from auditor.model.dump import Capture
from auditor.systems import systems
from auditor.systems.sonic.quotes import unquote

FEW, MANY, MOST = 2_000, 8_000, 32_000
SIZES = {"identify": (LINES_TO_LOOK_AT // 4, LINES_TO_LOOK_AT), "read": (FEW, MANY, MOST)}
"""Lines of the steps of an audit; the signs of identification are sought in no more."""
BOUNDED = frozenset({"auditor.util.redaction.assignments._BEFORE"})
"""Patterns that see no more than a few characters of a text, whatever its length."""
PARTS = 8
STEPS_A_SECOND = 1e7
pytestmark = pytest.mark.guard


@pytest.fixture(scope="session")
def readers(once: Callable[[str, Callable[[Path], None]], Path]) -> tuple[Reader, ...]:
    """Return all readers with their material, which one worker alone looks for."""

    def make(folder: Path) -> None:
        (folder / "readers").write_bytes(pickle.dumps(list_readers()))

    found: tuple[Reader, ...] = pickle.loads((once("growth", make) / "readers").read_bytes())  # noqa: S301  written above
    return found


def test_every_system_has_readers(readers: tuple[Reader, ...]) -> None:
    assert {reader.os for reader in readers} == set(systems())
    assert all(form.lines for reader in readers for form in reader.forms)


@pytest.mark.long
@pytest.mark.parametrize("os", systems())
def test_no_reader_is_slower_than_its_lines(os: str, readers: tuple[Reader, ...]) -> None:
    slow: dict[tuple[str, str], str] = {}
    for reader in readers:
        if reader.os == os:
            slow |= _find_slow_steps(reader)
    assert not slow


def _find_slow_steps(reader: Reader) -> Mapping[tuple[str, str], str]:
    """Return the steps of *reader* that grow faster than its lines, each with its growth."""
    grown = cache(partial(_grow, reader))
    found = {}
    for step, sizes in SIZES.items():
        growth = grows(partial(_time, step, grown, reader.os), sizes)
        if growth:
            found[reader.name, step] = f"{growth:.1f} times at 4 times the lines"
    return found


def _time(step: str, grown: Callable[[int], Capture], os: str, count: int, limit_s: float) -> float:
    """Return the CPU seconds of one step of an audit of *count* lines."""
    return time_steps(grown(count), os, only=step, limit_s=limit_s)[step]


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


def make_wrapped(count: int) -> list[str]:
    """Return an NX-OS statement that goes on over all lines."""
    head = ["version 9.3(8)", "hostname leaf1", "policy-map type queuing p", "  class type queuing c-out-8q-q3"]
    return [*head, "    random-detect minimum-threshold 1 kbytes", *["      maximum-threshold 9 kbytes"] * count]


def make_unclosed(count: int) -> list[str]:
    """Return members of SONiC's JSON in a guide, of which none is closed."""
    return ['"PORT": {', *['"BUFFER_PG": {', '"Ethernet0|3": {"profile": "NULL"'] * (count // 2)]


def make_quoted(count: int) -> list[str]:
    """Return SONiC's JSON with a string that is never closed."""
    return ['{"PORT": {"Ethernet0": {"mtu": "9100", "alias": "a', *['\\" x: \\"'] * count]


@pytest.mark.parametrize(
    ("os", "command", "make"),
    [
        ("cisco_nxos", "show running-config", make_policies),
        ("cisco_nxos", "show running-config", make_classes),
        ("linux", "show_gids", make_gids),
        ("cisco_nxos", "show running-config", make_wrapped),
        ("sonic", "", make_quoted),
    ],
)
def test_no_product_of_two_numbers(os: str, command: str, make: Callable[[int], list[str]]) -> None:
    def write(count: int) -> Capture:
        return Capture("leaf1.txt", tuple(make(count)), command)

    assert time_steps(write(FEW), os, only="read")["read"]
    assert not grows(partial(_time, "read", cache(write), os), SIZES["read"])


def test_rules_take_time_by_the_number_of_ports() -> None:
    """Ports without RDMA, each of which asks whether another one is for RDMA."""

    @cache
    def read(count: int) -> DeviceReading:
        ports = (f"pci/0000:{n // 256:02x}:{n % 256 // 8:02x}.{n % 8}: mode legacy" for n in range(count))
        capture = Capture("host1.txt", tuple(ports), "devlink dev eswitch show")
        return read_device(DeviceUnit("host1", "host1.txt", "linux", (capture,)))

    def judge(count: int, limit_s: float) -> float:
        intents = settle_intents(None, [add_ballots([read(count).ballot])])
        return measure(lambda: check_device(read(count).device, intents, load_rules(intents.tuning)), limit_s)

    assert len(read(FEW).device.ports) >= FEW

    assert not grows(judge, (FEW // 4, FEW))


def test_a_host_takes_time_by_the_number_of_its_nics() -> None:
    """NICs that are all set up otherwise, so that none shares what another one is read for."""

    @cache
    def write(count: int) -> tuple[Capture, ...]:
        links = [f"{n}: eth{n}: <BROADCAST,UP,LOWER_UP> mtu {1280 + n} qdisc mq state UP" for n in range(count)]
        outputs = {"ip -d link": links, "ibdev2netdev": [f"mlx5_{n} port 1 ==> eth{n} (Up)" for n in range(count)]}
        for n in range(count):
            paused = " ".join(str(n >> bit & 1) for bit in range(8))
            outputs[f"mlnx_qos -i eth{n}"] = ["PFC configuration:", " priority 0 1 2 3 4 5 6 7", f" enabled {paused}"]
            outputs[f"mlxconfig -d mlx5_{n} -e q"] = [
                "Configurations: Default Current Next Boot",
                f" CNP_A {n} {n} {n}",
            ]
        return tuple(Capture(f"{n}.txt", tuple(lines), said) for n, (said, lines) in enumerate(outputs.items()))

    def read(count: int) -> DeviceReading:
        return read_device(DeviceUnit("host1", "host1", "linux", write(count)))

    few = read(FEW // 8).device.ports
    assert len({id(port.config) for port in few}) == len(few) == FEW // 8
    assert not grows(lambda count, limit_s: measure(lambda: read(count), limit_s), (FEW // 8, FEW // 2))


@pytest.mark.parametrize("kind", FORMATS, ids=lambda kind: kind.plan.what)
def test_cables_of_other_tools_are_read_in_the_time_of_their_lines(kind: PlanFormat) -> None:
    @cache
    def write(count: int) -> Raw:
        raw = parse_text(get_text(kind).make(count // 8).encode(), get_text(kind).file, given=False)
        assert isinstance(raw, Raw)
        return raw

    plan = find_plan(write(FEW))
    assert plan is not None
    assert len(plan.cables) == FEW // 8
    assert not grows(lambda count, limit_s: measure(partial(find_plan, write(count)), limit_s), SIZES["read"])


def test_blocks_that_nothing_closes_are_sought_once() -> None:
    def seek(count: int, limit_s: float) -> float:
        capture = Capture("guide.md", tuple(make_unclosed(count)))
        return measure(lambda: unquote(capture), limit_s)

    assert not grows(seek, (FEW // 4, FEW))


@pytest.mark.parametrize(
    "make",
    [
        lambda count: ["> " * (6 * count) + "x"] * 6,
        lambda count: ["text", *["```", "x", "```", "$ x"] * (count // 4)],
        lambda count: ["Run `rdma link`:", "```", "", "```"] * (count // 4),
    ],
    ids=["quotes", "prompts", "captions"],
)
def test_what_is_around_a_paste_is_looked_at_once(make: Callable[[int], list[str]]) -> None:
    def strip(count: int, limit_s: float) -> float:
        lines = make(count)
        return measure(lambda: unwrap.__wrapped__(tuple(strip_decoration(lines))), limit_s)

    assert not grows(strip, (2 * FEW, 2 * MANY))


@pytest.mark.parametrize("part", range(PARTS))
def test_no_pattern_is_slower_than_its_text(part: int) -> None:
    slow = {}
    for use in list_uses()[part::PARTS]:
        if use.place not in BOUNDED and (growth := _grow_pattern(use)):
            slow[use.place, use.pattern.pattern[:80]] = f"{growth:.1f} times at 4 times the characters"
    assert not slow


def _grow_pattern(use: Use, sizes: tuple[int, ...] = (FEW, MANY, MOST)) -> float:
    """Return how the CPU time of a pattern grows with the first attack that it is too slow for; 0 without one."""
    for number, attack in enumerate(dict.fromkeys(list_attacks(use.pattern, MANY))):
        texts = {MANY: use.cut(attack)}

        def search(count: int, limit_s: float, *, texts: dict[int, str] = texts, number: int = number) -> float:
            if count not in texts:
                texts[count] = use.cut([*dict.fromkeys(list_attacks(use.pattern, count))][number])
            return measure(partial(use.apply, texts[count]), limit_s)

        growth = grows(search, sizes) and grows(search, sizes)  # a machine may be busy for seconds
        if growth:
            return growth
    return 0


def test_a_bounded_pattern_needs_its_bound() -> None:
    uses = {use.place: use for use in list_uses()}
    assert all(_find_once(partial(_grow_pattern, uses[place], (FEW, MANY))) for place in BOUNDED)


def _find_once(grow: Callable[[], float]) -> float:
    """Return the growth of what is known to be slow: a busy machine may slow the short runs alone, and hide it once."""
    return next(filter(None, (grow() for _ in range(RUNS))), 0)


@pytest.mark.parametrize(
    ("text", "way", "is_slow"),
    [
        (r"a\s*x\s*\s*b", "search", True),
        (r"^\s*nv set", "search", True),
        (r"x\s++y", "search", False),
        (r"(?<!\s)\s+!", "search", False),
        (r"\s*(?:#|[\s,]*)", "match", False),
        (r"\s*(?:#|[\s,]*)", "fullmatch", True),
        (r"(?<![-])[-/]*+=", "search", True),
    ],
)
def test_a_slow_pattern_is_found(text: str, way: str, is_slow: bool) -> None:
    use = Use("here", re.compile(text, re.MULTILINE), frozenset({way}))
    grow = partial(_grow_pattern, use, (2 * FEW, 2 * MANY))
    assert bool(_find_once(grow) if is_slow else grow()) is is_slow


def test_a_step_that_hides_its_interruption_is_stopped_all_the_same() -> None:
    def hide() -> None:
        try:
            while True:
                pass
        except BaseException as error:
            raise NotImplementedError from error

    assert measure(hide, 0.01) == 0.01
    with pytest.raises(ZeroDivisionError):
        measure(lambda: 1 / 0)


def test_a_slow_step_is_found() -> None:
    def scan(count: int, limit_s: float) -> float:
        return measure(lambda: sum(1 for _ in range(count * count)), limit_s)

    assert _find_once(partial(grows, scan, (FEW // 2, 2 * FEW))) > GROWTH


@pytest.mark.parametrize("sizes", [SIZES["identify"], SIZES["read"]])
@pytest.mark.parametrize(
    ("first", "is_slow"), [(700, False), (1_500, False), (3_000, False), (9_000, False), (0, True)]
)
def test_what_begins_at_some_length_is_no_growth(sizes: tuple[int, ...], first: int, is_slow: bool) -> None:
    """A linear step that takes ten times as long from *first* lines on does not grow; a square does."""

    def count(lines: int, limit_s: float) -> float:
        seconds = 1e-4 * lines * (10 if lines >= first else 1) if first else 1e-7 * lines**2
        return min(seconds, limit_s)

    assert bool(grows(count, sizes)) is is_slow


@pytest.mark.parametrize(("power", "least", "most"), [(1, 0, 0), (2, 190, 200)])
@pytest.mark.parametrize("sizes", [SIZES["identify"], SIZES["read"]])
def test_a_busy_machine_is_no_growth_and_hides_none(sizes: tuple[int, ...], power: int, least: int, most: int) -> None:
    """A busy machine takes up to twice as long for the same, by chance: of 200 linear steps none is called slow."""
    chance = random.Random(1)

    def count(lines: int, limit_s: float) -> float:
        return min(limit_s, 0.01 * (lines / 500) ** power * chance.uniform(1, 2))

    assert least <= sum(bool(grows(count, sizes)) for _ in range(200)) <= most


@pytest.mark.parametrize("first", [1_500, 3_000])
@pytest.mark.parametrize("sizes", [SIZES["identify"], SIZES["read"]])
def test_what_begins_at_some_length_is_no_growth_on_a_busy_machine(sizes: tuple[int, ...], first: int) -> None:
    chance = random.Random(1)

    def count(lines: int, limit_s: float) -> float:
        return min(limit_s, 1e-4 * lines * (10 if lines >= first else 1) * chance.uniform(1, 2))

    assert sum(bool(grows(count, sizes)) for _ in range(200)) <= 4


@pytest.mark.parametrize(
    ("count_steps", "is_slow"), [(lambda lines: lines * 1000, False), (lambda lines: lines * lines // 5, True)]
)
def test_a_quadratic_reader_is_found(
    count_steps: Callable[[int], int], is_slow: bool, readers: tuple[Reader, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the place of a reader something takes as many steps as there are lines, or as the square of that."""
    steps = 0

    def count(unit: DeviceUnit) -> None:
        nonlocal steps
        steps += count_steps(len(unit.captures[0].lines))

    monkeypatch.setattr(clock, "read_device", count)
    monkeypatch.setattr(clock, "time", SimpleNamespace(process_time=lambda: steps / STEPS_A_SECOND))
    reader = next(each for each in readers if each.name == "arista_eos: show lldp neighbors")
    assert list(_find_slow_steps(reader)) == ([(reader.name, "read")] if is_slow else [])
