"""The threads are whole, and those that the program solves stay solved: `python tests/tools/measure_threads.py`."""

import pytest
import yaml
from threads import ABOUT, CASES, Thread, list_threads, list_unsaid

SOLVED: frozenset[str] = frozenset(f"{number:02d}" for number in range(1, 21))
"""Numbers of the threads that are solved."""


def test_every_case_is_a_thread() -> None:
    assert [thread.folder for thread in list_threads()] == sorted(path for path in CASES.iterdir())
    for thread in list_threads():
        about = yaml.safe_load((thread.folder / ABOUT).read_text())
        assert about["source"].startswith("https://github.com/")
        assert thread.says
        assert about["cause"]


@pytest.mark.parametrize("thread", list_threads(), ids=lambda thread: thread.name)
def test_a_solved_thread_stays_solved(thread: Thread) -> None:
    assert (not list_unsaid(thread)) is (thread.name[:2] in SOLVED)
