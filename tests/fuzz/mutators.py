"""Mutations of text by its structure: characters, words, numbers, lines, columns of tables, prompts."""

import re
from collections.abc import Callable, Sequence
from random import Random

from seeds import Material
from trees import mutate_tree

_WORD = re.compile(r"[^\s,;{}\[\]\"']+")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_GAP = re.compile(r" {2,}")
NUMBERS = (
    *("0", "-1", "1", "00", "007", "0x10", "1_000", "+5", "0.5", "1e3", "1e308", "1e400", "nan", "inf", "-inf", ""),
    *("7", "8", "15", "63", "64", "255", "256", "4095", "65536", "2147483648", "4294967295", "18446744073709551616"),
    *("9" * 20, "9" * 400, "1" + "0" * 400, "9" * 5000, "-" + "9" * 30, "3.", ".3", "1.2.3", "1/0", "0/0", "5%"),
    *("\u00b2", "\u0663", "\uff13", "\u2462", "\u0bf0", "\u4e09", "1\u00b2", "\u0661\u0662", "\U0001d7db", "\u00bd"),
)
"""Numbers at limits, and characters for which `str.isdigit`, `str.isdecimal`, `\\d` and `int` disagree."""
RANGES = (
    *("1-99999999", "0-1000000000", "1-4094", "5-1", "1-", "-1", "1-2-3", "1,2,,3", ",", "1-3,2-5", "0-63", "0-7,0-7"),
    *("1/1-99999999", "1/1/1-99999999", "1/1-4/99999999", "1-99999999/1-99999999", "1..1000000000", "0-0", "all", "*"),
    *("1-" + "9" * 30, "9" * 30 + "-" + "9" * 31, "Ethernet1/1-Ethernet1/99999999", "1 to 1000000000", "1:999999999"),
    *(",".join(map(str, range(2000))), ",".join(["1-4094"] * 500), "\u0661-\u0669", "1-\u00b2", "[1-99999999]"),
)
"""Ranges of interfaces, VLANs, priorities and code points that have many members, none, or no end."""
CHARACTERS = (
    *("\0", "\t", "\v", "\f", "\r", "\x1c", "\x85", "\xa0", "\u2028", "\u2029", "\u200b", "\ufeff", "\u202e", "\x1b[A"),
    *("\x1b]0;x\a", "\b", "\b" * 10, "\x7f", "\U0001f4a9", "\ufffd", "\u0130", "\u00df", "\ufb03", "e\u0301", "\u3000"),
    *('"', "'", "`", "\\", "\\\\", "%s", "{}", "{0}", "{", "}", "[", "]", "(", ")", "<", ">", "&", "|", "$", "#", "!"),
    *(":", ";", "=", "/", "*", "~", "^", "@", "-", "--", "---", "...", " ", "  ", "?", "&a", "*a", "!!python/name:os"),
)
FOLDED = ({"s": "\u017f"}, {"k": "\u212a"}, {"i": "\u0131"}, {"I": "\u0130"}, {"i": "\u0130", "s": "\u017f"})
"""Letters that match an ASCII letter with `re.IGNORECASE`, and are no key of a table of ASCII letters."""
PROMPTS = (
    *("leaf1# ", "leaf1#", "leaf1(config)# ", "leaf1(config-if)#", "admin@leaf1> ", "admin@leaf1:~$ ", "<leaf1>", "$ "),
    *("--More--", " --More-- \b\b\b\b\b\b\b\b\b\b", "---(more 12%)---", "{master:0}", "[edit]", "[~leaf1]", "# ", "+ "),
    *("$ show running-config", "leaf1# show version", "$ ethtool eth0", "sonic-db-cli", "exit", "end", "!", "quit"),
    *("return", "configure terminal", "configure session x", "commit", "abort", "rollback 1", "/* x", "*/", "banner"),
    *("banner motd ^C", "banner login x", "EOF", "{", "}", "};", "- ", "? ", "no", "no ", "undo", "default", "delete "),
)
Mutator = Callable[[Random, str, Material], str]


def _at(chance: Random, lines: Sequence[str]) -> int:
    return chance.randrange(len(lines)) if lines else 0


def _edit_word(chance: Random, text: str, edit: Callable[[str], str], pattern: re.Pattern[str] = _WORD) -> str:
    """Return *text* with one word changed: one in or after a line at random."""
    start = chance.randrange(len(text) + 1)
    found = pattern.search(text, text.rfind("\n", 0, start) + 1 if chance.random() < 0.5 else start)
    found = found or pattern.search(text)
    return f"{text[: found.start()]}{edit(found[0])}{text[found.end() :]}" if found else text


