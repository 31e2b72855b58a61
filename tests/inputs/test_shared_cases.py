"""The small reproductions beside this checkout: what each file of a switch should give; skipped without them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., tuple[int, str, str]]
CASES = Path(__file__).parents[3] / "shared" / "cases"
pytestmark = pytest.mark.skipif(not CASES.is_dir(), reason="no shared material lies beside this checkout")


@pytest.fixture
def ports(run: Run) -> Callable[[str], tuple[str, dict[str, Any]]]:
    """Return a function that gives the system of a file, and its ports by name."""

    def show(name: str) -> tuple[str, dict[str, Any]]:
        _, out, _ = run("show", str(CASES / name))
        (device,) = json.loads(out)["devices"]
        return device["os"], {port["name"]: port for port in device["ports"]}

    return show


Show = Callable[[str], tuple[str, dict[str, Any]]]


def test_configuration_outranks_the_name_of_a_command(ports: Show) -> None:
    """`show interface counters` is a command of several systems."""
    os, found = ports("recognise/y_counters.txt")
    assert (os, len(found)) == ("dell_enterprise_sonic", 4)


@pytest.mark.parametrize("name", ["mix1", "z1"])
def test_typed_lines_beside_outputs(ports: Show, name: str) -> None:
    """A session that ends with an output, or begins with one, gives the ports that were typed."""
    os, found = ports(f"recognise/{name}.txt")
    assert os == "dell_enterprise_sonic"
    assert found["Ethernet0"]["pfc_priorities"] == [3, 4]
    assert found["Ethernet0"]["queues"]


def test_indentation_does_not_matter(ports: Show) -> None:
    """The same configuration with and without indentation gives one result."""
    for name in ("flat_wd", "flat_one_indent", "flat_none"):
        (port,) = ports(f"readers/{name}.cfg")[1].values()
        assert (port["pfc_mode"], port["mtu_bytes"], port["lag"]) == ("on", 9216, "port-channel7"), name


def test_last_word_wins(ports: Show) -> None:
    """A later `no` takes the mode back to the default."""
    assert ports("readers/no_line_nxos.cfg")[1]["Ethernet1/1"]["pfc_mode"] == "auto"


def test_aruba_stays_read(ports: Show) -> None:
    """A printed configuration of AOS-CX gives its ports."""
    os, found = ports("readers/cx.cfg")
    assert (os, len(found)) == ("aruba_aoscx", 3)


def test_port_without_a_profile_is_found(ports: Show, run: Run) -> None:
    """Three CloudEngine ports pause, one has no PFC profile."""
    assert ports("readers/hw_missing.cfg")[1]["100GE1/0/4"]["pfc_mode"] == "off"
    _, out, _ = run("check", "--format", "json", str(CASES / "readers/hw_missing.cfg"))
    found = [(each["rule"], each["port"]) for each in json.loads(out)["findings"] if each["kind"] == "fail"]
    assert ("PFC001", "100GE1/0/4") in found


def test_comware_schedules_and_names_a_missing_table(ports: Show, run: Run) -> None:
    """`qos wfq cs6 group sp` is strict; a table of WRED that is applied and not there is an error."""
    (queue,) = (
        each for each in ports("readers/h3c_missing.cfg")[1]["HundredGigE1/0/1"]["queues"] if each["queue"] == 6
    )
    assert queue["scheduler"] == "strict"
    _, out, _ = run("check", "--format", "json", str(CASES / "readers/h3c_missing.cfg"))
    assert "CLS004" in {each["rule"] for each in json.loads(out)["findings"]}


def test_wrapped_line_has_one_answer(ports: Show, run: Run) -> None:
    """A line that a document wrapped marks the queue, and coverage calls it modelled."""
    queues = ports("readers/hugo_ecnline.cfg")[1]["Ethernet1/1"]["queues"]
    assert next(each["ecn"] for each in queues if each["queue"] == 3) is True
    path = CASES / "readers/hugo_ecnline.cfg"
    _, out, _ = run("show", "--coverage", str(path))
    states = dict(json.loads(out)["dumps"][0]["lines"])
    wrapped = [number for number, line in enumerate(path.read_text().splitlines(), 1) if line.strip() == "ecn"]
    assert {states[number] for number in wrapped} == {"modelled"}


def test_port_answers_for_itself_in_both_orders(ports: Show) -> None:
    """The minimum threshold of the port's own output wins over that of all ports."""
    for name in ("gs", "sg"):
        queues = ports(f"readers/{name}.txt")[1]["swp16"]["queues"]
        assert next(each["ecn_min_bytes"] for each in queues if each["queue"] == 3) == 156672, name
