"""The lists of mistakes are whole; what is reported of them: `python tests/tools/measure_mistakes.py`."""

from collections import Counter

import pytest
from mistakes import Mistake, list_mistakes, read_clean


def test_no_two_mistakes_share_a_name() -> None:
    assert max(Counter(mistake.id for mistake in list_mistakes()).values()) == 1


@pytest.mark.parametrize("mistake", list_mistakes(), ids=lambda mistake: mistake.id)
def test_a_mistake_can_be_made_and_its_lines_are_there(mistake: Mistake) -> None:
    clean = read_clean(mistake.pod)
    planted = mistake.plant(clean)
    assert planted != clean
    lines = {line.strip() for line in planted[mistake.file].splitlines()}
    assert lines.issuperset(mistake.lines)
