"""The lines of a remedy typed at a host: what its captures show afterwards."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from auditor.model.dump import Capture
from auditor.systems.linux.effects import files, firmware, kernel, mlnx_qos, rdma_cm
from auditor.systems.linux.effects.edit import Captures
from auditor.systems.linux.effects.shell import ShellCommand, parse_commands

Effect: TypeAlias = Callable[[ShellCommand, Captures, Sequence[ShellCommand]], Captures | None]
"""Returns the captures after a command, given those typed before it; None where its effect is not stated."""
EFFECTS: Mapping[str, Effect] = {
    "echo": files.write,
    "printf": files.write,
    "sed": files.edit_file,
    "mlnx_qos": mlnx_qos.type_options,
    "mlxconfig": firmware.set_next_boot,
    "mlxfwreset": firmware.put_into_force,
    "ip": kernel.set_link,
    "ethtool": kernel.set_ethernet,
    "systemctl": kernel.switch_units,
    "setpci": kernel.set_register,
    "modprobe": kernel.load_module,
    "cma_roce_mode": rdma_cm.set_mode,
    "export": lambda _, captures, __: captures,
    "grubby": lambda _, captures, __: captures,
}
"""What each tool changes; the last ones change what jobs or boots to come see, and no capture of today."""


def list_unstated(lines: Sequence[str]) -> Sequence[str]:
    """Return those of *lines* whose tool is not known, or that a shell would replace parts of.

    >>> list_unstated(["ip link set dev a mtu 9000", "reboot", "cat a | sh"])
    ['reboot', 'cat a | sh']
    """
    return [
        line
        for line in lines
        if any(each.tool not in EFFECTS for each in parse_commands(line) or (ShellCommand("", ()),))
    ]


def type_lines(lines: Sequence[str], captures: Sequence[Capture]) -> Captures | None:
    r"""Return *captures* as they are after *lines*; None where the effect of one is not stated or no capture shows any.

    >>> before = (Capture("gpu1.txt", ("RX:\ton", "TX:\ton"), "ethtool -a rail0"),)
    >>> type_lines(["ethtool -A rail0 rx off tx off"], before)[0].lines
    ('RX:\toff', 'TX:\toff')
    >>> type_lines(["ethtool -A rail1 rx off"], before) is None, type_lines(["reboot"], before) is None
    (True, True)
    """
    before = tuple(captures)
    after: Captures = before
    done: list[ShellCommand] = []
    for line in lines:
        commands = parse_commands(line)
        if commands is None:
            return None
        for typed in commands:
            effect = EFFECTS.get(typed.tool)
            changed = effect(typed, after, done) if effect else None
            if changed is None:
                return None
            after = changed
            done.append(typed)
    return None if after == before else after
