"""Rates of policers, and the classes of a policy with them."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.grammar.classmaps import Term
from auditor.grammar.policing import make_policers, parse_police
from auditor.model.qos import NO_RATE
from auditor.model.setting import Known, Origin, Unset, Where

UNITS = {"bps": 1e-9, "kbps": 1e-6, "mbps": 1e-3, "gbps": 1.0}
AT = Where("leaf1.cfg", 7)


@given(st.integers(1, 10**6), st.sampled_from([*UNITS]), st.sampled_from(["", "cir ", "rate "]))
def test_a_rate_is_read_in_its_unit(amount: int, unit: str, word: str) -> None:
    found = parse_police(f"{word}{amount} {unit} bc 200 ms conform transmit violate drop")
    assert found == pytest.approx(amount * UNITS[unit])


@given(st.integers(1, 10**6), st.integers(1, 10**6))
def test_of_two_rates_the_higher_one_drops(committed: int, peak: int) -> None:
    text = f"cir {committed} mbps bc 200 ms pir {peak} mbps be 200 ms conform transmit exceed set dscp violate drop"
    assert parse_police(text) == pytest.approx(max(committed, peak) / 1000)


def test_a_number_without_a_unit_counts_bits() -> None:
    assert parse_police("cir 1000000000 bc 96000 bytes") == pytest.approx(1)


def test_what_drops_nothing_has_no_end() -> None:
    assert parse_police("cir 8 gbps conform transmit violate set dscp dscp table cir-markdown-map") == math.inf


@pytest.mark.parametrize("text", ["cir percent 25 bc 200 ms", "rate 1000 pps burst-size 16 packets"])
def test_a_rate_that_is_no_number_of_bits_is_unknown(text: str) -> None:
    assert parse_police(text) == NO_RATE


@pytest.mark.parametrize("text", ["", "soon", "cir 8 parsecs", "burst-size 16 mbytes"])
def test_a_malformed_line_is_none(text: str) -> None:
    assert parse_police(text) is None


def test_each_alternative_of_a_class_is_policed() -> None:
    terms = [Term("dscp", (26,), "", AT), Term("cos", (3,), "", AT)]
    rate = Known(100.0, Origin.INTENDED, AT)
    either = [each.value for each in make_policers(terms, {}, rate, is_any=True)]
    assert [(each.match.dscp, each.match.pcp, each.gbps) for each in either] == [((26,), (), 100), ((), (3,), 100)]
    both = [each.value for each in make_policers(terms, {}, Unset(), is_any=False)]
    assert [(each.match.dscp, each.match.pcp, each.gbps) for each in both] == [((26,), (3,), None)]
    rest = [each.value for each in make_policers((), {}, rate, is_any=False, is_rest=True)]
    assert [(each.match.dscp, each.gbps) for each in rest] == [((), 100)]
