"""Marks that a viewer, an editor or a mail program puts around a paste: each goes, and no line of a table does."""

import html
import re
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.inputs.decoration import strip_decoration
from auditor.inputs.rawtext import Raw, parse_text

CONFIG = (
    "hostname pod7-leaf3",
    "!",
    "interface Ethernet7/1",
    '   description "a < b"',
    "   mtu 9214",
    "",
    "   priority-flow-control on",
    "interface Ethernet8/1",
    "   shutdown",
    "end",
)


def _number(text: str, prefix: str) -> list[str]:
    return [prefix.format(n) + line for n, line in enumerate(text.split("\n"), start=41)]


def _quote(lines: Sequence[str], mark: str) -> list[str]:
    return [f"{mark}{line}".rstrip() for line in lines]


TEXT = "\n".join(CONFIG)
DECORATIONS: dict[str, Callable[[], list[str]]] = {
    "cat -n": lambda: _number(TEXT, "{:6d}\t"),
    "nl": lambda: _number(TEXT, "{:4d}  "),
    "grep -n": lambda: _number(TEXT, "{}:"),
    "editor": lambda: _number(TEXT, "{:3d} | "),
    "mail": lambda: _quote(CONFIG, "> "),
    "mail in a mail": lambda: _quote(CONFIG, "> > "),
    "terminal log": lambda: [f"[2026-03-02 07:11:05.{n:03d}] {line}" for n, line in enumerate(CONFIG)],
    "log": lambda: [f"2026-03-02T07:11:05.{n:03d}Z {line}" for n, line in enumerate(CONFIG)],
    "clock": lambda: [f"[07:11:{n:02d}] {line}" for n, line in enumerate(CONFIG)],
    "page": lambda: ["<pre><code>" + html.escape(CONFIG[0]), *map(html.escape, CONFIG[1:-1]), "end</code></pre>"],
    "page of spaces": lambda: [html.escape(line).replace(" ", "&nbsp;") for line in CONFIG],
}


@pytest.mark.parametrize("name", DECORATIONS)
def test_the_marks_of_a_paste_go(name: str) -> None:
    stripped = strip_decoration(DECORATIONS[name]())
    assert [line.strip() for line in stripped] == [line.strip() for line in CONFIG]
    depths = [len(line) - len(line.lstrip()) for line in stripped if line.strip()]
    flush = min(depths)
    assert [depth > flush for depth in depths] == [line.startswith(" ") for line in CONFIG if line]


@pytest.mark.parametrize("name", DECORATIONS)
def test_the_marks_go_from_a_file(name: str) -> None:
    lines = DECORATIONS[name]()
    read = parse_text("\n".join(lines).encode(), "x", given=True)
    assert isinstance(read, Raw)
    assert [*read.lines] == [*strip_decoration(lines)]


@pytest.mark.parametrize(
    "text", ['["a",\n"&lt;b",\n"&lt;c",\n"&lt;d"\n]', '{"a":\n"&lt;b",\n"c": "&lt;d", "e":\n"&lt;"}']
)
def test_json_keeps_its_text(text: str) -> None:
    read = parse_text(text.encode(), "x", given=True)
    assert isinstance(read, Raw)
    assert "\n".join(read.lines) == text


def test_a_prompt_around_the_numbered_lines_stays() -> None:
    pasted = ["$ cat -n leaf.cfg", *DECORATIONS["cat -n"](), "$ "]
    assert [*strip_decoration(pasted)] == ["$ cat -n leaf.cfg", *CONFIG, "$ "]


@pytest.mark.parametrize(
    "lines",
    [
        [f"{n}: eth{n}: <BROADCAST,UP> mtu 9000 state UP" for n in range(1, 9)],
        [
            "Group Port-       Type",
            "-----",
            "      Channel",
            "-----",
            *(f"{n}     Po{n}(RU)  Eth" for n in range(1, 9)),
        ],
        [f"{n}    VLAN000{n}   active    Eth1/{n}" for n in range(1, 9)],
        ["> show version", "Arista", "> show lldp neighbors", "Port", "> exit"],
        ["interface swp1", "  description to &lt;spine&gt;", "  mtu 9216"],
        ["<leaf1>display version", "[~leaf1]interface 100GE1/0/1", "[~leaf1-100GE1/0/1]trust dscp", "#", "return"],
        ["2026-03-02 07:11:05 PFC storm", "interface Ethernet1", "   mtu 9214", "interface Ethernet2", "   mtu 9214"],
        ["100", "200", "300", "400", "500", "600"],
    ],
    ids=["ip", "port-channels", "vlans", "prompts", "one escape", "views", "one time", "numbers"],
)
def test_what_a_system_prints_stays(lines: list[str]) -> None:
    assert [*strip_decoration(lines)] == lines