def replace_number(chance: Random, text: str, _: Material) -> str:
    """Return *text* with another number for one."""
    return _edit_word(chance, text, lambda _word: chance.choice(NUMBERS), _NUMBER)


def replace_every_number(chance: Random, text: str, _: Material) -> str:
    """Return *text* with one number in place of each equal one."""
    found = _NUMBER.findall(text)
    return re.sub(rf"\b{re.escape(chance.choice(found))}\b", chance.choice(NUMBERS), text) if found else text


def put_range(chance: Random, text: str, _: Material) -> str:
    """Return *text* with a range in place of a number."""
    return _edit_word(chance, text, lambda _word: chance.choice(RANGES), re.compile(r"\d[\d/:,.-]*"))


def append_range(chance: Random, text: str, _: Material) -> str:
    """Return *text* with a word made a range."""
    return _edit_word(chance, text, lambda word: word + chance.choice(("-", ",", "/", " ")) + chance.choice(RANGES))


def put_character(chance: Random, text: str, _: Material) -> str:
    """Return *text* with a character in it."""
    at = chance.randrange(len(text) + 1)
    return text[:at] + chance.choice(CHARACTERS) + text[at + chance.randrange(2) :]


def replace_word(chance: Random, text: str, material: Material) -> str:
    """Return *text* with a word of another dump in place of one."""
    return _edit_word(chance, text, lambda _word: chance.choice(material.words))


def drop_word(chance: Random, text: str, _: Material) -> str:
    """Return *text* without one word."""
    return _edit_word(chance, text, lambda _word: "")


