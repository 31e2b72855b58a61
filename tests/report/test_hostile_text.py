"""Nothing printed is a command of a CI system or a terminal, in every format, from every place of a dump."""

import contextlib
import csv
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from auditor.cli import main
from auditor.cli.common import CANNOT_AUDIT
from auditor.estimate.table import answer
from auditor.report.formats import FORMATS
from auditor.util.printable import escape_cell, printable

pytestmark = pytest.mark.read_once

TOKENS = {
    "vso": "##vso[task.setvariable variable=x]y",
    "vso-case": "##VSO[task.complete result=Succeeded;]",
    "old-command": "##[error]x",
    "teamcity": "##teamcity[buildStatus text='x']",
    "error": "::error::x",
    "error-at": "::error file=a,line=1::x",
    "output": "::set-output name=x::y",
    "env": "::set-env name=PATH::/tmp",
    "stop": "::stop-commands::x",
    "group": "::group::x",
    "percent": "%0A::error::x%0D%0A##[error]y",
    "return": "x\r::error::y",
    "escape": "\x1b[31m\x1b]0;title\x07\x1b]8;;http://x\x1b\\",
    "c1": "\x9b31m\x90x\x9c",
    "bidi": "\u202eabc\u202c\u2066x\u2069\u200f",
    "zero-width": "a\u200bb\u200d\ufeffc\u2060",
    "filler": "a\u3164b\u115fc\ufe0f",
    "rich": "[bold red]x[/bold red][link=http://x]y[/link]",
    "markdown": "[x](http://evil.example) ![x](http://evil.example/x.png) @team #12 **b** `c` | d |",
    "html": "</details><script>alert(1)</script><img src=http://evil.example/x>",
    "link": "http://evil.example www.evil.example evil/repo#1 GH-12",
    "separator": "x\u2028::error::y\u2029\x85##[error]z",
}
SIGNED = re.compile(r"##[\w-]*\[")
WORKFLOW = re.compile(r"\s*::[A-Za-z][\w-]*(?: [^:]*)?::")
OWN = re.compile(r"::(?:error|warning|notice)(?: [^:]*)?::")
UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u115f\u3164\ufe0f]")
MARKUP = re.compile(
    r"(?<!\\)(?:\]\(|<(?!/?(?:details|summary|code)>)|(?<![\w;])@[a-z]|\*\*b\*\*|www\.|(?<![\w:])https?://)"
)

SWITCH = """\
hostname leaf-{name}
class-map type qos match-any RDMA
  match dscp 26
policy-map type qos {word}
  class RDMA
    set qos-group 3
interface Ethernet1/1
  description {token}
  service-policy type qos input {word}X
  priority-flow-control mode {token}
  mtu 9216
interface Ethernet1/2{word}
  description x {token}
  priority-flow-control mode on
  service-policy type qos input {word}
{token}
"""


def find_faults(text: str, kind: str = "") -> list[str]:
    """Return the lines of *text* that a CI system or a terminal would take for a command."""
    faults = []
    for printed in re.split(r"\r\n|\r|\n", text):
        # A markdown report has a character of its own after the sign of a mention or of an issue.
        line = re.sub("(?<=&#35;|&#64;)\u200b", "", printed) if kind == "markdown" else printed
        own = OWN.match(line) if kind == "github" else None
        rest = line[own.end() :] if own else line
        if SIGNED.search(line) or UNSEEN.search(line) or (WORKFLOW.match(rest) and not own):
            faults.append(line)
        if kind == "markdown" and MARKUP.search(line):
            faults.append(line)
    return faults


