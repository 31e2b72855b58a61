"""A range of interfaces repeats what stands before its number: a name without bound is no range."""

from collections.abc import Callable

import pytest

from auditor.grammar.numbers import LONGEST_STEM
from auditor.grammar.views import list_range
from auditor.systems.eos.names import expand_interfaces as expand_eos
from auditor.systems.nxos.numbers import expand_interfaces as expand_nxos


def expand_views(text: str) -> tuple[str, ...] | None:
    """Return the interfaces of a range as CloudEngine and Comware write it."""
    first, _, last = text.partition("-")
    return list_range(first, f"{first.rpartition('/')[0]}/{last}")


@pytest.mark.parametrize("expand", [expand_eos, expand_nxos, expand_views], ids=["eos", "nxos", "views"])
@pytest.mark.parametrize(("digits", "is_range"), [(3, True), (LONGEST_STEM, False), (5000, False)])
def test_what_stands_before_the_number_of_a_range(
    expand: Callable[[str], tuple[str, ...] | None], digits: int, is_range: bool
) -> None:
    slot = f"Ethernet{'9' * digits}"
    assert expand(f"{slot}/1-3") == (tuple(f"{slot}/{n}" for n in (1, 2, 3)) if is_range else None)
