"""Sessions of hosts: prompts of all kinds, and commands that run another command."""

import pytest

from auditor.grammar.elsewhere import Elsewhere, follow
from auditor.inputs.detection import list_captures
from auditor.inputs.rawtext import Raw
from auditor.model.device import Device
from auditor.model.setting import value_of
from auditor.systems import systems

MAP = "mlx5_4 port 1 ==> ens9f0 (Up)"
PAUSE = ("Pause parameters for {}:", "Autonegotiate: off", "RX: on", "TX: off")


def read(*lines: str) -> Device:
    raw = Raw("paste.txt", "", lines, ends_with_newline=True)
    return systems()["linux"].parse("paste", "paste.txt", list_captures(raw))


PROMPTS = {
    "node7:~ # ": "node7",
    "node7 ~ # ": "node7",
    "node7:/opt/x $ ": "node7",
    "root@node7:~# ": "node7",
    "[root@node7 x]# ": "node7",
    "(venv) root@node7:/x# ": "node7",
    "[2026-02-03 10:11:12] root@node7:~# ": "node7",
    "10:11:12 root@node7:~# ": "node7",
    "$ root@node7:~$ ": "node7",
    "\u279c  ~ ": "paste",
    "\u276f ": "paste",
    "bash-5.1# ": "paste",
    "node7# ": "paste",
    "# ": "paste",
    "$ ": "paste",
}


@pytest.mark.parametrize("prompt", PROMPTS)
def test_prompts(prompt: str) -> None:
    """Each prompt ends the output above, and gives the host a name if it shows one."""
    device = read(
        f"{prompt}ibdev2netdev",
        MAP,
        f"{prompt}cat /sys/class/infiniband/mlx5_4/tc/1/traffic_class",
        "Global tclass=162",
        f"{prompt}cma_roce_tos -d mlx5_4",
        "162",
    )
    (port,) = device.ports
    assert device.name == PROMPTS[prompt]
    assert port.config.nic is not None
    assert value_of(port.config.nic.traffic_class) == value_of(port.config.nic.rdma_cm_tos) == 162
    assert device.doubts == ()


FOLLOWED = {
    "ssh node7 {}": "node7",
    "ssh -o StrictHostKeyChecking=no -p 22 root@node7 {}": "node7",
    "ssh node7 '{}'": "node7",
    "kubectl exec node7 -- {}": "node7",
    "kubectl -n ml exec -it pod/node7 -c main -- {}": "node7",
    "kubectl exec -it -n ml node7 -- bash -c '{}'": "node7",
    "kubectl exec deploy/train -- {}": "",
    "oc rsh node7 {}": "node7",
    "oc debug node/node7 -- chroot /host {}": "node7",
    "docker exec -it -u root box {}": "",
    "podman exec box {}": "",
    "ip netns exec blue {}": "",
    "nsenter -t 1 -n -- {}": "",
    "watch -n 1 '{}'": "",
    "sudo docker exec box sh -c '{}'": "",
}
NOT_FOLLOWED = (
    "ssh node7",
    "kubectl get pods",
    "docker ps -a",
    "ip netns list",
    "kubectl exec",
    "watch",
    "ip link",
    "",
)


@pytest.mark.parametrize("form", FOLLOWED)
def test_commands_elsewhere(form: str) -> None:
    """The output is that of the inner command, of the host or pod that it ran on."""
    (port,) = read(f"me@jump:~$ {form.format('ethtool -a ens9f0')}", *PAUSE[1:]).ports
    assert (port.name, value_of(port.config.pause.rx), value_of(port.config.pause.tx)) == ("ens9f0", True, False)
    assert follow(form.removeprefix("sudo ").format("ethtool -a ens9f0")) == Elsewhere(
        "ethtool -a ens9f0", FOLLOWED[form]
    )


@pytest.mark.parametrize("command", NOT_FOLLOWED)
def test_commands_here(command: str) -> None:
    assert follow(command) == Elsewhere(command)


def test_hosts_behind_a_jump_host_name_it_not() -> None:
    device = read(*(line for at in (1, 2) for line in (f"me@jump:~$ ssh node{at} ethtool -a ens{at}f0", *PAUSE[1:])))
    assert [port.name for port in device.ports] == ["ens1f0", "ens2f0"]
    assert device.name == "paste"
    assert "node1 and node2" in device.doubts[0].why


@pytest.mark.parametrize("form", ["./collect.sh {}", "run_on_all {}", "x={}; do_it $x"])
def test_an_unknown_command_replaces_no_other_output(form: str) -> None:
    """What shows its command by content alone may be of another port than the output before."""
    lines = [
        line
        for netdev in ("ens1f0", "ens2f0")
        for line in (f"$ {form.format(netdev)}", *(each.format(netdev) for each in PAUSE))
    ]
    assert [port.name for port in read(*lines).ports] == ["ens1f0", "ens2f0"]


LOOPS = {
    "for f in {}/*; do echo $f; cat $f; done": "{}/{}\n{}",
    'for f in {}/*; do echo "$f:"; cat $f; done': "{}/{}:\n{}",
    'for f in {}/*; do echo -n "$f "; cat $f; done': "{}/{} {}",
    "tail -n +1 {}/*": "==> {}/{} <==\n{}",
    "grep . {}/*": "{}/{}:{}",
}


@pytest.mark.parametrize("loop", LOOPS)
def test_loops_that_name_each_file(loop: str) -> None:
    folder = "/sys/class/infiniband/mlx5_4/ports/1"
    parts = {"gids": ("fe80::1", "::ffff:10.0.0.1"), "gid_attrs/types": ("IB/RoCE v1", "RoCE v2")}
    lines = []
    for part, values in parts.items():
        lines.append(f"root@node7:~# {loop.format(f'{folder}/{part}')}")
        for index, value in enumerate(values):
            lines += LOOPS[loop].format(f"{folder}/{part}", index, value).splitlines()
    device = read(*lines)
    (port,) = device.ports
    assert port.config.nic is not None
    assert [(gid.index, gid.type) for gid in value_of(port.rdma.gids) or ()] == [(0, "v1"), (1, "v2")]
    assert device.doubts == ()
