"""The buffers of Comware: what a paused priority may hold on arrival, counted in cells, and what ports share."""

from collections.abc import Callable, Iterable
from typing import Any

from auditor.grammar.body import BufferBody, PortBody
from auditor.grammar.numbers import expand
from auditor.grammar.rows import entries, number, value, within
from auditor.grammar.statements import Arguments, Statement
from auditor.model.setting import Unknown, Where

PAGE = "https://www.h3c.com/en/d_202306/1866200_294551_0.htm"
"""The commands of PFC; sizes count cells."""
CELLS = Unknown("the size counts cells, whose bytes differ between models")
FACTOR = Unknown("the factor that the number of a dynamic threshold stands for is on no page that could be read")
MOST_CELLS = 10**8


def _list_buffers(body: PortBody, arguments: Arguments, where: Where) -> Iterable[BufferBody] | None:
    found = expand(arguments["priority"], 0, 7)
    return None if found is None else [body.buffer(each, where) for each in found]


def _cells(text: str) -> Unknown | None:
    """Return why the bytes of a number of cells are open, None where it is malformed."""
    return None if number(0, MOST_CELLS)(text) is None else CELLS


def _factor(text: str) -> Unknown | None:
    return None if number(0, 100)(text) is None else FACTOR


def _size(words: str, name: str, convert: Callable[[str], Unknown | None]) -> Statement[BufferBody]:
    """Return a statement on the buffer of a priority whose last word is a number."""
    form = f"priority-flow-control dot1p {{priority}} {words} {{number}}"
    return value(form, name, convert, example=f"priority-flow-control dot1p 3 {words} 12", page=PAGE)


BUFFERS: tuple[Statement[Any], ...] = within(
    _list_buffers,
    _size("headroom", "headroom", _cells),
    _size("reserved-buffer", "reserved", _cells),
    _size("ingress-buffer dynamic", "alpha", _factor),
    _size("ingress-buffer static", "xoff", _cells),
    _size("ingress-threshold-offset", "xon_offset", _cells),
)
"""What a paused priority may hold on arrival."""
POOL: Statement[Any] = entries(
    "priority-flow-control poolid|poolID {pool} headroom {cells}",
    "pools",
    lambda arguments: (arguments["pool"],),
    lambda arguments: _cells(arguments["cells"]),
    example="priority-flow-control poolid 0 headroom 80000",
    page=PAGE,
)
"""The headroom that ports share."""
