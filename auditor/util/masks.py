"""Addresses whose owner hid a part."""

from auditor.util.regex import regex

_HIDDEN = regex(r"[xX*#]+")
ADDRESS = r"[0-9A-Fa-f]{0,4}:[0-9A-Fa-f:.xX*#]{1,44}"
"""A GID; all but its first group may be hidden, which names the kind of the address."""


def unmask(address: str) -> str:
    """Return *address* with zeros for what its owner hid: its kind stays.

    >>> unmask("fe80:0000:0000:0000:xxxx:xxxx:xxxx:xxxx"), unmask("::ffff:10.x.xx.***")
    ('fe80:0000:0000:0000:0:0:0:0', '::ffff:10.0.0.0')
    """
    return _HIDDEN.sub("0", address)
