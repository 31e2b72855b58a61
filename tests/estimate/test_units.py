"""Quantities as people write them, and what is refused with words that help."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.estimate import units

READERS = (
    units.speed_gbps,
    units.size_bytes,
    units.length_m,
    units.duration_s,
    units.fraction,
    units.number,
    units.count,
    units.curve,
)


@pytest.mark.parametrize(
    ("text", "gbps"),
    [
        ("400", 400),
        ("100G", 100),
        ("100g", 100),
        ("400Gb/s", 400),
        ("400 Gbps", 400),
        ("400 gbit/s", 400),
        ("25GbE", 25),
        ("1.6T", 1600),
        ("100M", 0.1),
        ("10 Gbits/sec", 10),
        ("12.5GB/s", 100),
    ],
)
def test_speed(text: str, gbps: float) -> None:
    assert units.speed_gbps(text) == pytest.approx(gbps)


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("0", 0),
        ("9216", 9216),
        ("9216B", 9216),
        ("150KB", 150e3),
        ("150 kb", 150e3),
        ("150k", 150e3),
        ("150 kbytes", 150e3),
        ("1.5MB", 1.5e6),
        (".5MB", 0.5e6),
        ("1e6", 1e6),
        ("150KiB", 153_600),
        ("2Mi", 2**21),
        ("1GB", 1e9),
    ],
)
def test_size(text: str, size: float) -> None:
    assert units.size_bytes(text) == size


@pytest.mark.parametrize(
    ("text", "metres"), [("40", 40), ("40m", 40), ("40 M", 40), ("2km", 2000), ("0.5km", 500), ("10ft", 3.048)]
)
def test_length(text: str, metres: float) -> None:
    assert units.length_m(text) == pytest.approx(metres)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("300ns", 3e-7),
        ("2us", 2e-6),
        ("2\N{MICRO SIGN}s", 2e-6),
        ("2\N{GREEK SMALL LETTER MU}s", 2e-6),
        ("67 ms", 0.067),
        ("1s", 1),
    ],
)
def test_duration(text: str, seconds: float) -> None:
    assert units.duration_s(text) == pytest.approx(seconds)


@pytest.mark.parametrize(("text", "part"), [("0", 0), ("0.2", 0.2), ("20%", 0.2), ("100 %", 1), ("1", 1)])
def test_fraction(text: str, part: float) -> None:
    assert units.fraction(text) == pytest.approx(part)


@pytest.mark.parametrize(("text", "value"), [("8", 8), ("0.125", 0.125), ("1/8", 0.125), ("2 / 4", 0.5)])
def test_number(text: str, value: float) -> None:
    assert units.number(text) == value


@pytest.mark.parametrize(
    ("read", "text"),
    [
        *(
            (read, text)
            for read in READERS
            for text in ("", " ", "x", "-1", "+1", "nan", "inf", "1e999", "1..2", "1,5")
        ),
        *(
            (read, text)
            for read in READERS
            for text in ("0x10", "1_000", "\N{FULLWIDTH DIGIT ONE}", "1\x00", "9" * 10_000)
        ),
        (units.speed_gbps, "0"),
        (units.speed_gbps, "100bps"),
        (units.speed_gbps, "100Q"),
        (units.speed_gbps, "100GiB"),
        (units.size_bytes, "10m/s"),
        (units.size_bytes, "1Kbit"),
        (units.length_m, "40cm"),
        (units.duration_s, "2"),
        (units.fraction, "1.01"),
        (units.fraction, "101%"),
        (units.fraction, "20 KB"),
        (units.number, "0"),
        (units.number, "1/0"),
        (units.number, "1/"),
        (units.number, "/8"),
        (units.number, "1/2/3"),
        (units.count, "0"),
        (units.count, "2.5"),
        (units.curve, "on"),
        (units.curve, "1KB,2KB"),
        (units.curve, "1KB,2KB,3,4"),
        (units.curve, "2KB,1KB,0.1"),
        (units.curve, "1KB,2KB,110%"),
    ],
)
def test_what_is_no_quantity_is_refused(read: units.Reader, text: str) -> None:
    with pytest.raises(ValueError, match="expected") as error:
        read(text)
    assert len(str(error.value)) < 200


@given(st.sampled_from(READERS), st.text(max_size=60))
def test_any_text_is_read_or_refused(read: units.Reader, text: str) -> None:
    try:
        value = read(text)
    except ValueError as error:
        assert "expected" in str(error)  # noqa: PT017  both outcomes are right
    else:
        assert value is not None


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (0, "", "0"),
        (0, "B", "0 B"),
        (999, "B", "1 KB"),
        (0.996, "", "1"),
        (0.0449, "", "0.045"),
        (123.4, "", "120"),
        (24_000, "", "24,000"),
        (9.96e-7, "s", "1 us"),
        (0.067, "s", "67 ms"),
        (1e-10, "s", "0.1 ns"),
        (89_254, "B", "89 KB"),
        (5, "m", "5 m"),
    ],
)
def test_shown(value: float, unit: str, text: str) -> None:
    assert units.format_quantity(value, unit) == text


@given(st.floats(min_value=1e-12, max_value=1e15), st.sampled_from(["", "B", "s", "m"]))
def test_what_is_shown_is_within_half_of_its_last_digit(value: float, unit: str) -> None:
    text = units.format_quantity(value, unit).replace(",", "").split()
    sizes = {"K": 1e3, "M": 1e6, "G": 1e9, "k": 1e3, "n": 1e-9, "u": 1e-6}
    prefix = text[1].removesuffix(unit) if len(text) > 1 else ""
    size = 1e-3 if (prefix, unit) == ("m", "s") else sizes.get(prefix, 1)
    assert float(text[0]) * size == pytest.approx(value, rel=0.051)
    assert "e" not in text[0]
