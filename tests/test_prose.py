"""Texts use plain words, and no function, class or module has a participle for a name.

`BANNED` holds each banned word with the plain one. `prose_allow_list.txt` holds the places that break the rules still;
the list only shrinks: `python tests/test_prose.py` removes the entries that are no longer needed.
"""

import argparse
import ast
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
import yaml

from auditor.cli.commands import COMMANDS

ROOT = Path(__file__).parent.parent
ALLOW_LIST = Path(__file__).with_name("prose_allow_list.txt")

BANNED = {
    r"mend(s|ed|ing)?": "fix",
    r"nobody|somebody|someone": "no device, no user, a device: name the actor",
    r"whoever": "the author, the reader: name the actor",
    r"whose intent and ignores": "take intent and ignores from head or base",
    r"told": "configured, reported, known",
    r"(ways to |to )live with": "suppress",
    r"what leads (down|up)": "downlinks, uplinks",
    r"is in itself": "contains itself",
    r"expected it to end by itself": "crashed",
    r"otherwise than": "differs from, contradicts",
    r"(has|have) (a|no) say|gives? it no say": "has an effect, has no effect",
    r"worked out": "computed",
    r"anew": "again",
    r"as often as (wanted|you like)": "may be repeated",
    r"neither use nor keep": "do not read or write",
    r"take every dump for": "treat every input as",
    r"in force": "active",
    r"the same later": "the newer folder",
    r"on no page": "not documented",
    r"without a word": "silently",
    r"none the worse": "not affected",
    r"it is none|and is none": "say the noun",
    r"what runs": "the running values",
    r"put (it|them) right|set (it|them) right": "correct",
    r"goes? astray": "leaves its class",
}
"""Banned words as patterns, with the plain word for each."""
WORDS = {plain: re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE) for pattern, plain in BANNED.items()}

IRREGULAR = (
    "built chosen drawn found given got hidden held kept known laid left lost made meant sent seen shown "
    "said spoken taken told understood unread written"
)
PARTICIPLES = frozenset(IRREGULAR.split())
REGULAR = re.compile(r"\w+[^e]ed")
NAMES_THAT_STAY = {
    "auditor/model/setting.py: Known": "a state of a value, as RFC 8342 and DESIGN.md name it",
    "auditor/model/setting.py: known": "returns a Known or raises Undetermined; every check reads it",
    "auditor/site.py: known": "the public contract of checks of a site",
}
"""Names by a participle that stay, with the reason."""


def words_of(name: str) -> list[str]:
    """Return the words of a name in snake_case or CamelCase, in lower case."""
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+", name)]


def is_participle(word: str) -> bool:
    """Return whether *word* is a past participle."""
    return word in PARTICIPLES or (REGULAR.fullmatch(word) is not None and word != "embed")


def without_code(markdown: str) -> str:
    """Return *markdown* without blocks and spans of code, and without the targets of links."""
    text = re.sub(r"^```.*?^```$", "", markdown, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`\n]*`|\]\([^)]*\)", "", text)


def newest(changelog: str) -> str:
    """Return the newest section of the change log."""
    return re.split(r"^## \[", changelog, flags=re.MULTILINE)[1]


def pages() -> Iterator[tuple[str, str]]:
    """Yield the pages for readers, each with its text."""
    docs = (path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "docs" / "pages").rglob("*.md")))
    for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", *docs):
        page = ROOT / name
        if page.is_file():
            text = page.read_text(encoding="utf-8")
            yield name, without_code(newest(text) if name == "CHANGELOG.md" else text)
    yield from generated_pages()


def generated_pages() -> Iterator[tuple[str, str]]:
    """Yield the pages of the site that the build makes, each with its text."""
    import site_build  # noqa: PLC0415  as a program, this file has to find it first

    for page in site_build.list_generated():
        if page.path.endswith(".md") and page.path not in site_build.ROOT_PAGES.values():
            yield page.path, without_code(re.sub(r"<code>.*?</code>", "", page.text))


def rule_texts() -> Iterator[tuple[str, str]]:
    """Yield the sentences and the remedies of rules, presets and field faults; examples are dumps."""
    for path in sorted((ROOT / "rules").rglob("*.yaml")):
        document = yaml.safe_load(path.read_text(encoding="utf-8"))
        place = path.relative_to(ROOT).as_posix()
        for key in ("summary", "why", "decided", "remedy"):
            value = document.get(key, "")
            yield place, "\n".join(value.values()) if isinstance(value, dict) else value
        for fault in document.get("faults", ()):
            yield place, "\n".join(str(fault.get(key, "")) for key in ("name", "part", "needs", "never"))