@pytest.fixture(scope="module")
def fabric(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with one switch for each token; the token stands in names, descriptions, lines and file names."""
    folder = tmp_path_factory.mktemp("fabric")
    for name, token in TOKENS.items():
        word = "".join(token.split()) or "x"
        text = SWITCH.format(name=name + word, word=word[:40], token=token.replace("\n", " "))
        file = re.sub(r"[/\0]", "", token)[:80]
        (folder / f"{name}{file}.cfg").write_text(text, encoding="utf-8", newline="")
    (folder / "##vso[task.complete]::error::x.txt").write_text("no dump\n", encoding="utf-8")
    (folder / "broken-##[error].json").write_text('{"PORT": {"Ethernet0": {"::error::x": ', encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def other(fabric: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("other")
    for path in fabric.iterdir():
        (folder / path.name).write_bytes(path.read_bytes().replace(b"mtu 9216", b"mtu 1500"))
    reason = json.dumps(TOKENS["vso"] + " " + TOKENS["error"])
    (folder / "roce-audit.yaml").write_text(
        "schema: roce-audit/intent/1\n"
        f"traffic:\n  - {{name: {json.dumps('::error::x')}, kind: rdma, dscp: [26], priority: 3, lossless: true}}\n"
        f"ignore:\n  - {{rule: PFC001, reason: {reason}}}\n",
        encoding="utf-8",
    )
    return folder


def list_runs() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each format of each command, with its arguments."""
    for kind in FORMATS:
        yield kind, ("check", "--format", kind, "--open", "--ignored", "{fabric}")
        yield kind, ("check", "--format", kind, "--ignored", "{other}")
        yield kind, ("diff", "--format", kind, "{fabric}", "{other}")
    for kind in ("github-review", "terminal", "json", "sarif"):
        yield kind, ("check", "--suggest", "--format", kind, "{fabric}")
    for arguments in (("show",), ("show", "--state"), ("show", "--coverage"), ("intent",), ("intent", "--format=json")):
        yield "", (*arguments, "{fabric}")
        yield "", (*arguments, "{other}")
    yield "", ("path", "leaf-error", "::error::x##[error]", "{fabric}")
    yield "", ("show", "--device", "::error::x##[error]", "{fabric}")
    yield "", ("show", "--device", "leaf-vso", "--port", "::error::x##[error]", "{fabric}")
    yield "", ("check", "{fabric}/##vso[task.complete]::error::x.txt")
    yield "", ("check", "::error::x/##vso[task.complete]")
    yield "", ("check", "--config", "::error::x##[error]", "{fabric}")
    yield "", ("check", "--links", "::error::x##[error]", "{fabric}")
    yield "", ("check", "--base", "::error::x##[error]", "{fabric}")
    yield "", ("check", "--baseline", "::error::x##[error]", "{fabric}")
    yield "", ("check", "{fabric}", "--output", "::error::x##[error]/y/z")
    yield "", ("check", "--::error::x##[error]", "{fabric}")
    yield "", ("estimate", "--scenarios", "::error::##vso[x]")
    yield "", ("explain", "::error::##vso[x]")
    yield "", ("pull", "::error::##vso[x]", "-o", "x", "--dry-run")
    yield "", ("intent", "--preset", "::error::##vso[x]", "{fabric}")


@pytest.mark.parametrize(("kind", "arguments"), list(list_runs()), ids=lambda value: " ".join(value) if value else "-")
def test_no_output_holds_a_command(  # noqa: PLR0913, PLR0917  fixtures
    kind: str,
    arguments: tuple[str, ...],
    fabric: Path,
    other: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    given = [each.replace("{fabric}", str(fabric)).replace("{other}", str(other)) for each in arguments]
    with contextlib.suppress(SystemExit):
        main([*given, *(() if given[0] in {"estimate", "explain", "pull"} else ("--jobs", "1", "--no-cache"))])
    printed = capsys.readouterr()
    assert find_faults(printed.out, kind) == []
    assert find_faults(printed.err) == []
    assert printed.out or printed.err
    if kind in {"json", "sarif", "gitlab", "github-review"}:
        document = json.loads(printed.out)
        comments = document["comments"] if kind == "github-review" else []
        assert bool(comments) == (kind == "github-review" and "--suggest" in arguments)
        assert [find_faults(each["body"].partition("```")[0], "markdown") for each in comments] == [[]] * len(comments)
    if kind == "junit":
        ET.fromstring(printed.out)  # noqa: S314  the program's own output


@pytest.mark.parametrize("token", list(TOKENS.values()), ids=list(TOKENS))
@pytest.mark.parametrize("before", ["", " ", "leaf1", "\t"])
def test_printable_text_holds_no_command(token: str, before: str) -> None:
    shown = printable(before + token)
    assert find_faults(shown) == []
    assert printable(shown) == shown


@pytest.mark.parametrize(
    "text",
    [
        "fe80::ac0:ebff:fe12:3456",
        "interface Ethernet1/1 ## SECRET-DATA",
        "2001:db8::/32",
        "::1",
        "std::vector",
        "## heading",
        "a::b",
        "Größe 9216 byte, →",
    ],
)
def test_text_that_is_no_command_stays(text: str) -> None:
    assert printable(text) == text


@pytest.mark.parametrize("cell", ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", " =1", "\r=1", "\uff1d1"])
def test_no_cell_is_a_formula(cell: str) -> None:
    assert escape_cell(cell)[0] in "'\N{REPLACEMENT CHARACTER}"
    target = io.StringIO()
    source = io.StringIO()
    csv.writer(source).writerow(["note", "link_gbps"])
    csv.writer(source).writerow([cell, "400"])
    csv.writer(source).writerow(["##vso[x]", "-5"])
    source.seek(0)
    answer(source, target)
    rows = list(csv.reader(io.StringIO(target.getvalue())))
    assert rows[1][0][0] in "'\N{REPLACEMENT CHARACTER}"
    assert find_faults(target.getvalue()) == []


@pytest.mark.parametrize("cell", ["-1", "+1.5", "-1e-9", "leaf1", "", "10.0.0.1"])
def test_plain_cells_stay(cell: str) -> None:
    assert escape_cell(cell) == cell


HALVES = {
    "manifest.json": {"device": "\ud800", "captures": [{"command": "ethtool -S x\udc00", "file": "a.txt"}]},
    "config_db.json": {
        "DEVICE_METADATA": {"localhost": {"hostname": "leaf\ud800", "type": "LeafRouter"}},
        "PORT": {name: {"lanes": "1,2", "speed": "100000", "mtu": "1500"} for name in ("Ethernet0\udc00", "Ethernet4")},
        "PORT_QOS_MAP": {"Ethernet0\udc00": {"dscp_to_tc_map": "B\udfff", "pfc_enable": "3"}},
        "PFC_WD": {"Ethernet4": {"action": "dr\ud800op"}},
    },
}
"""Names with halves of a surrogate pair, which JSON can write and UTF-8 cannot."""


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("name", HALVES)
def test_a_half_of_a_surrogate_pair_ends_nothing(
    name: str, form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_text(json.dumps(HALVES[name]))
    (tmp_path / "a.txt").write_text("NIC statistics:\n     rx_discards_phy: 70000\n     rx_prio3_discards: 70000\n")
    assert main(["check", str(tmp_path), "--format", form]) < CANNOT_AUDIT
    shown = capsys.readouterr()
    assert "internal error" not in shown.err
    assert shown.out.encode()