def repeat_word(chance: Random, text: str, _: Material) -> str:
    """Return *text* with a word repeated, apart or as one long word."""
    times, glue = (
        chance.choice((2, 3, 50, 300, 2000)),
        chance.choice((" ", "", ",", "\n", " { ", " [ ", ": ", " member ", "|")),
    )
    return _edit_word(chance, text, lambda word: glue.join([word] * min(times, 1 + MAX_CHARS // (1 + len(word)))))


def swap_words(chance: Random, text: str, _: Material) -> str:
    """Return *text* with two words of a line swapped."""
    lines = text.split("\n")
    at = _at(chance, lines)
    words = lines[at].split(" ")
    one, other = _at(chance, words), _at(chance, words)
    words[one], words[other] = words[other], words[one]
    lines[at] = " ".join(words)
    return "\n".join(lines)


def change_case(chance: Random, text: str, _: Material) -> str:
    """Return *text* with a word in another case, cut short, or turned around."""
    edits: tuple[Callable[[str], str], ...] = (str.upper, str.lower, str.title, lambda w: w[:3], lambda w: w[::-1])
    return _edit_word(chance, text, chance.choice(edits))


def fold_letters(chance: Random, text: str, _: Material) -> str:
    """Return *text* with letters of a word, or of all words, that a pattern without regard to case takes for ASCII."""
    table = str.maketrans(chance.choice(FOLDED))
    return text.translate(table) if chance.random() < 0.3 else _edit_word(chance, text, lambda w: w.translate(table))


def drop_lines(chance: Random, text: str, _: Material) -> str:
    """Return *text* without some lines."""
    lines = text.split("\n")
    at = _at(chance, lines)
    del lines[at : at + chance.choice((1, 1, 2, 5, 20))]
    return "\n".join(lines)


def repeat_lines(chance: Random, text: str, _: Material) -> str:
    """Return *text* with some lines several times."""
    lines = text.split("\n")
    at = _at(chance, lines)
    block = lines[at : at + chance.choice((1, 2, 5, 20))]
    to = at if chance.random() < 0.5 else _at(chance, lines)
    lines[to:to] = block * chance.choice((1, 1, 2, 30))
    return "\n".join(lines)


def move_lines(chance: Random, text: str, _: Material) -> str:
    """Return *text* with some lines elsewhere."""
    lines = text.split("\n")
    at, size = _at(chance, lines), chance.choice((1, 1, 3, 10))
    block = lines[at : at + size]
    del lines[at : at + size]
    to = _at(chance, lines)
    lines[to:to] = block
    return "\n".join(lines)


def indent_lines(chance: Random, text: str, _: Material) -> str:
    """Return *text* with some lines indented otherwise."""
    lines = text.split("\n")
    at, indent = _at(chance, lines), chance.choice(("", " ", "  ", "    ", "\t", " " * 200, "\u00a0", "\f"))
    for index in range(at, min(len(lines), at + chance.choice((1, 2, 10, 1000)))):
        lines[index] = (indent + lines[index]) if chance.random() < 0.5 else indent + lines[index].lstrip()
    return "\n".join(lines)


def splice_lines(chance: Random, text: str, material: Material) -> str:
    """Return *text* with lines of other dumps in it, of any system."""
    lines = text.split("\n")
    at = _at(chance, lines)
    first = chance.randrange(len(material.lines))
    lines[at:at] = material.lines[first : first + chance.choice((1, 1, 3, 10))]
    return "\n".join(lines)


def splice_dump(chance: Random, text: str, material: Material) -> str:
    """Return *text* up to a line, and then a part of another dump."""
    lines = text.split("\n")
    other = chance.choice(material.all_dumps).text.split("\n")
    start = _at(chance, other)
    return "\n".join((*lines[: _at(chance, lines)], *other[start : start + 60]))


def cut(chance: Random, text: str, _: Material) -> str:
    """Return *text* up to a character, or from one on."""
    at = chance.randrange(len(text) + 1)
    return text[:at] if chance.random() < 0.7 else text[at:]


def cut_line(chance: Random, text: str, _: Material) -> str:
    """Return *text* with a line cut in its middle, or joined with the next one."""
    lines = text.split("\n")
    at = _at(chance, lines)
    if chance.random() < 0.3 and at + 1 < len(lines):
        lines[at : at + 2] = [lines[at] + lines[at + 1]]
    else:
        lines[at] = lines[at][: chance.randrange(len(lines[at]) + 1)]
    return "\n".join(lines)


def put_prompt(chance: Random, text: str, _: Material) -> str:
    """Return *text* with a prompt, a pager or a word of a session in or before a line."""
    lines = text.split("\n")
    at, prompt = _at(chance, lines), chance.choice(PROMPTS)
    if chance.random() < 0.5:
        lines.insert(at, prompt)
    else:
        lines[at] = prompt + lines[at]
    return "\n".join(lines)


def shift_columns(chance: Random, text: str, _: Material) -> str:
    """Return *text* with the columns of a row moved, emptied or run together."""
    lines = text.split("\n")
    rows = [index for index, line in enumerate(lines) if _GAP.search(line.strip())]
    if not rows:
        return text
    at = chance.choice(rows)
    gaps = list(_GAP.finditer(lines[at]))
    gap = chance.choice(gaps)
    filling = chance.choice(("", " ", "\t", " " * 30, "  -  ", "  N/A  ", "  ,  ", "|"))
    lines[at] = lines[at][: gap.start()] + filling + lines[at][gap.end() :]
    return "\n".join(lines)


MUTATORS: Sequence[Mutator] = (
    *(replace_number, replace_number, replace_every_number, put_range, append_range, put_character, replace_word),
    *(drop_word, repeat_word, swap_words, change_case, fold_letters, drop_lines, repeat_lines, move_lines),
    *(indent_lines, splice_lines, splice_dump, cut, cut_line, put_prompt, shift_columns),
)
_TREE_SHARE, _BYTES_SHARE, MAX_CHARS = 0.7, 0.08, 400_000


def mutate(chance: Random, text: str, material: Material) -> bytes:
    """Return a mutant of *text*: by its tree where it is JSON or YAML, by its lines and words, then by its bytes."""
    if chance.random() < _TREE_SHARE:
        text = mutate_tree(chance, text) or text
    for _ in range(chance.choice((0, 1, 1, 2, 3, 5))):
        text = chance.choice(MUTATORS)(chance, text, material)[:MAX_CHARS]
    data = text.encode("utf-8", "surrogatepass")
    return mutate_bytes(chance, data) if chance.random() < _BYTES_SHARE else data


def mutate_bytes(chance: Random, data: bytes) -> bytes:
    """Return *data* with bytes changed, cut, or in another encoding."""
    kind = chance.randrange(8)
    at = chance.randrange(len(data) + 1)
    if kind == 0:
        return data[:at]
    if kind == 1:
        return (
            data[:at] + chance.choice((b"\0", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf5", b"\x80", b"\x1a")) + data[at:]
        )
    if kind == 2:
        return data.decode("utf-8", "replace").encode(chance.choice(("utf-16", "utf-16-le", "utf-32", "utf-8-sig")))
    if kind == 3:
        return data.replace(b"\n", chance.choice((b"\r\n", b"\r", b"\r\r\n", b"\n\r", b"\x0b", b"\n\n")))
    if kind == 4:
        return chance.choice((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf", b"\x1f\x8b", b"PK\x03\x04", b"\n" * 5)) + data
    mutant = bytearray(data)
    for _ in range(chance.choice((1, 3, 30))):
        if mutant:
            mutant[chance.randrange(len(mutant))] ^= 1 << chance.randrange(8)
    return bytes(mutant)
