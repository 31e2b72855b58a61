"""Each statement of Comware and its `undo` form: the last word wins, wherever it stands."""

import pytest
from negated_views import contexts, views
from negation import Case, cases, check

from auditor.grammar.config import read_config
from auditor.systems.comware.parse import DIALECT
from auditor.systems.comware.switch import Comware


@pytest.mark.parametrize("case", list(cases(contexts(DIALECT, "HundredGigE1/0/1", views))), ids=str)
def test_the_last_word_wins(case: Case) -> None:
    check(case, lambda captures: read_config(captures, DIALECT, Comware))
