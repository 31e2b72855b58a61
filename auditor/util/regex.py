"""Regular expressions that are compiled when they are first used: a run uses a third of those that modules define."""

import re
from typing import TYPE_CHECKING, Any

__all__ = ["LateRegex", "regex"]

_COMPILED = (
    *("match", "fullmatch", "search", "finditer", "findall", "split", "sub", "subn"),
    *("groups", "groupindex", "scanner"),
)
"""What a compiled pattern has beside its source and its flags."""
_ASCII, _UNICODE = re.ASCII.value, re.UNICODE.value
_INLINE = re.compile(r"\(\?[aiLmsux]+\)")


class LateRegex:
    """A regular expression; its methods are those of the compiled pattern, and the first use of one tells wrong syntax.

    >>> word = LateRegex("[a-z]+")
    >>> word.findall("one two"), word == LateRegex("[a-z]+")
    (['one', 'two'], True)
    """

    __slots__ = ("_given", *_COMPILED)

    def __init__(self, source: str, flags: int = 0) -> None:
        self._given = source, int(flags)

    @property
    def pattern(self) -> str:
        """The source."""
        return self._given[0]

    @property
    def flags(self) -> int:
        """The flags, with those that the source gives."""
        source, flags = self._given
        is_plain = not flags & _ASCII and not _INLINE.match(source)
        return flags | _UNICODE if is_plain else self.compile().flags

    def compile(self) -> re.Pattern[str]:
        """Return the compiled pattern."""
        return re.compile(*self._given)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  what the pattern has
        if name not in _COMPILED:
            raise AttributeError(name)
        compiled = self.compile()
        for each in _COMPILED:
            setattr(self, each, getattr(compiled, each))
        return getattr(compiled, name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LateRegex) and self._given == other._given

    def __hash__(self) -> int:
        return hash(self._given)

    def __repr__(self) -> str:
        return repr(self.compile())

    def __reduce__(self) -> tuple[type, tuple[str, int]]:
        return LateRegex, self._given


if TYPE_CHECKING:
    from re import compile as regex
else:
    regex = LateRegex
