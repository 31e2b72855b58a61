"""A statement that a document wrapped over several lines: it says the same as on one."""

import re
from collections.abc import Iterator

import pytest

from auditor.model.dump import Capture
from auditor.systems import systems
from auditor.view.port_view import device_view

NXOS = """\
class-map type qos match-all STO
  match dscp 24
policy-map type qos IN
  class STO
    set qos-group 3
policy-map type queuing OUT
  class type queuing c-out-8q-q3
    bandwidth remaining percent 40
    {line}
system qos
  service-policy type queuing output OUT
interface Ethernet1/7
  service-policy type qos input IN
"""
EOS = """\
hostname pod4
!
interface Ethernet7
   tx-queue 3
      {line}
   priority-flow-control on
"""
CASES = {
    "cisco_nxos": (
        NXOS,
        "random-detect minimum-threshold 210 kbytes maximum-threshold 900 kbytes drop-probability 12 weight 0 ecn",
    ),
    "arista_eos": (
        EOS,
        "random-detect ecn minimum-threshold 210 kbytes maximum-threshold 900 kbytes max-mark-probability 12",
    ),
}


def _wraps(line: str) -> Iterator[str]:
    """Yield *line* wrapped before one, and before all of the words that go on with it."""
    places = [match.start() for match in re.finditer(r"(?:maximum-|drop-|max-mark-|weight )", line)]
    for place in places:
        yield f"{line[:place].rstrip()}\n                  {line[place:]}"
    yield re.sub(r" (?=(?:maximum-|drop-|max-mark-|weight ))", "\n        ", line)


def _view(os: str, text: str) -> object:
    return device_view(systems()[os].parse("x", "", [Capture("x", tuple(text.split("\n")))]))


@pytest.mark.parametrize("os", CASES)
def test_a_wrapped_statement_says_what_it_says_on_one_line(os: str) -> None:
    text, line = CASES[os]
    whole = _view(os, text.format(line=line))
    assert "ecn_max_probability=0.12" in str(whole)
    for wrapped in _wraps(line):
        assert _view(os, text.format(line=wrapped)) == whole


@pytest.mark.parametrize("os", CASES)
@pytest.mark.parametrize("remark", ["  ! Kmin", " <-- Kmin of this class", "\n! Kmin\n", "\n        ! Kmin", "\n"])
def test_a_remark_inside_a_wrapped_statement_ends_it_nowhere(os: str, remark: str) -> None:
    text, line = CASES[os]
    whole = _view(os, text.format(line=line))
    for wrapped in _wraps(line):
        first, _, rest = wrapped.partition("\n")
        assert _view(os, text.format(line=f"{first}{remark}\n{rest}")).ports == whole.ports  # type: ignore[attr-defined]


def test_a_line_that_goes_on_with_nothing_stays_a_line() -> None:
    text, _ = CASES["arista_eos"]
    broken = text.format(line="maximum-threshold 900 kbytes")
    device = systems()["arista_eos"].parse("x", "", [Capture("x", tuple(broken.split("\n")))])
    assert any("maximum-threshold" in doubt.text for doubt in device.doubts)
