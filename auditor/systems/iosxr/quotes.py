"""The class of a queuing policy in which a quoted line stands, for remedies that are typed at IOS XR."""

from collections.abc import Iterator, Sequence

_HEAD = "policy-map "


def list_quoted(_line: str, heads: Sequence[str]) -> Iterator[tuple[str, str]]:
    r"""Yield the heads around a line as `queuing`, none for a line of a card's PFC profile, which has no policy.

    >>> dict(list_quoted("random-detect ecn", ["policy-map OUT", "class TC3"]))
    {'queuing': 'policy-map OUT\n  class TC3'}
    >>> dict(list_quoted("buffer-internal traffic-class 3", ["hw-module profile priority-flow-control location all"]))
    {}
    """
    if heads and heads[0].startswith(_HEAD):
        yield "queuing", "\n".join(f"{'  ' * depth}{head}" for depth, head in enumerate(heads))
