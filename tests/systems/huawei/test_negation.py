"""Each statement of VRP and its `undo` form: the last word wins, wherever it stands."""

import pytest
from negated_views import contexts, views
from negation import Case, cases, check

from auditor.grammar.config import read_config
from auditor.systems.huawei.parse import DIALECT
from auditor.systems.huawei.switch import Vrp


@pytest.mark.parametrize("case", list(cases(contexts(DIALECT, "100GE1/0/1", views))), ids=str)
def test_the_last_word_wins(case: Case) -> None:
    check(case, lambda captures: read_config(captures, DIALECT, Vrp))
