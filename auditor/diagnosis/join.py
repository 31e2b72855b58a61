"""Several remedies for one device as one."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from auditor.util.regex import regex

_WAY = regex(r"^(?:nv )?(?:no|undo|default|set|unset|delete) ")
"""The word by which a line sets something or takes it back."""


def join_remedies(texts: Sequence[str]) -> str:
    r"""Return remedies for one device as one: what they have alike stands once, what they end with alike at the end.

    What another block of the same head may have taken back in between is typed again.

    >>> print(join_remedies(["class A\nport 1\n  x\ncommit", "class A\nport 2\n  x\ncommit"]))
    class A
    port 1
      x
    port 2
      x
    commit
    """
    listed = [list(_split_blocks(text)) for text in texts]
    ended = [*takewhile(lambda alike: len(set(alike)) == 1, zip(*map(reversed, listed), strict=False))]
    last = [alike[0] for alike in reversed(ended)]
    begun = _drop_repeated(block for blocks in listed for block in blocks[: len(blocks) - len(last)])
    return "\n".join((*begun, *last))


def _drop_repeated(blocks: Iterable[str]) -> Iterator[str]:
    """Yield blocks without those that hold already: no other one of the same head stands behind their first place."""
    latest: dict[str, str] = {}
    for block in blocks:
        head = _WAY.sub("", block.partition("\n")[0])
        if latest.get(head) != block:
            yield block
            latest[head] = block


def _split_blocks(text: str) -> Iterator[str]:
    """Yield each line that is not indented with those below it."""
    block: list[str] = []
    for line in text.splitlines():
        if block and not line.startswith(" "):
            yield "\n".join(block)
            block = []
        if line.strip():
            block.append(line)
    if block:
        yield "\n".join(block)
