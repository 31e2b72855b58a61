"""What leaves the process: listed lines only, all of them read-only, and sudo only where the inventory says so."""

import re
import threading
import time
from collections.abc import Callable, Mapping

import netmiko
import pytest
from conftest import Lab
from openssh import Keys, Shell
from replay import CLIS, PASSWORD, USER, Device

from auditor.collect import session
from auditor.collect.connection import Watch
from auditor.collect.credentials import Credentials
from auditor.collect.failure import ErrorKind, PullError
from auditor.collect.platforms import MAX_OF_A_TEMPLATE, PullCommand, compile_detection, find_platform, list_platforms
from auditor.collect.route import Route
from auditor.systems import systems

READ_ONLY = re.compile(
    r"show [\w -]+|display [\w -]+|nv (?:config show|show [\w -]+)|cat /[\w./{}-]+|grep -r \. /sys/[\w./{}-]+/"
    r"|show controllers [A-Z]\w+ \*(?: priority-flow-control)?|info from (?:running|state [a-z -]+(?: \*)?)"
    r"|ls -d /sys/[\w./*-]+|readlink -f /sys/[\w./*-]+|hostname|uname -[ra]|ip -j -d link"
    r"|rdma -j (?:link|statistic show)|rdma system|ibdev2netdev|ibv_devinfo -v|show_gids"
    r"|ethtool(?: -[iaSm]| --show-priv-flags)? \{netdev\}|mlnx_qos -i \{netdev\}"
    r"|dcb -j (?:-N )?(?:pfc|ets|app|buffer) show dev \{netdev\}|mlxconfig -d \{pci\} -e q"
    r"|mlxreg -d \{pci\} --get --reg_name ROCE_ACCL|nicctl show \w+|niccli --list_devices"
    r"|niccli --dev \{adapter\} qos --ets --show|lldpctl -f json0|lldptool -ti \{netdev\}|sysctl net\.ipv4\.tcp_ecn"
    r"|ecnconfig -l|nvidia-smi topo -m|grep -rh(?: -e [A-Z]+_)+ /etc/enroot/environ\.d/"
)
"""An independent list of what only reads: a command joins the product's list and this one, or this test fails."""
SESSION_ONLY = {
    *("terminal width 511", "terminal length 0", "set cli screen-width 511", "set cli complete-on-space off"),
    *("set cli screen-length 0", "screen-length 0 temporary", "screen-length disable", "no page", "unset HISTFILE"),
    *("environment cli-engine type basic", "environment complete-on-space false"),
    *("cli", "sonic-cli", "exit", "quit", "N"),
}
HARMFUL = (
    *(
        "configure terminal",
        "configure",
        "conf t",
        "system-view",
        "enable",
        "sudo -s",
        "sudo reboot",
        "reload",
        "reboot",
    ),
    *("copy running-config startup-config", "write memory", "commit", "save", "no shutdown", "interface Ethernet1/1"),
    *(
        "show running-config | redirect bootflash:x",
        "show version ; reload",
        "show version\nreload",
        "bash",
        "run bash",
    ),
    *("nv config apply", "nv set qos roce", "config save -y", "ecnconfig -p X -gmin 1", "mlxconfig -d x -e set A=1"),
    *(
        "set cli screen-length 1",
        "cat /etc/shadow",
        "ethtool ens1;reboot",
        "ethtool -i $(reboot)",
        "\x04",
        "\x1b[A",
        "y",
    ),
    *("sh -c 'reboot'", "dcb pfc set dev ens1 prio-pfc all:on", "mlnx_qos -i ens1 --pfc 0,0,0,1,0,0,0,0", "\x03\x03"),
)


def test_every_listed_command_only_reads() -> None:
    for platform in list_platforms().values():
        assert set(platform.session) <= SESSION_ONLY
        for command in platform.commands:
            assert READ_ONLY.fullmatch(command.template), command.template
            assert not re.search(r"[;&|<>$`\\'\"\n]", command.template), command.template
            assert command.purpose


def test_every_platform_can_say_its_configuration() -> None:
    for platform in list_platforms().values():
        assert any(command.required for command in platform.commands), platform.name
        assert platform.driver in netmiko.platforms
        assert find_platform(platform.name) is platform
        assert all(find_platform(alias) is platform for alias in systems()[platform.name].aliases)


