"""Sessions as people paste them are read as the sessions themselves."""

from collections.abc import Callable, Mapping
from functools import partial
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import auditor
from auditor.inputs.detection import list_captures
from auditor.inputs.pastes import unwrap
from auditor.inputs.rawtext import Raw
from auditor.inputs.snapshot import find
from auditor.systems import systems

MAPS = ("mlx5_4 port 1 ==> ens9f0 (Up)", "mlx5_5 port 1 ==> ens9f1 (Down)")
QOS = (
    "Priority trust state: dscp",
    "PFC configuration:",
    "\tpriority    0   1   2   3   4   5   6   7",
    "\tenabled     0   0   0   0   0   1   0   0",
)
OUTPUTS = {"ibdev2netdev": MAPS, "mlnx_qos -i ens9f0": QOS}
PROSE = "This is what PFC and the trust state look like on priority 3 of our host:"


def show_session(prompt: str) -> list[str]:
    return [line for command, output in OUTPUTS.items() for line in (f"{prompt}{command}", *output)]


def fence_each(lines: list[str], mark: str = "```", info: str = "") -> list[str]:
    return [PROSE, f"{mark}{info}", *lines, mark, PROSE]


def indent(lines: list[str], by: str) -> list[str]:
    return [by + line if line else line for line in lines]


PROMPTS = ("$ ", "root@node7:~# ", "[root@node7 ~]# ", "(base) me@node7:~/x$ ", "$ me@node7:~$ ", "sh-5.1# ", "# ")
SHAPES: dict[str, Callable[[str], list[str]]] = {
    "bare": show_session,
    "in one block": lambda prompt: fence_each(show_session(prompt), info="bash"),
    "in a block of tildes": lambda prompt: fence_each(show_session(prompt), mark="~~~"),
    "in a block of a list": lambda prompt: indent(fence_each(show_session(prompt)), "   "),
    "in a block that is cut off": lambda prompt: fence_each(show_session(prompt))[1:-2],
    "in a block whose beginning is cut off": lambda prompt: fence_each(show_session(prompt))[2:],
    "in a block for each": lambda prompt: [
        line for command, output in OUTPUTS.items() for line in fence_each([prompt + command, *output])
    ],
    "in a mail": lambda prompt: indent(show_session(prompt), "> "),
}
RULES = {"== ": " ==", "---- ": " ----", "##### ": "", ">>> ": "", "***": "***"}


def show_banners(left: str, right: str) -> list[str]:
    return [line for command, output in OUTPUTS.items() for line in (f"{left}{command}{right}", *output, "")]


def show_captions(caption: str) -> list[str]:
    return [
        line
        for command, output in OUTPUTS.items()
        for line in (PROSE, caption.format(command), "", *fence_each([*output])[1:-1])
    ]


COMMANDS: dict[str, Callable[[], list[str]]] = {
    "commands in blocks of their own": lambda: [
        line for command, output in OUTPUTS.items() for line in (*fence_each([command]), *fence_each([*output]))
    ],
    "commands in backticks": lambda: [
        line for command, output in OUTPUTS.items() for line in (f"`{command}`", *fence_each([*output])[1:-1])
    ],
    **{
        f"commands in captions such as {caption}": partial(show_captions, caption)
        for caption in ("- the output of `{}` is", "**{}**:", "<details><summary>{}</summary>", "1) Run `{}` and see:")
    },
    "commands in headings": lambda: [
        line for command, output in OUTPUTS.items() for line in (f"### {command}:", *fence_each([*output]))
    ],
    **{f"banners of {left}": partial(show_banners, left, right) for left, right in RULES.items()},
    "a banner of another kind of output at the end": lambda: [
        *(line for command, output in OUTPUTS.items() for line in (f"=== {command} ===", *output)),
        "=== kernel parameters ===",
        "\tenabled     1   1   1   1   1   1   1   1",
    ],
}
CASES = {f"{shape}, {prompt}": (lines, prompt) for shape, lines in SHAPES.items() for prompt in PROMPTS}


