"""`cma_roce_mode -d DEV -p PORT -m 1|2`: the version of RoCE that connections of RDMA-CM use."""

from collections.abc import Sequence

from auditor.systems.linux.effects.edit import Captures, edit_captures
from auditor.systems.linux.effects.files import rewrite_file
from auditor.systems.linux.effects.shell import ShellCommand, parse_options

_VERSIONS = {"1": "IB/RoCE v1", "2": "RoCE v2"}


def set_mode(typed: ShellCommand, captures: Captures, _: Sequence[ShellCommand]) -> Captures | None:
    """Return *captures* after the mode of a port was set, in the tool's own output and in configfs."""
    options = parse_options(typed.words) or {}
    device, port, shown = options.get("-d"), options.get("-p"), _VERSIONS.get(options.get("-m", ""))
    if not device or not port or shown is None or len(options) > len(("-d", "-p", "-m")):
        return None
    told = edit_captures(captures, "cma_roce_mode", lambda call, _: call.subject.rdma == device, lambda _: [shown])
    path = f"/sys/kernel/config/rdma_cm/{device}/ports/{port}/default_roce_mode"
    return None if told is None else rewrite_file(told, path, lambda _: [shown])
