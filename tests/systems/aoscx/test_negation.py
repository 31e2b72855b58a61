"""Each statement of AOS-CX and its `no` form: the last word wins, wherever it stands."""

import pytest
from negated_views import contexts, modes
from negation import Case, cases, check

from auditor.grammar.config import read_config
from auditor.systems.aoscx.parse import DIALECT
from auditor.systems.aoscx.switch import AosCx


@pytest.mark.parametrize("case", list(cases(contexts(DIALECT, "1/1/1", modes))), ids=str)
def test_the_last_word_wins(case: Case) -> None:
    check(case, lambda captures: read_config(captures, DIALECT, AosCx))
