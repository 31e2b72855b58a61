"""Regular expressions mean the same on every Python that the package supports."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
_POSSESSIVE_GROUP = re.compile(r"(?<!\\)(?:\\\\)*\)(?:[*+?]|\{\{?\d*,?\d*\}?\})\+")
"""A group that is repeated and keeps what it took, such as `(?:ab)++` or, in an f-string, `(?:ab){{2,}}+`."""


def list_strings(path: Path) -> list[str]:
    """Return the constant strings of a module, parts of f-strings included; a file of another kind as one string."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        return [text]
    nodes = ast.walk(ast.parse(text))
    return [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]


def test_patterns_of_modules_are_compiled_when_they_are_used() -> None:
    early = []
    for path in (ROOT / "auditor").rglob("*.py"):
        if path.name != "regex.py" and path.relative_to(ROOT / "auditor").parts[0] != "integrations":
            early += [f"{path}:{line}" for line in list_early(ast.parse(path.read_text(encoding="utf-8")))]
    assert early == []


def list_early(node: ast.AST) -> Iterator[int]:
    """Yield the lines of `re.compile` that run when a module is imported."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Attribute) and ast.unparse(child) == "re.compile":
            yield child.lineno
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield from list_early(child)


def test_an_early_pattern_is_seen() -> None:
    source = "a = re.compile('a')\nclass B:\n    b = [re.compile('b')]\ndef c():\n    return re.compile('c')\n"
    assert list(list_early(ast.parse(source))) == [1, 3]


def test_no_group_is_repeated_possessively() -> None:
    """Python before 3.11.5 misreads `(?:ab)++` (cpython#106052); an atomic group `(?>(?:ab)+)` takes the same text."""
    files = [
        path for folder in ("auditor", "rules") for end in ("py", "yaml") for path in (ROOT / folder).rglob(f"*.{end}")
    ]
    texts = {path: list_strings(path) for path in files}
    assert any(re.search(r"\(\?>", text) for strings in texts.values() for text in strings)
    found = [(path, text) for path, strings in texts.items() for text in strings if _POSSESSIVE_GROUP.search(text)]
    assert found == []


def test_a_possessive_group_is_seen() -> None:
    seen = [r"(?:ab)++", r"(?:a|b)*+c", r"(-\s++)?+", r"(?:\d){2,}+", r"(?:\d){{0,63}}+"]
    assert all(map(_POSSESSIVE_GROUP.search, seen))
    assert not any(map(_POSSESSIVE_GROUP.search, [r"\s++", r"(?>(?:ab)+)", r"(a)\)++", r"[)]++", r"(?:a)+"]))
