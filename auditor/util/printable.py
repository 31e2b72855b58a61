"""What may be printed: dumps are hostile, and a name in one can hold what repaints a terminal."""


def printable(text: str) -> str:
    r"""Return *text* with tabs spread and every other character that cannot be printed replaced.

    >>> printable("leaf1\x1b[31m")
    'leaf1�[31m'
    """
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text.expandtabs(4))
