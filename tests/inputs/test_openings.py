"""First lines of outputs: each that a pattern matches is looked at, whatever it begins with."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.inputs.openings import OPENINGS, list_kinds


@pytest.mark.parametrize("kind", OPENINGS)
@given(data=st.data())
def test_a_line_that_opens_an_output_is_looked_at(kind: str, data: st.DataObject) -> None:
    line = data.draw(st.from_regex(rf"\A(?:{OPENINGS[kind][1]})", alphabet=st.characters(codec="ascii")))
    assert kind in list_kinds(line)
