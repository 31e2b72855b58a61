"""What a quoted line tells remedies typed at IOS XR: the class of a policy, a PFC profile, a port's location."""

from collections.abc import Iterator, Sequence

from auditor.util.regex import regex

_POLICY = "policy-map "
_BUFFER = regex(
    r"(?:(?P<head>hw-module profile priority-flow-control location \S+) )?"
    r"(?P<before>(?P<kind>buffer-(?:internal|extended)) traffic-class \d.*?)"
    r"(?: headroom \d+(?: [a-z]*bytes)?(?P<behind>.*))?"
)
_MARKING = regex(r" (?:ecn|max-threshold|probability-percentage) ")
_PORT = regex(r"interface [A-Za-z]+GigE ?(?P<rack>\d+)/(?P<slot>\d+)/")


def list_quoted(line: str, heads: Sequence[str]) -> Iterator[tuple[str, str]]:
    r"""Yield the class of a policy as `queuing`, the words of a PFC profile, and the location of a port.

    Thresholds stand in either: behind `random_detect`, a word of policies alone, or in the profile.

    A router of fixed ports, which count as slot 0, has its profile at the location of its processor.

    >>> dict(list_quoted("random-detect ecn", ["policy-map OUT", "class TC3"]))
    {'queuing': 'policy-map OUT\n  class TC3', 'random_detect': 'random-detect'}
    >>> list(list_quoted("class TC3", ["policy-map OUT"])) == list(list_quoted("no", ["policy-map OUT", "class TC3"]))
    True
    >>> for name, words in list_quoted("buffer-extended traffic-class 3 headroom 7 ecn 5 ms", ["hw-module"]):
    ...     print(f"{name}:{words}")
    pause_profile:hw-module
    pause_buffer:buffer-extended
    reload:the profile takes effect when its card is loaded again
    before_ecn:buffer-extended traffic-class 3 headroom 7
    before_headroom:buffer-extended traffic-class 3
    behind_headroom: ecn 5 ms
    >>> [dict(list_quoted("mtu 9000", [f"interface FourHundredGigE0/{slot}/0/1"])) for slot in (0, 3)]
    [{'location': '0/RP0/CPU0'}, {'location': '0/3/CPU0'}]
    """
    if heads and heads[0].startswith(_POLICY):
        blocks = [*heads, line] if line.startswith("class ") else heads
        yield "queuing", "\n".join(f"{'  ' * depth}{head}" for depth, head in enumerate(blocks))
        yield "random_detect", "random-detect"
    buffer, port = _BUFFER.fullmatch(line), _PORT.match(heads[0] if heads else line)
    if buffer and (buffer["head"] or heads):
        yield "pause_profile", buffer["head"] or heads[0]
        yield "pause_buffer", buffer["kind"]
        yield "reload", "the profile takes effect when its card is loaded again"
        yield "before_ecn", _MARKING.split(line.removeprefix(f"{buffer['head']} "))[0]
        if buffer["behind"] is not None:
            yield "before_headroom", buffer["before"]
            yield "behind_headroom", buffer["behind"]
    if port:
        yield "location", f"{port['rack']}/{port['slot'] if int(port['slot']) else 'RP0'}/CPU0"
