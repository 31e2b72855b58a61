"""xz files, whole, damaged and greedy."""

import io
import lzma
import random
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.inputs.unxz import open_xz

DATA = random.Random(1).randbytes(100_000) + bytes(300_000)


@given(parts=st.lists(st.binary(max_size=50), max_size=4), padding=st.integers(0, 3))
def test_streams_one_after_the_other_are_one(parts: list[bytes], padding: int) -> None:
    packed = b"".join(lzma.compress(part) + bytes(4 * padding) for part in parts or [b""])
    assert open_xz(io.BytesIO(packed)).read() == b"".join(parts)


@pytest.mark.parametrize("place", [0, 1, 99_999, 250_000, 400_000, 500_000])
def test_going_to_a_place_forth_and_back(place: int) -> None:
    file = open_xz(io.BytesIO(lzma.compress(DATA)))
    for start in (0, 399_990, 70_000):
        file.seek(start)
        file.read(5)
        assert file.seek(place) == min(place, len(DATA))
        assert file.read(10) == DATA[place : place + 10]
    with pytest.raises(io.UnsupportedOperation):
        file.seek(0, io.SEEK_END)


def test_a_cut_file_is_an_error() -> None:
    with pytest.raises(EOFError):
        open_xz(io.BytesIO(lzma.compress(DATA)[:-100])).read()


def test_a_dictionary_of_gigabytes_is_refused() -> None:
    packed = bytearray(lzma.compress(b"line\n" * 10))
    size = (packed[12] + 1) * 4
    assert packed[14:16] == b"\x21\x01"  # LZMA2, with one byte that tells the size of its dictionary
    packed[16] = 40
    packed[12 + size - 4 : 12 + size] = zlib.crc32(packed[12 : 12 + size - 4]).to_bytes(4, "little")
    with pytest.raises(lzma.LZMAError, match=r"[Mm]emory"):
        open_xz(io.BytesIO(bytes(packed))).read()
