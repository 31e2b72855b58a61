"""Loops over ports, and outputs without commands between them."""

import pytest

from auditor.inputs.detection import list_captures
from auditor.inputs.loops import unroll
from auditor.inputs.rawtext import Raw
from auditor.model.device import Device
from auditor.model.dump import Capture
from auditor.model.setting import value_of
from auditor.systems import systems

NETDEVS = {"ens1f0": (3, "dscp"), "ens2f0": (5, "pcp"), "ens4f0": (4, "dscp")}
ITEMS = " ".join(NETDEVS)


def show_qos(priority: int, trust: str) -> list[str]:
    enabled = "   ".join(str(int(each == priority)) for each in range(8))
    return [
        "DCBX mode: OS controlled",
        f"Priority trust state: {trust}",
        "PFC configuration:",
        "\tpriority    0   1   2   3   4   5   6   7",
        f"\tenabled     {enabled}   ",
    ]


def read(lines: list[str]) -> Device:
    raw = Raw("paste.txt", "", tuple(lines), ends_with_newline=True)
    return systems()["linux"].parse("paste", "paste.txt", list_captures(raw))


def split(lines: list[str]) -> tuple[Capture, ...]:
    return (Capture("paste.txt", tuple(lines[1:]), lines[0].partition("# ")[2]),)


LOOPS = {
    "for i in %s; do echo $i; mlnx_qos -i $i; done": "{}",
    'for i in %s; do echo "== ${i} =="; mlnx_qos -i "$i"; done': "== {} ==",
    "for nic in %s; do echo $nic:; sudo mlnx_qos -i ${nic} 2>/dev/null; done": "{}:",
    "for i in $(ls /sys/class/net); do echo $i && mlnx_qos -i $i; done": "{}",
    "for i in %s; do mlnx_qos -i $i; done": "",
}
CUTS = {"": slice(None), "| grep -A2 PFC": slice(2, 5), "| tail -3": slice(2, 5)}


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("loop", LOOPS)
def test_each_round_is_of_its_port(loop: str, cut: str) -> None:
    lines = [f"root@node7:~# {loop.replace('%s', ITEMS).replace('; done', f' {cut}; done')}"]
    for netdev, (priority, trust) in NETDEVS.items():
        lines += [LOOPS[loop].format(netdev)] * bool(LOOPS[loop]) + show_qos(priority, trust)[CUTS[cut]]
    device = read(lines)
    found = {port.name: value_of(port.config.pfc.priorities) for port in device.ports}
    assert found == {netdev: (priority,) for netdev, (priority, _) in NETDEVS.items()}
    assert device.doubts == ()
    for port in device.ports:
        where = port.locate(getattr(port.config.pfc.priorities, "where", None))
        assert where is not None
        assert "enabled" in lines[where.line - 1]


def test_a_round_of_two_commands() -> None:
    lines = [f"root@node7:~# for i in {ITEMS}; do echo $i; ethtool -i $i; mlnx_qos -i $i; done"]
    for number, (netdev, (priority, trust)) in enumerate(NETDEVS.items()):
        lines += [netdev, "driver: mlx5_core", f"firmware-version: 28.40.{number} (X)", *show_qos(priority, trust)]
    for number, port in enumerate(read(lines).ports):
        assert port.config.nic is not None
        assert value_of(port.config.nic.firmware) == f"28.40.{number}"
        assert value_of(port.config.pfc.priorities) == (NETDEVS[port.name][0],)


def test_commands_of_a_round_that_cannot_be_told_apart_keep_their_outputs() -> None:
    """Of two commands one printed nothing; what the other printed belongs to the port that it names."""
    lines = ["root@node7:~# for i in ens1f0; do echo $i; ibstat $i; ethtool $i; done", "ens1f0"]
    lines += ["Settings for ens1f0:", "\tSpeed: 200000Mb/s"]
    (capture,) = unroll(split(lines)[0])
    assert (capture.command, capture.lines) == ("", tuple(lines[2:]))
    (port,) = read(lines).ports
    assert (port.name, value_of(port.config.ethernet.speed_gbps)) == ("ens1f0", 200)


