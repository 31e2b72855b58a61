"""File names: foreign files, printable names, reasons of errors."""

import errno
from pathlib import Path, PurePosixPath

from auditor.util.regex import regex

URL = regex(r"(?:s3|gs|file|memory)://")
"""The beginning of a path that is no file of this machine's."""
MAX_DEPTH = 32  # folders within folders: a deeper tree is an accident or an attack, and would exhaust the call stack
CACHE_FOLDER = ".roce-audit-cache"
"""The folder of the cache."""
PULL_FOLDER = ".roce-audit-pull"
"""The folder of a pull that runs or was killed: replaced and unfinished folders of devices, and `PULL_LIST`."""
PULL_LIST = "devices.txt"
"""The devices of that pull, one name a line."""
PULL_OLD, PULL_NEW = ".old", ".new"
"""Endings of a device's replaced and unfinished folder."""

_SUFFIXES = {
    "image": ".png .jpg .jpeg .gif .bmp .svg .webp .ico",
    "document": ".pdf .md .rst .html .htm .doc .docx .xls .xlsx .ppt .pptx .vsdx",
    "program": ".py .pyc .pyo .js .css .so .o .a .exe .dll .ko",
    "packet capture": ".pcap .pcapng",
    "secret": ".pem .key .crt .cer .pfx .p12 .jks .keytab .kdbx",
    "archive of a kind that is not read": ".gz .xz .bz2 .zst .7z .rar .deb .rpm .whl .jar .iso",
}
_NOT_DUMPS = {suffix: what for what, suffixes in _SUFFIXES.items() for suffix in suffixes.split()}
_DOCUMENTS = frozenset({"README", "LICENSE", "LICENCE", "COPYING", "NOTICE", "CHANGELOG", "AUTHORS"})
_LISTS = frozenset({"router.db", "routers.all", "routers.db", "routers.down", "routers.up"})
"""Lists of RANCID and Oxidized; that of Oxidized may hold passwords."""
_DUMPS = frozenset({*(".cfg", ".conf", ".config", ".json", ".log", ".out", ".set", ".txt", ".xml", ".yaml", ".yml")})
_TOOL_FOLDERS = frozenset({"__pycache__", "__MACOSX", "node_modules"})
_SECRETS = frozenset({"shadow", "shadow-", "gshadow", "gshadow-", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519"})


def explain_odd_name(name: str) -> str:
    """Return the reason to skip a file or folder of this name, or an empty text."""
    return "hidden" if name.startswith(".") else "folder of a tool" if name in _TOOL_FOLDERS else ""


def explain_no_dump(name: str) -> str:
    """Return the kind of a foreign file by its name, empty for a possible dump."""
    path = PurePosixPath(name)
    if path.name in _SECRETS:
        return "secret"
    if path.name in _LISTS:
        return "list of devices"
    return "document" if path.stem.upper() in _DOCUMENTS else _NOT_DUMPS.get(path.suffix.lower(), "")


def strip_suffix(name: str) -> str:
    """Return the name of a file without the suffix of a dump, if it has one: a name may be that of a host.

    >>> strip_suffix("leaf1.cfg"), strip_suffix("leaf1.example.net")
    ('leaf1', 'leaf1.example.net')
    """
    path = PurePosixPath(name)
    return path.stem if path.suffix.lower() in _DUMPS else name


def is_secret(name: str) -> bool:
    """Return whether a file of this name holds secrets, and is never opened."""
    return explain_no_dump(name) == "secret"


def is_repository(folder: Path) -> bool:
    """Return whether *folder* is the folder of git's own files."""
    return folder.name == ".git" and (folder / "HEAD").is_file() and (folder / "objects").is_dir()


def is_repeat(name: str, seen: set[str]) -> bool:
    """Return whether *seen* has *name* already, and add *name*."""
    known = name in seen
    seen.add(name)
    return known


def escape_name(path: str | Path) -> str:
    """Return *path* with unprintable characters escaped, such as line ends and terminal escapes."""
    name = str(path)
    if name.isprintable():
        return name
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in name)


def format_reason(error: Exception) -> str:
    """Return the text of *error* as the beginning of a message."""
    if getattr(error, "errno", None) == errno.ELOOP or "Symlink loop" in str(error):
        return "symlink loop"
    reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return escape_name(reason[0].lower() + reason[1:])
