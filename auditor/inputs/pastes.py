"""Terminals as people paste them: in blocks of Markdown, quoted, indented, or under banners that name the command."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product

from auditor.inputs.heads import BARE_HEAD, is_bare_head, is_shell_prompt, list_distinct, list_marked
from auditor.inputs.openings import find_openings
from auditor.util.regex import regex
from auditor.util.values import dataclass

MAX_PASTE_LINES = 20_000
"""The longest paste; a longer file came from a program."""
_FENCED = regex(r"^[ \t]*+(?:`{3}|~{3})|^\W{0,8}`[^`\n]++`\W{0,4}$", re.MULTILINE)
_INDENTED = regex(r"[ \t]++\S*[#$>]\s")
_RULED = regex(r"^[^\S\n]*+[=*#~+>-]{2,}+\s*+\w", re.MULTILINE)
_RULES = frozenset(map("".join, product("=*#~+>-", repeat=2)))
_FENCE = regex(r"(?P<indent>[ \t]*+)(?P<mark>`{3,}+|~{3,}+)[ \t]*+(?P<info>[^\s`]*+)[^`]*+")
"""A fence of CommonMark (section 4.5): no backtick stands behind one of backticks, so that inline code is none."""
_INLINE = regex(r"\W{0,8}`([^`]{1,400})`\W{0,4}")
_SHOWN = regex(r"`([^`]{1,400})`|\*\*([^*]{1,400})\*\*|<summary>([^<]{1,400})</summary>")
_BANNER = regex(r"\s*(?P<rule>[=*#~+>-])(?P=rule)+\s*(?P<text>\w(?:.*[^\s=*#~+<:-])?)[\s=*#~+<:-]*")
_CMDLET = regex(r"Get-(?:Net|VM|Smb)[A-Za-z]+(?: .*)?")
_LOOSE = regex(r"ip (?!(?:-\S+ )*(?:a|addr|address|l|link|r|route|rule|n|neigh)\b)")
"""What reads like a command of `ip`, and is a line of a switch."""


@dataclass(frozen=True, slots=True)
class Paste:
    """The lines of a file, twice with equal numbers: those of terminals, and the text around them.

    A line stands in one of both, and is empty in the other; fences are empty. In `lines`, a command stands behind the
    prompt `$`, also one that a fence, a backtick or a banner showed. `breaks` are lines at which an output begins that
    does not belong to the command above.
    """

    lines: tuple[str, ...]
    prose: tuple[str, ...] = ()
    breaks: frozenset[int] = frozenset()

    def join(self) -> tuple[str, ...]:
        """Return the lines of both in one."""
        return (
            tuple(line or text for line, text in zip(self.lines, self.prose, strict=True)) if self.prose else self.lines
        )


@dataclass(frozen=True, slots=True)
class _Block:
    """A fenced block: its lines from `start` up to `end`, and the indentation of its fence."""

    start: int
    end: int
    indent: str


@lru_cache(maxsize=4)
def unwrap(lines: tuple[str, ...]) -> Paste:
    """Return *lines* without what a page or a mail put around them.

    >>> unwrap(("Try:", "  ```", "  $ ibdev2netdev", "  mlx5_0 port 1 ==> eth0 (Up)", "  ```")).lines[2:]
    ('$ ibdev2netdev', 'mlx5_0 port 1 ==> eth0 (Up)', '')
    >>> unwrap(("== show_gids ==", "n_gids_found=0")).lines
    ('$ show_gids', 'n_gids_found=0')
    """
    if len(lines) > MAX_PASTE_LINES:
        return Paste(lines)
    text = "\n".join(lines)
    found = _unwrap(lines, has_fences=_has_fences(text)) if _is_paste(lines, text) else Paste(lines)
    return replace(found, breaks=found.breaks | find_openings(found.lines, text))


def _has_fences(text: str) -> bool:
    return "```" in text or "~~~" in text


def _is_paste(lines: tuple[str, ...], text: str) -> bool:
    """Return whether *lines* have what every paste below has, and most dumps lack."""
    return (
        text.lstrip()[:1] == ">"
        or (("`" in text or "~~~" in text) and _FENCED.search(text) is not None)
        or any(
            _INDENTED.match("\n".join(lines[number : number + 2]))
            for number in list_marked(lines)
            if lines[number][:1].isspace()
        )
        or (bool(_list_ruled(lines)) and _RULED.search(text) is not None)
    )


@lru_cache(maxsize=4)
def _list_ruled(lines: tuple[str, ...]) -> tuple[str, ...]:
    """Return the distinct *lines* that begin with two marks, as a banner does."""
    return tuple([line for line in list_distinct(lines) if line.lstrip()[:2] in _RULES])


def _unwrap(lines: Sequence[str], *, has_fences: bool) -> Paste:
    shown = list(_strip_quotes(lines))
    blocks = list(_find_blocks(shown)) if has_fences else []
    if not blocks:
        shown = _find_banners(_dedent_sessions(shown))
        return Paste(tuple(shown), breaks=_break_at_banners(lines, shown))
    inside = [""] * len(shown)
    for block in blocks:
        inside[block.start : block.end] = _read_block(shown, block)
    outside = ["" if kept or _FENCE.fullmatch(line) else line for kept, line in zip(inside, shown, strict=True)]
    for index, text in _list_terminal_lines(inside, outside, blocks):
        inside[index], outside[index] = text, ""
    inside = _find_banners(_dedent_sessions(inside))
    return Paste(tuple(inside), tuple(outside), _find_breaks(inside, blocks) | _break_at_banners(shown, inside))


def _strip_quotes(lines: Sequence[str]) -> Sequence[str]:
    """Return *lines* without the marks of a quoted mail, which all of them bear."""
    written = (line for line in lines if line.strip())
    if not all(re.match(r"\s*>(?:\s|$)", line) for line in written):
        return lines
    return [re.sub(r"^\s*> ?", "", line) for line in lines]


def _find_blocks(lines: Sequence[str]) -> Iterator[_Block]:
    """Yield the fenced blocks; the first fence closes a block, where a paste cut its beginning."""
    fences = list(_find_fences(lines))
    if not fences:
        return
    start: int | None = 0 if _is_first_closing(lines, fences) else None
    indent = fences[0][1]["indent"]
    for index, match in fences:
        if start is not None:
            yield _Block(start, index, indent)
        is_opening = start is None or bool(match["info"])
        start, indent = (index + 1, match["indent"]) if is_opening else (None, indent)
    if start is not None:
        yield _Block(start, len(lines), indent)


def _find_fences(lines: Sequence[str]) -> Iterator[tuple[int, re.Match[str]]]:
    """Yield the fences; a shorter one, or one of another character, is text of the block that the last one opened."""
    opened = ""
    for index, line in enumerate(lines):
        match = _FENCE.fullmatch(line) if _has_fences(line) else None
        if match is None or (opened and not match["mark"].startswith(opened)):
            continue
        yield index, match
        opened = match["mark"] if not opened or match["info"] else ""


def _is_first_closing(lines: Sequence[str], fences: Sequence[tuple[int, re.Match[str]]]) -> bool:
    (first, match), above = fences[0], lines[: fences[0][0]]
    if match["info"] or not any(line.strip() for line in above):
        return False
    opening = [bool(each["info"]) for _, each in fences]
    if any(opening):
        return opening.index(True) % 2 == 1
    if len(fences) == 1:
        return _has_prompt(above) or not any(line.strip() for line in lines[first + 1 :])
    return len(fences) % 2 == 1


def _has_prompt(lines: Sequence[str]) -> bool:
    return any(is_shell_prompt(line.strip()) or is_bare_head(line.strip()) for line in lines)


def _read_block(lines: Sequence[str], block: _Block) -> list[str]:
    """Return the lines of *block* flush with its fence; a single known command gets a prompt."""
    found = [line.removeprefix(block.indent) for line in lines[block.start : block.end]]
    written = [index for index, line in enumerate(found) if line.strip()]
    if len(written) == 1 and (command := _find_command(found[written[0]].strip())):
        found[written[0]] = f"$ {command}"
    return found


def _list_terminal_lines(
    inside: Sequence[str], outside: Sequence[str], blocks: Sequence[_Block]
) -> list[tuple[int, str]]:
    """Return the lines outside of all blocks that are of a terminal: commands, rows of tables, and whole sessions."""
    bounds = [0, *(end for block in blocks for end in (block.start, block.end)), len(outside)]
    found: list[tuple[int, str]] = []
    begins = _list_beginnings(inside)
    for start, end in zip(bounds[::2], bounds[1::2], strict=True):
        written = [index for index in range(start, end) if outside[index].strip()]
        is_session = any(is_shell_prompt(outside[index].strip()) for index in written)
        is_headed = not written or _has_prompt(begins[end : end + 1])
        caption = "" if is_headed else _find_caption(outside[written[-1]])
        for index in written:
            line = outside[index].strip()
            command = _find_inline(line) or (caption if index == written[-1] else "")
            if command or is_session or line.startswith("|") or _find_banner(line):
                found.append((index, f"$ {command}" if command else line))
    return found


def _list_beginnings(lines: Sequence[str]) -> list[str]:
    """Return for each line the first one from there on that is not blank; empty where none follows."""
    found: list[str] = []
    following = ""
    for line in reversed(lines):
        following = line if line.strip() else following
        found.append(following)
    return found[::-1]


def _find_caption(line: str) -> str:
    """Return the one known command that a line above a block shows, else an empty string.

    >>> _find_caption("2. The output of `rdma link` is:"), _find_caption("<summary>show_gids</summary>")
    ('rdma link', 'show_gids')
    """
    found = [command for each in _SHOWN.findall(line) if (command := _find_command("".join(each).strip()))]
    return found[0] if len(found) == 1 else ""


def _find_inline(line: str) -> str:
    """Return the known command in backticks that a line is, else an empty string."""
    match = _INLINE.fullmatch(line)
    return _find_command(match[1].strip()) if match else ""


def _find_command(text: str) -> str:
    """Return the command that *text* is, if it is a known one, else an empty string."""
    match = BARE_HEAD.fullmatch(text if text[:1] in "#$" else f"$ {text}")
    if match and not _LOOSE.match(match["command"]):
        return match["command"]
    return text if _CMDLET.fullmatch(text) else ""


def _find_banner(line: str) -> str:
    """Return the known command in a banner, else an empty string.

    >>> _find_banner("=== mlnx_qos -i ens1 ==="), _find_banner("## show_gids:"), _find_banner("--- results ---")
    ('mlnx_qos -i ens1', 'show_gids', '')
    """
    match = _match_banner(line)
    return _find_command(match["text"].strip("`")) if match else ""


def _match_banner(line: str) -> re.Match[str] | None:
    head = line.lstrip()[:2]
    return _BANNER.fullmatch(line) if head in _RULES and head[0] == head[1] else None


def _find_banners(lines: Sequence[str]) -> list[str]:
    """Return *lines* with a command behind a prompt in place of each banner that names one."""
    named = {line: f"$ {command}" for line in _list_ruled(tuple(lines)) if (command := _find_banner(line))}
    return [named.get(line, line) for line in lines] if named else list(lines)


def _break_at_banners(before: Sequence[str], after: Sequence[str]) -> frozenset[int]:
    """Return the banners without a known command, of the kind that named one in another place."""
    pairs = zip(before, after, strict=True)
    kinds = {each for line, shown in pairs if line != shown and (each := _get_rule(line))}
    return frozenset(index for index, line in enumerate(after) if _get_rule(line) in kinds) if kinds else frozenset()


def _get_rule(line: str) -> str:
    match = _match_banner(line)
    return match["rule"] if match else ""


def _dedent_sessions(lines: Sequence[str]) -> list[str]:
    """Return *lines* with each indented session flush, from its first prompt to the first line less indented."""
    distinct = list_distinct(tuple(lines))
    if not any(line[:1] in {" ", "\t"} and is_shell_prompt(line.strip()) for line in _list_indented(distinct)):
        return list(lines)
    found: list[str] = []
    indent = ""
    for line in lines:
        if indent and line.strip() and not line.startswith(indent):
            indent = ""
        if not indent and line[:1] in {" ", "\t"} and is_shell_prompt(line.strip()):
            indent = line[: len(line) - len(line.lstrip())]
        found.append(line.removeprefix(indent))
    return found


def _list_indented(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines that may be an indented prompt of a shell: with a mark, or with an arrow."""
    return (line for line in lines if "$" in line or "#" in line or "%" in line or ">" in line or not line.isascii())


def _find_breaks(lines: Sequence[str], blocks: Sequence[_Block]) -> frozenset[int]:
    """Return the first lines of the blocks whose output has no command: none above, or one with an output already."""
    found: set[int] = set()
    has_output = True
    last = 0
    for block in blocks:
        first = next((index for index in range(block.start, block.end) if lines[index].strip()), None)
        for index in range(last, block.end):
            if not lines[index].strip():
                continue
            if is_shell_prompt(lines[index]) or is_bare_head(lines[index]):
                has_output = False
            elif has_output and index == first:
                found.add(index)
            else:
                has_output = True
        last = block.end
    return frozenset(found)
