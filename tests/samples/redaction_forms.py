"""The forms of secrets and their look-alikes, from the tables in `secret_forms/`, with chance in names and spacing."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

FOLDER = Path(__file__).with_name("secret_forms")
HALVES = ("first_half.txt", "second_half.txt", "third_part.txt", "fourth_part.txt")
_CHOICE = re.compile(r"\[\[(?P<choice>[^\[\]]*)\]\]")
_SECRET = re.compile(r"(?<!\\)@")
_NAMES = ("ops7", "leaf-admin", "SPINES", "mon_1", "Ethernet1", "svc.backup")
_ALPHABETS = (
    "abcdefghijklmnopqrstuvwxyz0123456789",
    "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789",
    "0123456789abcdef",
    "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789._+-!*~^",
)
LEAST_LEAK = 8
"""Characters of a secret in a row that count as a leak."""


@dataclass(frozen=True)
class Form:
    """A line, or several, in which `@` is a secret."""

    dialect: str
    template: str


@dataclass(frozen=True)
class Example:
    """A form with everything chosen: its text, and the secrets in it."""

    text: str
    secrets: tuple[str, ...]


def read_forms(file: str) -> list[Form]:
    """Return the forms of one table."""
    forms = []
    dialect = ""
    for line in (FOLDER / file).read_text(encoding="utf-8").splitlines():
        if re.fullmatch(r"\[[a-z_0-9]+\]", line):
            dialect = line.strip("[]")
        elif line.strip() and not line.startswith("# "):
            forms.append(Form(dialect, line))
    return forms


def combine_names() -> Iterator[Form]:
    """Yield each secret name with each sign, plain and quoted, as forms of every dialect."""
    names, signs = (FOLDER / "names.txt").read_text(encoding="utf-8").split("[signs]\n")
    for name in names.splitlines():
        for sign in signs.splitlines():
            for quote in ("", '"', "'"):
                if not name.startswith("# "):
                    yield Form("every", f"{name}{sign}{quote}@{quote}")


def read_lookalikes() -> list[str]:
    """Return the texts that redaction does not change."""
    lines = (FOLDER / "lookalikes.txt").read_text(encoding="utf-8").splitlines()
    return [_unescape(line) for line in lines if line and not line.startswith("# ")]


def make_secret(random: Random) -> str:
    """Return a random secret without a quote, a space, or a character that ends a value."""
    alphabet = _ALPHABETS[random.randrange(len(_ALPHABETS))]
    middle = "".join(alphabet[random.randrange(len(alphabet))] for _ in range(random.randrange(12, 28)))
    return f"{alphabet[random.randrange(6)]}{random.randrange(10)}{middle}{alphabet[random.randrange(6)]}"


def choose(form: Form, random: Random) -> Example:
    """Return an example of *form*."""
    text = _CHOICE.sub(lambda match: _choose_word(match["choice"], random), form.template)
    text = _SECRET.sub("\0", text).replace("\\@", "@")
    secrets = []
    while "\0" in text:
        secrets.append(make_secret(random))
        text = text.replace("\0", secrets[-1], 1)
    return Example(_unescape(_space(text, random)), tuple(secrets))


def list_leaks(shown: str, example: Example) -> list[str]:
    """Return the secrets of which `LEAST_LEAK` characters in a row are in *shown*."""
    return [
        secret
        for secret in example.secrets
        if any(secret[start : start + LEAST_LEAK] in shown for start in range(len(secret) - LEAST_LEAK + 1))
    ]


def _choose_word(choice: str, random: Random) -> str:
    if choice == "name":
        return random.choice(_NAMES)
    if choice == "n":
        return str(random.randrange(1, 100))
    if choice == "ip":
        return f"10.{random.randrange(256)}.{random.randrange(256)}.{random.randrange(1, 255)}"
    return random.choice(choice.split("|"))


def _space(text: str, random: Random) -> str:
    """Return *text* with more spaces between the words of a command; quoted text and YAML stay."""
    if '"' in text or "'" in text or "\\n" in text or random.random() < 0.5:
        return text
    body = text.lstrip(" ")
    indent = text[: len(text) - len(body)]
    return indent + re.sub(" ", lambda _: " " * random.choice((1, 1, 1, 2, 3)), body)


def _unescape(text: str) -> str:
    return text.replace("\\\\", "\1").replace("\\n", "\n").replace("\\t", "\t").replace("\1", "\\")
