"""Questions about paths that users and inputs name: the answer is no where the system refuses to look.

`Path.is_file` raises for a name that is too long and for a folder without permission; these functions do not. Whoever
opens the path next gets the reason, and `explain_encoding` puts one of Python's into words.
"""

import os

StrPath = str | os.PathLike[str]


def is_file(path: StrPath) -> bool:
    """Return whether *path* leads to a plain file.

    >>> is_file("x" * 5000), is_file(__file__)
    (False, True)
    """
    return os.path.isfile(path)  # noqa: PTH113  the method of Path raises


def is_folder(path: StrPath) -> bool:
    """Return whether *path* leads to a folder."""
    return os.path.isdir(path)  # noqa: PTH112  as above


def is_there(path: StrPath) -> bool:
    """Return whether *path* leads to anything."""
    return os.path.exists(path)  # noqa: PTH110  as above


def explain_encoding(error: UnicodeDecodeError) -> str:
    r"""Return why a file is no text, as the end of a message.

    >>> try:
    ...     b"a: \xff".decode()
    ... except UnicodeDecodeError as error:
    ...     explain_encoding(error)
    'wrong encoding at byte 4, expected UTF-8'
    """
    return f"wrong encoding at byte {error.start + 1}, expected UTF-8"
