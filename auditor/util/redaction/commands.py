"""Commands that hold a secret: the words of a line, matched with a table of forms, word by word.

The table is `command_forms.txt`. A form is tried where its first word stands and reads a bounded number of words, so
that the time is linear in the line.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from fnmatch import translate
from functools import cache, lru_cache
from importlib.resources import files

from auditor.util.redaction.names import is_description, is_random, is_secret_name
from auditor.util.redaction.spans import Span, is_mark, word_set
from auditor.util.redaction.values import is_bgp_community, is_no_secret, trim
from auditor.util.regex import regex
from auditor.util.values import dataclass

_WORD = regex(
    r"""(?P<text>"{3}[^"]*+"{3}|"(?>(?:[^"\\]++|\\.)*)(?>"[^\s"]*+|)|'[^']*+(?>'[^\s']*+|)"""
    r"""|\\"(?>(?:[^"\\]++|\\[^"])*)(?>\\"|)|[^\s"'\[({]\S*+|(?<![\[({])[\[({]++(?=\s|$))"""
)
_LONGEST_GAP = 16
_HOW = regex(
    r"\d{1,2}|8a|level|sha-?\d{1,3}|encrypted|encoded|hashed|hash|plain-text|clear-text|cleartext|clear|plain|local|remote"
    r"|(?:irreversible-)?cipher(?:text)?|plaintext|simple|ascii-text|ascii|hexadecimal|hex|text|value|key-string|use-7|md5"
    r"|is|data|\*|hmac[\w-]*|sha\d?[\w-]*|keyed[\w-]*|pass-phrase|raw-key|secure-string|set-key|rfc2453|usual|common|type|cmac[\w-]*|=|:|option|user|username"
)
_ALG = regex(
    r"(?:md5|sha|hmac|aes|3?des|sm[34]|simple|m-md5|m-sha1|keyed|cmac|gca|ah-md5|plain|usm|hexadecimal)[\w()-]*",
    re.IGNORECASE,
)
_ALGORITHM = regex(
    r"(?:(?:aes|3?des|arcfour|rc4|chacha|blowfish|camellia|sm4|null|suite|ecdhe?|dhe|rsa|tls)[\w+@.-]*+|all|any|strong|weak"
    r"|(?:authentication|privacy)-mode)"
)
"""What stands behind `cipher` where algorithms are listed."""
_NUMBER = regex(r"\d{1,10}")
_KEYWORD = regex(r"[-/$]{0,2}[\w.-]+")
_PROMPT = regex(r"\S{0,80}[$#>%]|no|undo|set|delete|[-!#]|sudo|do")
_OPERATORS = word_set("| || && & ; > < >> << <<< { } [ ] ( ) \\ - -- !")
_STOP_WORDS = word_set(
    "for of and or in to the a an from with is was are be if not by on at as it its this that no yes has have had can"
    " may must will required user-defined again already authentication none only per prompt before after when wrong"
    " incorrect valid invalid expired reset changed missing empty set unset read write notify context access match"
    " attribute ring rotation server client port vrf use-vrf chain profile bucket table type-6 permit deny aes sha"
    " aes128 aes192 aes256 aes-128 aes-192 aes-256 des 3des md5 rsa dsa ecdsa ecc ecdh source-interface udp-port"
    " version traps informs trap management filter-vrf acl inform interface loopback mgmt secret-data /* */ ##"
    " config-key /add /domain /delete"
)
"""Words after a keyword that are no secret."""
_KEY = regex(r"[\w.-]{1,64}[\"'] ?:")
_WEAK = word_set("token tokens pass pwd pw community communities cookie credential credentials passcode webhook bearer")
"""Words of other trades as well: what follows must read like a generated secret."""
_WEAK_OPTIONS = frozenset({"--cookie", "--key", "--override_key", "--override-key", "-key", "/key"})
"""The same for options."""
_VERBS = word_set("get describe delete edit label annotate patch explain")
"""Words of `kubectl` before a kind of objects, whose names follow."""
_AFTER_SECRET = word_set("role priv-lvl privilege | && ;")
_LAST = "encrypted"
"""The word after a secret that says how it is written; before a secret it stands with a word behind it."""
_LETTER = regex(r"-[A-Za-z]\*?")
"""An option of one letter, in which capital and small letters differ."""
_WILDCARDS = frozenset("*?[")
_FREE_TEXT = frozenset({"description", "remark", "descr", "comment", "rem", "banner", "contact", "location"})


@dataclass(frozen=True, slots=True)
class _Token:
    """A word: its bounds without quotes and what closes a statement, its text, and the same in lower case."""

    start: int
    end: int
    text: str
    lower: str


_Test = Callable[[_Token], bool]


_TESTS: dict[str, _Test] = {
    "_": lambda _: True,
    "#": lambda token: _NUMBER.fullmatch(token.text) is not None,
    "ALG": lambda token: _ALG.fullmatch(token.text) is not None,
    "NAME": lambda token: is_secret_name(token.text),
}


@dataclass(frozen=True, slots=True)
class _Form:
    """A form; `steps` are names of steps, or a test for one word."""

    steps: tuple[str | _Test, ...]
    optional: frozenset[int]
    at_start: bool


def find_commands(line: str) -> Iterator[Span]:
    """Yield the secrets in the words of *line*, and in the words of commands that stand in quotes in it."""
    tokens = _split(line)
    yield from _find_in_words(line, tokens)
    for token in tokens:
        if " " in token.text and token.start and line[token.start - 1] in "\"'":
            yield from _find_in_words(line, _split(line, token.start, token.end))


def _find_in_words(line: str, tokens: Sequence[_Token]) -> Iterator[Span]:
    start = next((i for i, token in enumerate(tokens) if not _PROMPT.fullmatch(token.lower)), 0)
    is_free = bool(tokens) and tokens[start].lower in _FREE_TEXT
    for index, token in enumerate(tokens):
        if is_free and index > start:
            yield from _find_after_word(line, tokens, index, is_free=True)
            continue
        for form in _list_forms(token.text, token.lower):
            if not form.at_start or index == start:
                yield from _match(form, line, tokens, index)
        yield from _find_after_word(line, tokens, index, is_free=False)


@lru_cache(maxsize=4096)
def _list_forms(text: str, lower: str) -> tuple[_Form, ...]:
    """Return the forms that may begin with a word: most words begin none."""
    exact, others = _forms()
    token = _Token(0, len(text), text, lower)
    fitting = (form for form in others if isinstance(form.steps[0], str) or 0 in form.optional or form.steps[0](token))
    return (*exact.get(lower, ()), *fitting)


def _find_name(word: str) -> str:
    """Return the name of a program without its folder and its ending; another word stays."""
    name = word.removesuffix(".exe")
    return name.rpartition("/")[2] if name.startswith("/") and name.count("/") > 1 and "//" not in name else name


def _split(line: str, begin: int = 0, stop: int | None = None) -> list[_Token]:
    tokens = []
    for match in _WORD.finditer(line, begin, len(line) if stop is None else stop):
        start, end = trim(line, *match.span("text"))
        text = line[start:end] if end > start else match["text"]
        tokens.append(_Token(start, max(start, end), text, _find_name(text.lower())))
    return tokens


def _find_after_word(line: str, tokens: Sequence[_Token], index: int, *, is_free: bool) -> Iterator[Span]:
    """Yield what follows a secret word (`password 7 @`) or a secret option (`--api-key @`)."""
    token = tokens[index]
    word = token.lower
    if not _is_keyword(token) or (_closes(line, token) and not word.startswith("-")):
        return
    if word[:1] in {"-", "/"} and index + 1 < len(tokens):
        value = tokens[index + 1]
        if is_random(value.text) or (value.text[:1] != "-" and word not in _WEAK_OPTIONS):
            yield from _hide(line, value)
        return
    if index and word in {"secret", "secrets"} and tokens[index - 1].lower in _VERBS:
        return
    at = _skip_how(tokens, index + 1)
    if word.endswith("passwd") and at < len(tokens) and tokens[at].text.startswith("-"):
        return  # a program and its option
    if at < len(tokens) and not _is_setting(tokens[at]) and not _is_key(line, tokens[at]):
        is_weak = is_free or word in _WEAK
        if not is_weak or is_random(tokens[at].text):
            yield from _hide(line, tokens[at])


_LONGEST_WORD = 64


def _is_keyword(token: _Token) -> bool:
    """Return whether *token* is a secret word or a secret option."""
    word = token.lower
    if len(word) > _LONGEST_WORD or not _KEYWORD.fullmatch(word):
        return False
    return word in _WEAK_OPTIONS or is_secret_name(token.text.lstrip("-/$"))


def _closes(line: str, token: _Token) -> bool:
    """Return whether a statement ends right after *token*."""
    return line[token.end : token.end + 1] in {";", ")"} or line[token.end : token.end + 2] in {'")', '";', "';"}


def _is_key(line: str, token: _Token) -> bool:
    """Return whether *token* is a key of JSON, which is no value of the word before it: `"name": "KEY", "value": 1`."""
    return line[max(0, token.start - 1) : token.start] in {'"', "'"} and _KEY.match(line, token.start) is not None


def _is_setting(value: _Token) -> bool:
    lower = value.lower
    return (
        lower in _STOP_WORDS
        or lower in _OPERATORS
        or (is_description(lower) and not is_random(value.text))
        or (is_secret_name(lower) and not is_random(value.text))
    )


def _skip_how(tokens: Sequence[_Token], at: int) -> int:
    """Return the index of the first word after *at* that does not say how a secret is written."""
    end = min(len(tokens), at + _LONGEST_GAP)
    while at + 1 < end and _HOW.fullmatch(tokens[at].lower):
        following = tokens[at + 1].lower
        if following in _AFTER_SECRET or (following == _LAST and at + 2 == len(tokens)):
            break
        at += 1
    return at


def _match(form: _Form, line: str, tokens: Sequence[_Token], index: int) -> Iterator[Span]:
    """Yield the secrets of *form*, if the words from *index* on are of this form."""
    found: list[Span] = []
    at = index
    is_gap = False
    for number, step in enumerate(form.steps):
        if step == "..":
            is_gap = True
        elif step == "HOW":
            at = _skip_how(tokens, at)
        elif at >= len(tokens) and step != "PASTED":
            if number not in form.optional:
                return
        elif step in {"@", "@?", "@!", "PASTED"}:
            spans = _take(str(step), line, tokens, at)
            if spans is None:
                return
            found += spans
            at += 1
        elif not isinstance(step, str):
            place = _seek(step, tokens, at, _LONGEST_GAP if is_gap else 1)
            if place is None and number not in form.optional:
                return
            at = at if place is None else place + 1
            is_gap = False
    yield from found


def _seek(test: _Test, tokens: Sequence[_Token], at: int, most: int) -> int | None:
    return next((i for i in range(at, min(len(tokens), at + most)) if test(tokens[i])), None)


def _take(step: str, line: str, tokens: Sequence[_Token], at: int) -> list[Span] | None:
    """Return the span of the secret at a word; None if the word is none."""
    if step == "PASTED":
        return _take_pasted(tokens[at - 1])
    value = tokens[at]
    lower = value.lower
    if lower in _STOP_WORDS or lower in _OPERATORS or lower.startswith(("/user:", "/persistent:", "\\\\")):
        return None
    is_algorithm = _ALGORITHM.fullmatch(lower) is not None
    is_doubtful = step == "@?" or is_description(lower) or is_algorithm
    if (is_doubtful and not is_random(value.text)) or (step == "@?" and is_algorithm):
        return None
    if step == "@!" and _NUMBER.fullmatch(value.text):
        return None
    return list(_hide(line, value))


def _take_pasted(word: _Token) -> list[Span]:
    """Return the span of the secret in a word such as -pSECRET, user%SECRET or key=SECRET."""
    cut = max(map(word.text.find, "%=,")) + 1
    if word.text[:1] in {"-", "/"}:
        cut = 3 if word.text[2:3] == ":" else 2
    rest = word.text[cut:].strip("'\"")
    return [] if is_mark(rest) else [Span(word.start + cut, word.end)]


def _hide(line: str, value: _Token) -> Iterator[Span]:
    """Yield the span of a word that holds a secret; of `user:secret`, too."""
    if is_no_secret(value.text) or is_bgp_community(value.text) or value.end <= value.start:
        return
    if not is_mark(line[value.start : value.end]):
        yield Span(value.start, value.end)


@cache
def _forms() -> tuple[dict[str, tuple[_Form, ...]], tuple[_Form, ...]]:
    """Return the forms by their first words, and those whose first word is a pattern."""
    exact: dict[str, list[_Form]] = {}
    others: list[_Form] = []
    text = files("auditor.util.redaction").joinpath("command_forms.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        words = line.split()
        at_start = words[0] == "^"
        words = words[at_start:]
        form = _compile(words, at_start=at_start)
        firsts = words[0].split("|") if words[0] != "|" else ["|"]
        if words[0] == "NAME" or any("*" in first for first in firsts):
            others.append(form)
        else:
            for first in firsts:
                exact.setdefault(first.lower(), []).append(form)
    return {word: tuple(forms) for word, forms in exact.items()}, tuple(others)


def _compile(words: Sequence[str], *, at_start: bool) -> _Form:
    steps = tuple(_compile_step(word.strip("[]") if len(word) > 1 else word) for word in words)
    optional = frozenset(number for number, word in enumerate(words) if word.startswith("[") and len(word) > 1)
    return _Form(steps, optional, at_start)


def _compile_step(word: str) -> str | _Test:
    if word in {"@", "@?", "@!", "..", "HOW", "PASTED"}:
        return word
    if word in _TESTS:
        return _TESTS[word]
    parts = [word] if word == "|" else word.split("|")
    is_cased = any(_LETTER.fullmatch(part) for part in parts)
    accepts = _compile_alternatives(parts if is_cased else [part.lower() for part in parts])
    return (lambda token: accepts(token.text)) if is_cased else (lambda token: accepts(token.lower))


def _compile_alternatives(parts: Sequence[str]) -> Callable[[str], bool]:
    """Return the test for a word that is one of *parts*, which may have wildcards."""
    whole = frozenset(part for part in parts if not _WILDCARDS.intersection(part))
    if len(whole) == len(set(parts)):
        return whole.__contains__
    pattern = re.compile("|".join(f"(?:{translate(part)})" for part in parts if part not in whole))
    return lambda word: word in whole or pattern.fullmatch(word) is not None