def read(lines: list[str]) -> tuple[str, list[tuple[object, ...]], list[str]]:
    """Return the name of the host in *lines*, its ports, and its doubts."""
    (unit,) = find(["-"], stdin=BytesIO("\n".join(lines).encode() + b"\n")).units
    device = systems()[unit.os].parse(unit.name, unit.source, unit.captures)
    ports: list[tuple[object, ...]] = [
        (
            port.name,
            getattr(port.config.classification.trust, "value", None),
            getattr(port.config.pfc.priorities, "value", None),
        )
        for port in device.ports
    ]
    return device.name, ports, [doubt.text for doubt in device.doubts]


EXPECTED = [("ens9f0", "dscp", (5,)), ("ens9f1", None, None)]


@pytest.mark.parametrize("case", CASES)
def test_a_pasted_session(case: str) -> None:
    """Each shape gives the ports, the name that the prompt has, and no doubt about the text around."""
    lines, prompt = CASES[case]
    name, ports, doubts = read(lines(prompt))
    assert ports == EXPECTED
    assert doubts == []
    assert name == ("node7" if "node7" in prompt else "stdin")


@pytest.mark.parametrize("case", COMMANDS)
def test_commands_without_a_prompt(case: str) -> None:
    assert read(COMMANDS[case]())[1] == EXPECTED


def test_a_caption_of_a_session_is_no_command_of_its_own() -> None:
    lines = ["Run `mlnx_qos -i ens9f1`:", *fence_each(show_session("$ "))[1:-1]]
    assert read(lines)[1] == EXPECTED


@pytest.mark.parametrize("case", SHAPES)
def test_lines_keep_their_numbers(case: str) -> None:
    lines = SHAPES[case]("$ ")
    paste = unwrap(tuple(lines))
    assert len(paste.lines) == len(lines)
    assert paste.prose == () or len(paste.prose) == len(lines)
    raw = Raw("x.txt", ".", tuple(lines), ends_with_newline=True)
    for capture in list_captures(raw):
        for index, line in enumerate(capture.lines):
            assert line.strip() in lines[capture.first_line - 1 + index]


@pytest.mark.parametrize(
    "lines",
    [
        ["interface Ethernet1", "   description ``` x", "   mtu 9214"],
        ["#", "interface 100GE1/0/1", " description == uplink ==", "#"],
        ["## ip access-list standard a", "hostname a"],
        ["---", "a: 1"],
        ["interface Ethernet1", "   description a@b # c", "   mtu 9214"],
    ],
)
def test_a_configuration_is_no_paste(lines: list[str]) -> None:
    assert unwrap(tuple(lines)).lines == tuple(lines)


INSIDE = ["some text", "```", "~~~", "``` text", "`````", "`code`", ""]


@given(st.sampled_from("`~"), st.integers(3, 6), st.lists(st.sampled_from(INSIDE), max_size=6))
def test_a_block_ends_at_a_fence_of_its_own(character: str, length: int, inside: list[str]) -> None:
    mark = character * length
    text = [line for line in inside if not line.startswith(mark)]
    paste = unwrap(("before", mark, *text, mark, "behind"))
    assert paste.lines == ("", "", *text, "", "")
    assert paste.prose == ("before", *[""] * (len(text) + 2), "behind")


@pytest.mark.parametrize("line", ["```show run```", "``` `x`", "``", "~~"])
def test_inline_code_opens_no_block(line: str) -> None:
    lines = ("before", line, "```", "inside", "```")
    assert unwrap(lines).lines == ("", "", "", "inside", "")


def test_a_configuration_outside_of_the_blocks_is_read(write: Callable[[Mapping[str, str]], Path]) -> None:
    config = ["hostname leaf1", "feature lldp", "interface Ethernet1/1", "  priority-flow-control mode on"]
    more = ["```", "leaf1# show clock", "12:00:00 UTC", "```"]
    folder = write({"notes.txt": "\n".join(["The switch:", "", *config, "", *more, ""])})
    (port,) = auditor.load(folder, auditor.Options(jobs=1)).ports()
    assert (port["port"], port["pfc_mode"]) == ("Ethernet1/1", "on")
