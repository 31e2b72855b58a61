"""Every form of a secret in the tables is gone, and every look-alike stays, in time linear in the text."""

import time
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from redaction_forms import HALVES, Form, choose, combine_names, list_leaks, read_forms, read_lookalikes

from auditor.util.redact import redact
from auditor.util.redact_lines import redact_lines

FORMS = [form for file in HALVES for form in read_forms(file)]
NAMES = list(combine_names())
DIALECTS = sorted({form.dialect for form in FORMS})
LEAST_FORMS = 400
OWN_FORMS = {dialect: [form for form in FORMS if form.dialect == dialect] for dialect in DIALECTS}


def hide(text: str) -> str:
    return "\n".join(redact_lines(text.split("\n")))


def test_each_dialect_has_enough_forms() -> None:
    assert len(DIALECTS) >= 13
    assert all(len(OWN_FORMS[dialect]) + len(NAMES) >= LEAST_FORMS for dialect in DIALECTS)
    assert len({(form.dialect, form.template) for form in FORMS}) == len(FORMS)


@pytest.mark.parametrize("dialect", DIALECTS)
@settings(max_examples=200, deadline=None)
@given(data=st.data(), chance=st.integers(0, 2**32))
def test_no_form_of_a_dialect_leaks(dialect: str, data: st.DataObject, chance: int) -> None:
    form: Form = data.draw(st.sampled_from(OWN_FORMS[dialect]))
    example = choose(form, Random(chance))
    shown = hide(example.text)
    assert list_leaks(shown, example) == [], shown
    assert hide(shown) == shown


@settings(max_examples=600, deadline=None)
@given(form=st.sampled_from(NAMES), chance=st.integers(0, 2**32), indent=st.sampled_from(["", "  ", "\t", "   - "]))
def test_no_assignment_leaks(form: Form, chance: int, indent: str) -> None:
    example = choose(form, Random(chance))
    shown = hide(indent + example.text)
    assert list_leaks(shown, example) == [], shown


@pytest.mark.parametrize("text", read_lookalikes())
def test_a_look_alike_stays(text: str) -> None:
    assert hide(text) == text


@pytest.mark.parametrize("number", range(len(FORMS)))
def test_a_form_among_other_lines_leaks_nothing(number: int) -> None:
    form = FORMS[number]
    example = choose(form, Random(form.template))
    lines = redact_lines(["hostname leaf1", *example.text.split("\n"), "interface Ethernet1/1"])
    assert lines[0] == "hostname leaf1"
    assert lines[-1].startswith("interface Ethernet1/1") or "PRIVATE KEY" in example.text
    assert list_leaks("\n".join(lines), example) == []


PIECES = (
    *("password ", "password cipher ", "snmp ", "snmp-server user ", "tacacs ", "mysql ", "curl "),
    *("net use ", "key ", "key 7 ", "auth ", "authentication-mode ", "://", "://a:b@", "x:y@", "hook/"),
    *("?sig=", '"', '\\"', "a-b-", "$", "token=", "password=", "password=[", 'password": ["'),
    *('"SNMP_COMMUNITY": {"', '{"kind":"Secret","data":{', "%^%#", "- name: A_TOKEN "),
    *("-----BEGIN X-----", "<password>", "login(", 'variable "a" {', "bearer ", "AAAAB", "eyJ", "a "),
    *("priv aes 128 ", "authentication-key 1 md5 ", "snmp-server host a ", "secret>", "authorization:"),
    *("vrf a ", "$6$", "cipher ", "authentication-mode md5 1 ", '"NTP_KEY": {"value"'),
    *("peer authentication ", "md5 1 key ", "1 cipher ", "snmp community", "tacacs key", 'password"'),
    *("token: ", '"token": "\\', "1", "level 1 ", "- ", "-----END", "@ ", "setenv(", 'key="a" '),
    *("--from-literal ", "A1b", " ", "[", "{", "a:", "a: ", "'", "1.1:2222:a:b:", "aa1aa1"),
)
LINES = (
    *("data:", "kind: Secret", "  - name: A_TOKEN", "value: x", '{"kind":"Secret","data":{'),
    *('"SNMP_COMMUNITY": {', '"a": {', "-----BEGIN X-----", "<password>", "password: |", "password:"),
    *("- - - a: b", "{", "[", "--token", '"value": "x",', "snmp-server user a auth md5 b priv c"),
    *('"tokens": [', "readonly-community:", "NTP_KEY:", "env:"),
)
SHORT, LONG = 2_000, 8_000
MOST_GROWTH = 8


def measure(texts: tuple[list[str], list[str]]) -> float:
    """Return how many times longer the second text takes than the first, in CPU time."""
    seconds = []
    for lines in texts:
        start = time.process_time()
        redact_lines(lines)
        seconds.append(max(time.process_time() - start, 0.004))
    return seconds[1] / seconds[0]


def grows_too_fast(texts: tuple[list[str], list[str]]) -> bool:
    """Return whether the growth is above the limit three times running."""
    return all(measure(texts) > MOST_GROWTH for _ in range(3))


@pytest.mark.guard
@pytest.mark.parametrize("piece", PIECES)
def test_time_is_linear_in_a_line(piece: str) -> None:
    assert not grows_too_fast(([piece * (SHORT * 2 // len(piece))], [piece * (LONG * 2 // len(piece))]))


@pytest.mark.guard
@pytest.mark.parametrize("line", LINES)
def test_time_is_linear_in_the_lines(line: str) -> None:
    assert not grows_too_fast(([line] * SHORT, [line] * LONG))


@pytest.mark.guard
@pytest.mark.parametrize("line", LINES)
def test_time_is_linear_in_the_depth(line: str) -> None:
    texts = tuple([" " * number + line for number in range(count)] for count in (200, 400))
    assert not grows_too_fast((texts[0], texts[1]))  # twice the lines, four times the characters


def test_the_community_blocks_of_a_hostile_device_are_read_at_once() -> None:
    text = '"SNMP_COMMUNITY": {"' * 600
    start = time.process_time()
    redact(text)
    redact_lines([text] * 10)
    assert time.process_time() - start < 5