def helps() -> Iterator[tuple[str, str]]:
    """Yield the help of every command."""
    for name, purpose, add in COMMANDS:
        parser = argparse.ArgumentParser(prog=f"roce-audit {name}", description=purpose)
        add(parser)
        yield f"roce-audit {name} --help", parser.format_help()


@cache
def modules() -> Mapping[str, ast.Module]:
    """Return the modules of the program by path."""
    files = sorted((ROOT / "auditor").rglob("*.py"))
    return {path.relative_to(ROOT).as_posix(): ast.parse(path.read_text(encoding="utf-8")) for path in files}


def docstrings() -> Iterator[tuple[str, str]]:
    """Yield the first line of every docstring."""
    for place, module in modules().items():
        for node in ast.walk(module):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                name = getattr(node, "name", "")
                yield f"{place}: {name}".rstrip(": "), (ast.get_docstring(node) or "").partition("\n")[0]


def banned_words() -> Iterator[str]:
    """Yield each banned word as `PLACE: WORD`."""
    for texts in (pages(), rule_texts(), helps(), docstrings()):
        for place, text in texts:
            flat = " ".join(text.split())
            yield from (f"{place}: {found[0].lower()}" for word in WORDS.values() for found in word.finditer(flat))


def is_property(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether *function* is a property, whose name may be an adjective."""
    names = {node.id for node in function.decorator_list if isinstance(node, ast.Name)}
    return bool(names & {"property", "cached_property"})


def participle_names() -> Iterator[str]:
    """Yield each function, class and module that a participle names, as `MODULE: NAME`."""
    for place, module in modules().items():
        if is_participle(words_of(Path(place).stem)[-1]):
            yield f"{place}: {Path(place).stem}"
        for node in ast.walk(module):
            if isinstance(node, ast.ClassDef) and is_participle(words_of(node.name)[-1]):
                yield f"{place}: {node.name}"
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not is_property(node):
                first = (words_of(node.name) or [""])[0]
                if is_participle(first):
                    yield f"{place}: {node.name}"


@cache
def violations() -> frozenset[str]:
    """Return all places that break the rules, as lines of the allow-list."""
    names = (f"name: {name}" for name in participle_names() if name not in NAMES_THAT_STAY)
    return frozenset({*(f"word: {word}" for word in banned_words()), *names})


def allowed() -> frozenset[str]:
    """Return the entries of the allow-list."""
    lines = ALLOW_LIST.read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if line and not line.startswith("#"))


def test_no_text_has_a_banned_word_and_no_name_is_a_participle() -> None:
    assert sorted(violations() - allowed()) == []


def test_the_allow_list_only_shrinks() -> None:
    """An entry without a violation goes: `python tests/test_prose.py`."""
    assert sorted(allowed() - violations()) == []


def test_names_that_stay_are_there() -> None:
    assert set(NAMES_THAT_STAY) <= set(participle_names())


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("how to mend it", "mend"),
        ("Nobody looks there.", "Nobody"),
        ("a cable longer than the switch is told", "told"),
        ("ways to live with a finding", "ways to live with"),
        ("the group 'x' is in itself", "is in itself"),
        ("no no-drop class is in force", "in force"),
        ("recommended", ""),
        ("an amendment of the standard", ""),
        ("reinforced", ""),
    ],
)
def test_words_are_found_whole(text: str, word: str) -> None:
    found = [match[0] for pattern in WORDS.values() for match in pattern.finditer(text)]
    assert found == ([word] if word else [])


@pytest.mark.parametrize(
    ("name", "words", "last_is_participle"),
    [
        ("told", ["told"], True),
        ("_judged_by", ["judged", "by"], False),
        ("SeenPort", ["seen", "port"], False),
        ("Reported", ["reported"], True),
        ("parse_speed", ["parse", "speed"], False),
        ("LLDPNeighbour", ["lldp", "neighbour"], False),
    ],
)
def test_names_fall_into_words(name: str, words: list[str], last_is_participle: bool) -> None:
    assert words_of(name) == words
    assert is_participle(words[-1]) is last_is_participle


def test_code_is_no_prose() -> None:
    assert without_code("a `told` b [c](told.md)\n```text\ntold\n```\nd").split() == ["a", "b", "[c", "d"]


def write_allow_list() -> None:
    """Write the allow-list without the entries that are no longer needed."""
    head = [line for line in ALLOW_LIST.read_text(encoding="utf-8").splitlines() if line.startswith("#")]
    ALLOW_LIST.write_text("\n".join([*head, *sorted(allowed() & violations())]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "docs" / "hooks"))
    write_allow_list()
