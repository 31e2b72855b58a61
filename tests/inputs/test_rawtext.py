"""The bytes of a dump: encodings, line ends, what a terminal leaves in them, and what is no text."""

from collections.abc import Callable

import pytest

from auditor.inputs.rawtext import Problem, Raw, Skipped, parse_text

PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"


@pytest.mark.parametrize(
    ("data", "lines", "ends"),
    [
        (b"a\nb\n", ("a", "b"), True),
        (b"a\r\nb\rc", ("a", "b", "c"), False),
        (b"a\r\r\n\nb", ("a", "", "b"), False),
        (b"\xef\xbb\xbfa\n", ("a",), True),
        ("\ufeffgrün\n".encode("utf-16-le"), ("grün",), True),
        ("\ufeffgrün\n".encode("utf-16-be"), ("grün",), True),
        ("a\fb\x85c\u2028d\n".encode(), ("a\fb\x85c\u2028d",), True),
        (b"a\n--More--\b\b\b\b\b\b\b\b        \b\b\b\b\b\b\b\bb\n", ("a", "b"), True),
        (b"\x1b[7m--More--\x1b[0m\b\b\b\b\b\b\b\b\x1b[Kb\x1b]0;title\x07\x1b(Bc\x1b\n", ("bc",), True),
        (b"\b\bab\bc\n", ("ac",), True),
        (b"{" + b" " * 70_000 + b"}", ("{" + " " * 70_000 + "}",), False),
    ],
)
def test_lines(data: bytes, lines: tuple[str, ...], ends: bool) -> None:
    assert parse_text(data, "d/x", given=True) == Raw("d/x", "d", lines, ends, given=True)
    assert parse_text(data, "<stdin>", given=True) == Raw("<stdin>", "<stdin>", lines, ends, given=True)


@pytest.mark.parametrize(
    ("data", "line", "message"),
    [
        (b"", None, "empty, expected a dump"),
        (b" \n\t\n", None, "empty, expected a dump"),
        (b"\xef\xbb\xbf", None, "empty, expected a dump"),
        (b"a\nb\nGr\xfc\xdfe\n", 3, "wrong encoding at byte 7, expected UTF-8"),
        ("\ufeffü\nü".encode() + b"\xfc", 2, "wrong encoding at byte 9, expected UTF-8"),
        (b"\xff\xfea\x00\n\x00b", 2, "wrong encoding at byte 7, expected UTF-8"),
        ("interface Ethernet1/1\n".encode("utf-16-le"), None, "wrong encoding (UTF-16 without a byte order mark)"),
        (PNG, None, "image, expected text"),
        (b"\x7fELF\x02\x01\x01\x00", None, "program, expected text"),
        (bytes(range(1, 32)) * 9, None, "binary, expected text"),
        (b"text\x00text", None, "binary, expected text"),
        (b"short\n" + b"a" * 65_537 + b"\n", 2, "65537 characters in one line, expected at most 65536"),
        (lambda: b"a" * (64 * 2**20 + 1), None, "too large, expected a dump of at most 67108864 bytes"),
    ],
    ids=range(13),
)
def test_what_is_given_and_cannot_be_read_is_a_problem(
    data: bytes | Callable[[], bytes], line: int | None, message: str
) -> None:
    problem = parse_text(data() if callable(data) else data, "x", given=True)
    assert isinstance(problem, Problem)
    assert (problem.line, problem.message[: len(message)]) == (line, message)


def test_a_known_binary_that_was_not_given_by_itself_is_skipped() -> None:
    assert parse_text(PNG, "x", given=False) == Skipped("x", "image")
