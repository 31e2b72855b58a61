"""Hostile texts in every field of a dump: the page has the same elements, and no text becomes markup."""

import pytest
from hostile_report import TEXTS
from html_markup import read_markup
from html_pages import write_poisoned

HIDDEN = "\u202e\u2067\u200f\u061c\x00\x1b\x07\u2028"


@pytest.mark.parametrize("evil", TEXTS.values(), ids=TEXTS)
def test_a_hostile_text_is_text(evil: str) -> None:
    page = write_poisoned(evil)
    found, plain = read_markup(page), read_markup(write_poisoned("-plain"))
    assert found.unbalanced == []
    assert found.count_tags() == plain.count_tags()
    assert found.count_tags()["script"] == 2
    assert not [name for _, attributes in found.elements for name in attributes if name.startswith("on")]
    assert not {*page} & {*HIDDEN}
    assert page.encode("utf-8")