@pytest.mark.parametrize("harmful", HARMFUL)
def test_no_pattern_lets_anything_else_through(harmful: str) -> None:
    for platform in list_platforms().values():
        for sudo in (False, True):
            assert not platform.compile_allowed(sudo=sudo).fullmatch(harmful)
    assert not compile_detection().fullmatch(harmful)


def test_sudo_is_let_through_only_where_the_inventory_says_so() -> None:
    linux = list_platforms()["linux"]
    root = next(command for command in linux.commands if command.root and not command.arguments)
    other = next(command for command in linux.commands if not command.root and not command.arguments)
    assert "sudo -n " in linux.line(root, root.template, sudo=True)
    assert not linux.compile_allowed(sudo=False).fullmatch(linux.line(root, root.template, sudo=True))
    assert "sudo" not in linux.line(other, other.template, sudo=True)


@pytest.mark.parametrize(
    "name", ["eth0;reboot", "$(reboot)", "a b", "-s", "../x", "a\nb", "x" * 65, "`id`", "a'b", "é"]
)
def test_a_name_that_a_host_made_up_is_no_argument(name: str) -> None:
    command = PullCommand("ls", "", finds=(re.compile(r"^(?P<netdev>.*)$"),))
    assert list(command.find_names(name)) in ([], [("netdev", "b")], [("netdev", "a"), ("netdev", "b")])


def test_a_host_cannot_make_us_ask_without_end() -> None:
    command = PullCommand("ethtool {netdev}", "")
    assert len(list(command.list_instances({"netdev": [f"e{n}" for n in range(10_000)]}))) == MAX_OF_A_TEMPLATE


@pytest.mark.parametrize("system", sorted(CLIS))
def test_a_connection_cannot_be_made_to_configure(lab: Lab, system: str) -> None:
    """Whatever netmiko's class can do, asked for directly, ends at the gate."""
    device = Device(system, {})
    port = lab.add("switch1", device)
    platform = list_platforms()[system]
    watch = Watch(time.monotonic() + 30, threading.Event())
    way = Route("127.0.0.1", port, USER, (), (lab.known_hosts,))
    opened = session.open_session(platform, way, Credentials(USER, PASSWORD), watch, sudo=False, accept_new=False)
    connection = opened._connection
    try:
        attempts: list[Callable[[], object]] = [
            connection.config_mode,
            lambda: connection.send_config_set(["interface Ethernet1/1", "shutdown"]),
            connection.enable,
            connection.save_config,
            connection.commit,
            lambda: connection.send_command("reload"),
            lambda: connection.send_command_timing("show version; reload"),
            lambda: connection.write_channel("configure terminal\n"),
            lambda: connection.write_channel("exit\nconfigure\n"),
        ]
        refused = 0
        for attempt in attempts:
            try:
                attempt()
            except PullError as failure:
                refused += failure.kind is ErrorKind.REFUSED
            except (AttributeError, NotImplementedError):
                continue
        assert refused >= 6
    finally:
        opened.close()
    assert set(device.heard) <= set(platform.session)


def test_no_sudo_and_no_trace_without_the_inventorys_word(
    lab: Lab, keys: Keys, serve: Callable[[str, Mapping[str, str | bytes]], Shell]
) -> None:
    for name in ("plain", "trusted"):
        device = serve(name, {"ip -j -d link": "[]\n", "cat /etc/os-release": "ID=debian\n"})
        device.allow_sudo()
    lab.host("plain", hostname="plain", platform="linux", username="root")
    lab.host("trusted", hostname="trusted", platform="linux", username="root", sudo="true")
    assert lab.pull("--ssh-config", keys.config)[0] == 0
    for name in ("plain", "trusted"):
        assert not [line for line in Shell(lab.folder / name).asked if line.startswith("sudo")], "root needs no sudo"
        assert not (lab.folder / name / ".bash_history").exists()


def test_sudo_runs_what_needs_it_and_nothing_else() -> None:
    linux = list_platforms()["linux"]
    lines = {c.template: linux.line(c, c.template, sudo=True) for c in linux.commands}
    assert {c.template for c in linux.commands if c.root} == {t for t, line in lines.items() if "sudo -n" in line}
