"""Many signs sought in a text at once."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_PLAIN = re.UNICODE | re.MULTILINE
_PART = re.compile(r"\\.|\[\^?\]?(?:[^\]\\]|\\.)*\]|[()|]|[^\\\[()|]+", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Signs:
    """Patterns one of which is in a text just where one of the signs is that they were made of."""

    patterns: tuple[re.Pattern[str], ...]

    def are_in(self, text: str) -> bool:
        """Return whether one of the signs is in *text*."""
        return any(pattern.search(text) for pattern in self.patterns)


def join_signs(signs: Iterable[re.Pattern[str]]) -> Signs:
    r"""Return *signs* as few patterns: those at the start of a line are one, tried once a line and not once a sign.

    A sign with groups or other flags stays as it is.

    >>> found = join_signs([re.compile("^hostname |^feature [a-z]", re.MULTILINE), re.compile("^vlan", re.MULTILINE)])
    >>> [each.pattern for each in found.patterns], found.are_in("!\nfeature qos"), found.are_in("! vlan")
    (['^(?:hostname |feature [a-z]|vlan)'], True, False)
    """
    starts: list[str] = []
    others: list[re.Pattern[str]] = []
    for sign in signs:
        if sign.groups or sign.flags != _PLAIN:
            others.append(sign)
            continue
        parts = list(split_alternatives(sign.pattern))
        starts += [part[1:] for part in parts if part.startswith("^")]
        rest = [part for part in parts if not part.startswith("^")]
        others += [re.compile("|".join(rest), sign.flags)] if rest else []
    return Signs((*([re.compile(f"^(?:{'|'.join(starts)})", _PLAIN)] if starts else []), *others))


def split_alternatives(source: str) -> Iterator[str]:
    r"""Yield the alternatives of a regular expression, those within a group apart.

    >>> list(split_alternatives(r"^a(?:b|c)|[|)]\||d"))
    ['^a(?:b|c)', '[|)]\\|', 'd']
    """
    depth, begin = 0, 0
    for part in _PART.finditer(source):
        depth += (part[0] == "(") - (part[0] == ")")
        if part[0] == "|" and not depth:
            yield source[begin : part.start()]
            begin = part.end()
    yield source[begin:]
