"""One device and one port drawn for people: golden files, names that are looked up, hostile names, and refusals."""

import re
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from auditor.cli import main
from auditor.cli.common import CANNOT_AUDIT, CLEAN

Run = Callable[..., tuple[int, str, str]]
ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests/golden/show"
FABRIC = "fixtures/fabric-mixed"
DRAWN = {
    "cumulus": ("leaf1", "swp1"),
    "eos": ("leaf2", "Ethernet1/1"),
    "host": ("host1", "ens1f0np0"),
    "junos": ("leaf5", "et-0/0/0"),
    "nxos": ("leaf3", "Ethernet1/1"),
    "sonic": ("spine1", "Ethernet8"),
}
"""A device of each kind and one of its ports."""
WIDTH = 80
pytestmark = pytest.mark.read_once


def list_sheets() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the name of each golden file and the arguments that draw it."""
    for kind, (device, port) in DRAWN.items():
        yield f"{kind}-device.txt", ("--device", device)
        yield f"{kind}-port.txt", ("--device", device, "--port", port)


@pytest.mark.parametrize(("file", "arguments"), list(list_sheets()), ids=[name for name, _ in list_sheets()])
def test_sheets_are_the_golden_ones(file: str, arguments: tuple[str, ...], run: Run) -> None:
    status, out, err = run("show", FABRIC, *arguments)
    assert (status, err) == (CLEAN, "")
    assert out == (GOLDEN / file).read_text(encoding="utf-8")
    assert max(map(len, out.splitlines())) <= WIDTH


@pytest.mark.parametrize("name", ["Eth1/1", "et1/1", "Ethernet1/1", "ETHERNET1/1"])
def test_a_short_name_of_a_port_is_that_port(name: str, run: Run) -> None:
    _, out, _ = run("show", FABRIC, "--device", "LEAF2", "--port", name)
    assert out == (GOLDEN / "eos-port.txt").read_text(encoding="utf-8")


def test_an_alias_is_that_port(run: Run) -> None:
    _, out, _ = run("show", FABRIC, "--device", "spine1", "--port", "etp2")
    assert out == (GOLDEN / "sonic-port.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--device", "laef1"), "--device laef1: no device of the dumps has this name; did you mean leaf1"),
        (
            ("--device", "x"),
            "--device x: no device of the dumps has this name; they have host1, host2, host3, leaf1, leaf2 and 5 more",
        ),
        (
            ("--device", "leaf2", "--port", "Eth1/99"),
            "--port Eth1/99: leaf2 has no port of this name; did you mean Ethernet1/1",
        ),
        (("--device", "leaf1", "--port", "q"), "--port q: leaf1 has no port of this name; it has swp1, swp31, swp32"),
        (("--port", "swp1"), "--port: the device is missing; add --device D"),
        (("--device", "leaf1", "--coverage"), "--coverage: it is for the JSON of all devices"),
        (("--device", "leaf1", "--state"), "--state: it is for the JSON of all devices"),
        (("--device", "leaf1", "--format", "json"), "--format: it is for the JSON of all devices"),
    ],
)
def test_what_cannot_be_drawn_is_refused(arguments: tuple[str, ...], message: str, run: Run) -> None:
    status, out, err = run("show", FABRIC, *arguments)
    assert (status, out) == (CANNOT_AUDIT, "")
    assert message in err


def test_ports_that_are_alike_share_a_row_and_others_say_what_differs(run: Run) -> None:
    _, out, _ = run("show", "fixtures/fabric", "--device", "leaf3")
    assert "32 ports, 3 kinds" in out
    lines = out.splitlines()
    at = lines.index("kind 3 beside kind 1: Ethernet1/31")
    assert lines[at + 1 : at + 4] == [
        "  mtu bytes: 1,500, not 9,216",
        "  ip mtu bytes: 1,500, not 9,216",
        "  max frame bytes: 1,522, not 9,238",
    ]
    assert lines[at + 4] == ""
    assert "Ethernet1/5-28" in out


def test_a_port_of_one_kind_is_drawn_to_scale(run: Run) -> None:
    """Marks begin at 150,000 of 3,000,000 bytes: at the third of 54 characters; eight ports pause at the twelfth."""
    _, out, _ = run("show", "fixtures/fabric-clean", "--device", "leaf1", "--port", "Eth1/1")
    marks, eight = (
        re.findall(rf"^  {label} +([.|/=#]+)$", out, re.MULTILINE)[0] for label in ("marks", "paused, 8 ports")
    )
    assert (marks.index("/"), marks.count("#")) == (2, 1)
    assert (eight.index("|"), eight.count("=")) == (11, 15)
    assert "665,600 bytes when 8 ports fill it (computed)" in out


SECRET = "q7Zr2mXw9LtB4kPs"
HOSTILE = f"""\
hostname leaf\x1b[31m##vso[task.complete]
class-map type qos match-any RDMA
  match dscp 26
policy-map type qos ##[error]x
  class RDMA
    set qos-group 3
interface Ethernet1/1
  description password {SECRET}
  service-policy type qos input ##[error]x
  priority-flow-control mode on
"""


def test_hostile_names_are_escaped_and_secrets_stay_away(run: Run, tmp_path: Path) -> None:
    (tmp_path / "leaf.cfg").write_text(HOSTILE, encoding="utf-8")
    (tmp_path / "links.yaml").write_text(
        "schema: roce-audit/links/1\nlinks:\n"
        f'  - {{a: {{device: leaf, port: Ethernet1/1}}, b: {{device: "##[error]x", port: "password {SECRET}"}}}}\n',
        encoding="utf-8",
    )
    _, err = run("show", tmp_path, "--device", "nobody")[1:]
    name = re.findall(r"they have (.*)$", err)[0]
    assert "\x1b" not in err
    for arguments in (("--device", name), ("--device", name, "--port", "Eth1/1")):
        status, out, err = run("show", tmp_path, "--links", tmp_path / "links.yaml", *arguments)
        assert "\x1b" not in out + err
        assert "##[" not in out + err
        assert SECRET not in out + err
        assert status in {CLEAN, CANNOT_AUDIT}


def test_nothing_to_draw_is_no_sheet(run: Run, tmp_path: Path) -> None:
    status, out, err = run("show", tmp_path / "missing", "--device", "leaf1")
    assert (status, out) == (CANNOT_AUDIT, "")
    assert "missing" in err


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for name, given in list_sheets():
        text = StringIO()
        with redirect_stdout(text):
            main(["show", FABRIC, *given, "--no-cache"])
        (GOLDEN / name).write_text(text.getvalue(), encoding="utf-8")