def test_a_number_begins_no_round_of_unknown_values() -> None:
    lines = ["root@node7:~# for i in $(ls); do echo $i; x $i; done", "a", "100", "b", "7"]
    rounds = [capture.command for capture in unroll(split(lines)[0])]
    assert rounds == ["x a", "x b"]


@pytest.mark.parametrize("text", ["$i-$i", "$i $i $i", "<$i><$i>"])
def test_a_value_that_is_printed_twice_is_the_same_twice(text: str) -> None:
    head = f"root@node7:~# for i in $(ls); do echo {text}; x $i; done"
    shown, other = (text.replace("$i", "ens1").replace("ens1", name) for name in ("ens1", "ens2"))
    mixed = text.replace("$i", "ens1", 1).replace("$i", "ens2")
    lines = [head, shown, "out", mixed, other, "out"]
    assert [capture.command for capture in unroll(split(lines)[0])] == ["x ens1", "x ens2"]


def test_rounds_without_an_output_are_no_rounds() -> None:
    lines = ["root@node7:~# for i in a b; do echo $i; x $i; done", "a", "b", "out"]
    assert [capture.command for capture in unroll(split(lines)[0])] == ["for i in a b; do echo $i; x $i; done"]


@pytest.mark.parametrize("lost", range(3))
def test_rounds_that_do_not_repeat_belong_to_no_port(lost: int) -> None:
    """Of two ports with PFC and one without an output, nothing says which."""
    lines = [f"root@node7:~# for i in {ITEMS}; do mlnx_qos -i $i; done"]
    for number, (priority, trust) in enumerate(NETDEVS.values()):
        lines += show_qos(priority, trust) if number != lost else ["RTNETLINK answers: Operation not supported"]
    assert not {port.name for port in read(lines).ports} & set(NETDEVS)


OUTPUTS = {
    "ibdev2netdev": ["mlx5_4 port 1 ==> ens1f0 (Up)"],
    "rdma link": ["link mlx5_4/1 state ACTIVE physical_state LINK_UP netdev ens1f0"],
    "ethtool": ["Settings for ens1f0:", "\tSpeed: 200000Mb/s"],
    "ethtool -a": ["Pause parameters for ens1f0:", "Autonegotiate:\toff", "RX:\t\toff", "TX:\t\ton"],
    "ibstat": ["CA 'mlx5_4'", "\tFirmware version: 28.40.1", "\tPort 1:", "\t\tLink layer: Ethernet"],
    "show_gids": ["DEV\tPORT\tINDEX\tGID\tIPv4\tVER\tDEV", "mlx5_4\t1\t3\t::ffff:10.0.0.1\t10.0.0.1\tv2\tens1f0"],
}


@pytest.mark.parametrize("second", OUTPUTS)
@pytest.mark.parametrize("first", OUTPUTS)
def test_outputs_without_commands(first: str, second: str) -> None:
    """Two outputs in one file, below each other, say what they say in files of their own."""
    if first == second:
        return
    together = read([*OUTPUTS[first], "", *OUTPUTS[second]])
    raws = [Raw(f"{name}.txt", "", tuple(OUTPUTS[name]), ends_with_newline=True) for name in (first, second)]
    captures = [capture for raw in raws for capture in list_captures(raw)]
    apart = systems()["linux"].parse("paste", "", captures)
    assert [port.name for port in together.ports] == [port.name for port in apart.ports]
    assert [_list_values(port) for port in together.ports] == [_list_values(port) for port in apart.ports]
    assert together.doubts == ()


def _list_values(port: object) -> list[object]:
    config, rdma = port.config, port.rdma  # type: ignore[attr-defined]
    settings = [config.ethernet.speed_gbps, config.pause.rx, config.pause.tx]
    if config.nic:
        settings += [
            rdma.name,
            config.nic.firmware,
            config.nic.link_layer,
            rdma.gids,
            config.nic.link_up,
        ]
    return [value_of(setting) for setting in settings]


def test_an_output_of_no_port_is_said() -> None:
    """Of two ports nothing says whose trust is shown; the file itself is no port."""
    device = read([*OUTPUTS["ibdev2netdev"], "mlx5_5 port 1 ==> ens2f0 (Up)", *show_qos(3, "dscp")])
    assert [port.name for port in device.ports] == ["ens1f0", "ens2f0"]
    assert len(device.doubts) == 1
