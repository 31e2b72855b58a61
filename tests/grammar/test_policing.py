"""Rates of policers, and the classes of a policy with them."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.grammar.classactions import ClassActions
from auditor.grammar.classmaps import ClassMap, Term
from auditor.grammar.policing import list_policers, parse_police
from auditor.model.qos import NO_RATE, Policer
from auditor.model.setting import Known, Origin, Setting, Unknown, Unset, Where, value_of

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


RATE = Known(100.0, Origin.INTENDED, AT)
TERMS = [Term("dscp", (26,), "", AT), Term("cos", (3,), "", AT)]


def begin(name: str, rate: Setting[float]) -> ClassActions:
    """Return a class with a policer."""
    action = ClassActions(name, AT)
    action.police = rate
    return action


def list_rates(
    *pairs: tuple[ClassActions, ClassMap | None],
) -> list[tuple[tuple[int, ...], tuple[int, ...], float | None]]:
    policers: tuple[Known[Policer], ...] = value_of(list_policers(pairs, {}, AT)) or ()
    return [(each.value.match.dscp, each.value.match.pcp, each.value.gbps) for each in policers]


def test_each_alternative_of_a_class_is_policed() -> None:
    either, both = (ClassMap("qos", "RDMA", AT, match_any=any_of, terms=TERMS) for any_of in (True, False))
    assert list_rates((begin("RDMA", RATE), either)) == [((26,), (), 100), ((), (3,), 100)]
    assert list_rates((begin("RDMA", RATE), both)) == [((26,), (3,), 100)]


def test_the_rest_comes_last_and_a_class_without_a_rate_drops_nothing() -> None:
    own = ClassMap("qos", "RDMA", AT, match_any=True, terms=TERMS[:1])
    rest = begin("class-default", RATE)
    assert list_rates((rest, None), (begin("RDMA", Unset()), own)) == [((26,), (), None), ((), (), 100)]


def test_without_a_rate_there_is_no_policer_and_what_is_not_read_is_unknown() -> None:
    assert list_policers([(begin("LOST", Unset()), None)], {}, AT) == Known((), Origin.INTENDED, AT)
    assert isinstance(list_policers([(begin("LOST", RATE), None)], {}, AT), Unknown)
    assert list_policers([(begin("LOST", NO_RATE), None)], {}, AT) == NO_RATE
