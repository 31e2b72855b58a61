"""Words that are sought at once are found where each of them is found."""

import re

from hypothesis import given
from hypothesis import strategies as st

from auditor.util.words import join_words

TEXTS = st.text("ab|.\\ (", max_size=12)


@given(st.lists(st.text("ab|.\\ (", min_size=1, max_size=4), min_size=1), TEXTS)
def test_a_text_has_one_of_the_words(words: list[str], text: str) -> None:
    assert bool(re.search(join_words(words), text)) == any(word in text for word in words)
