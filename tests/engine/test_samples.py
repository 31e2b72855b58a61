"""Two samples of counters: what grew between them, in which time, and where they do not fit."""

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import auditor
from auditor.engine.audit import judge_fabric
from auditor.model.counters import Growth, measure_growth

Files = Mapping[str, str | bytes]
COUNTS = st.integers(min_value=0, max_value=2**64)
HEAD = "# gathered with roce-audit 0.1 by user 0 on 2026-11-23 {} UTC\n"


def transcript(name: str, time: str | None, **counters: int) -> str:
    head = HEAD.format(time) if time else ""
    rows = "".join(f"     {each}: {count}\n" for each, count in counters.items())
    return f"{head}$ uname -n\n{name}\n$ ethtool -S ens1f0\nNIC statistics:\n{rows}"


@pytest.fixture
def growths(write: Callable[[Files], Path]) -> Callable[..., Any]:
    """Return what loads two samples and gives the growths of the counters by device, and the warnings."""

    def load(before: Files, now: Files) -> tuple[dict[str, dict[str, Growth]], list[str]]:
        root = write(
            {f"{side}/{name}": text for side, files in (("a", before), ("b", now)) for name, text in files.items()}
        )
        judged = judge_fabric(root / "b", auditor.Options(jobs=1, earlier=str(root / "a")))
        found = {
            device.name: dict(port.growths)
            for device in judged.model.devices
            for port in device.ports
            if port.growths is not None
        }
        return found, [notice.message for notice in judged.report.warnings]

    return load


@given(COUNTS, COUNTS)
def test_what_grew_and_what_was_reset(before: int, now: int) -> None:
    growth = measure_growth(before, now, None)
    assert growth.was_reset == (now < before)
    assert growth.count == (now if growth.was_reset else now - before)
    assert (growth.count == 0) == (now == before or (growth.was_reset and now == 0))


def test_counters_grow_between_two_samples(growths: Callable[..., Any]) -> None:
    before = {"h1.txt": transcript("h1", "20:05:00", rx_prio3_pause=5, rx_prio3_discards=9)}
    now = {
        "h1.txt": transcript("h1", "20:06:30", rx_prio3_pause=7, rx_prio3_discards=2, rx_discards_phy=4),
        "h2.txt": transcript("h2", "20:06:30", rx_prio3_pause=7),
    }
    found, warnings = growths(before, now)
    assert found == {"h1": {"rx_prio3_pause": Growth(2, 90), "rx_prio3_discards": Growth(2, 90, was_reset=True)}}
    assert not any("counter" in each for each in warnings)


def test_a_sample_without_a_time_has_growths_without_a_rate(growths: Callable[..., Any]) -> None:
    before, now = ({"h1.txt": transcript("h1", time, rx_prio3_pause=n)} for n, time in ((5, "20:05:00"), (7, None)))
    assert growths(before, now)[0] == {"h1": {"rx_prio3_pause": Growth(2)}}


@pytest.mark.parametrize(
    "before",
    [
        {"h1.txt": transcript("h1", "20:07:00", rx_prio3_pause=5)},
        {"h1.txt": transcript("h1", "20:06:30", rx_prio3_pause=5)},
        {"h2.txt": transcript("h2", "20:05:00", rx_prio3_pause=5)},
        {"h1.txt": transcript("h1", "20:05:00", rx_discards_phy=5)},
        {},
    ],
    ids=["younger", "of one time", "of another host", "other counters", "nothing"],
)
def test_a_sample_that_tells_nothing_is_said_to(growths: Callable[..., Any], before: Files) -> None:
    found, warnings = growths(before, {"h1.txt": transcript("h1", "20:06:30", rx_prio3_pause=7)})
    assert found == {}
    assert any("no counter in it is an older one of a port that is audited" in each for each in warnings)


def test_a_manifest_times_only_the_content_that_it_lists(growths: Callable[..., Any]) -> None:
    def pulled(seen: str, count: int, *, is_changed: bool = False) -> Files:
        text = f"NIC statistics:\n     rx_prio3_pause: {count}\n"
        digest = "0" * 64 if is_changed else hashlib.sha256(text.encode()).hexdigest()
        capture = {
            "command": "ethtool -S ens1f0",
            "file": "s.txt",
            "sha256": digest,
            "time": "2026-11-01T00:00:00+00:00",
        }
        manifest = {"device": "h1", "os": "linux", "seen": seen, "captures": [capture]}
        return {"h1/manifest.json": json.dumps(manifest), "h1/s.txt": text}

    first = pulled("2026-11-23T20:05:00+00:00", 5)
    assert growths(first, pulled("2026-11-23T22:05:10+02:00", 7))[0] == {"h1": {"rx_prio3_pause": Growth(2, 10)}}
    edited = pulled("2026-11-23T20:05:10+00:00", 7, is_changed=True)
    assert growths(first, edited)[0] == {"h1": {"rx_prio3_pause": Growth(2)}}


def test_an_earlier_sample_that_cannot_be_read_is_a_warning(
    run: Callable[..., tuple[int, str, str]], write: Callable[[Files], Path]
) -> None:
    root = write({"b/h1.txt": transcript("h1", "20:06:30", rx_prio3_pause=7)})
    status, out, err = run("check", root / "b", "--no-cache", "--earlier", root / "gone")
    alone = run("check", root / "b", "--no-cache")
    assert status == alone[0]
    assert f"{root / 'gone'}" in f"{out}{err}"
