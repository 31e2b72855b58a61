"""The bar of a long step: on a terminal alone, and the results pass through it as they are."""

import io
import sys

import pytest

from auditor.cli.progress import LEAST_RESULTS, show_progress


class Terminal(io.StringIO):
    """A stream that people watch."""

    def isatty(self) -> bool:
        """Return True."""
        return True


@pytest.mark.parametrize(
    ("stream", "count", "is_shown"),
    [
        (Terminal(), LEAST_RESULTS, True),
        (Terminal(), LEAST_RESULTS - 1, False),
        (io.StringIO(), LEAST_RESULTS, False),
    ],
)
def test_a_bar(stream: io.StringIO, count: int, *, is_shown: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", stream)
    assert list(show_progress(iter(range(count)), count, "reading")) == list(range(count))
    assert ("reading" in stream.getvalue()) == is_shown