@pytest.mark.parametrize("blank", ["&nbsp;", "&emsp;", "&ensp;"])
def test_a_table_of_two_rows_has_its_blanks(blank: str) -> None:
    rows = ["Interface   Admin  Oper", "WGE1/0/7    Auto   Disabled"]
    assert [*strip_decoration([row.replace(" ", blank) for row in rows])] == rows


SESSION = (
    "pod7-leaf3# show interface priority-flow-control",
    "Port               Mode Oper(VL bmap)  RxPPP      TxPPP",
    "",
    "Ethernet7/1        On   On  (8)        1          2",
    "  more",
)
TYPED = ("pod7-leaf3(config)# interface e7/1", "pod7-leaf3(config-if)# mtu 9216")


@pytest.mark.parametrize("depth", ["  ", "    ", "\t"])
def test_a_session_that_a_document_indents_is_flush(depth: str) -> None:
    said = ["This is how it looks:", "", *_quote(SESSION, depth), "", "So I typed:", *_quote(TYPED, depth), "Better."]
    plain = ["This is how it looks:", "", *SESSION, "", "So I typed:", *TYPED, "Better."]
    assert [*strip_decoration(said)] == plain


@pytest.mark.parametrize(
    "lines",
    [
        ["interface Ethernet1", "   mtu 9214", "   description leaf# show me", "interface Ethernet2", "   mtu 9214"],
        ["pod7# show run", "interface Ethernet1/1", "  mtu 9216", "", "  shutdown", "pod7# exit"],
        ["- Turn it on:", "    switch(config)#interface Et1", "  - then:", "    switch(config-if-Et1)#mtu 9214"],
    ],
    ids=["description", "flush", "list"],
)
def test_stanzas_keep_their_depth(lines: list[str]) -> None:
    stripped = strip_decoration(lines)
    assert [line.strip() for line in stripped] == [line.strip() for line in lines]
    assert [line.startswith(" ") for line in stripped if "mtu" in line and "#" not in line] == [
        line.startswith(" ") for line in lines if "mtu" in line and "#" not in line
    ]


@pytest.mark.parametrize("mark", "#*-")
def test_a_session_behind_the_marks_of_comments_or_a_list_is_plain(mark: str) -> None:
    marked = [f"{mark} {line}".rstrip() for line in SESSION]
    said = ["# Before:", "", *marked, "", "name: set it", "config:", "- name: e7/1", *marked, "done"]
    plain = ["# Before:", "", *SESSION, "", "name: set it", "config:", "- name: e7/1", *SESSION, "done"]
    if mark == "-":
        plain[plain.index("- name: e7/1")] = "name: e7/1"
    assert [*strip_decoration(said)] == plain


@pytest.mark.parametrize(
    "lines",
    [
        [f"# {line}".rstrip() for line in CONFIG],
        ["# The command of leaf1# show version is", "# not known to all.", "#", "#", "interface Ethernet7/1"],
        ["#", "sysname leaf1", "#", "interface 100GE1/0/1", "#", "return"],
        ["# leaf1# show version", "* leaf1# show version", "# leaf1# show version", "- a", "# b", "# c"],
    ],
    ids=["out of use", "prose", "separators", "mixed"],
)
def test_comments_that_show_no_session_stay(lines: list[str]) -> None:
    assert [*strip_decoration(lines)] == lines


@given(st.lists(st.sampled_from(["", ">", "> ", ">> ", "> > > ", ">>>>"]), max_size=14))
def test_marks_of_a_mail_go_as_deep_as_five_lines_bear_them(marks: list[str]) -> None:
    """As if one mark of each line went as long as five lines in a row begin with one."""
    lines = [f"{mark}x{number}" for number, mark in enumerate(marks)]
    expected = list(lines)
    while any(all(line.startswith(">") for line in expected[at : at + 5]) for at in range(len(expected) - 4)):
        expected = [re.sub("^> ?", "", line) for line in expected]
    assert list(strip_decoration(lines)) == expected


def test_a_quote_that_is_written_as_html_is_stripped_too() -> None:
    page = ["<pre>", *(f"&gt; {text}" for text in "abcde"), "</pre>"]
    assert [line for line in strip_decoration(page) if line] == [*"abcde"]
