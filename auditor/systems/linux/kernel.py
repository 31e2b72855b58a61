"""Settings of the whole host: kernel modules and parameters, sysctls, daemons, and variables of jobs."""

import re
from collections.abc import Callable, Iterator

from auditor.grammar.variables import KEPT
from auditor.model.dump import Capture
from auditor.model.host import Host, ValuesByName
from auditor.model.setting import Known, Origin
from auditor.systems.linux import text
from auditor.systems.linux.command import Command
from auditor.systems.linux.evidence import Call, Events, HostFact, Hostname, Release
from auditor.systems.linux.facts import make_service
from auditor.systems.linux.fetch import PULL, SCRIPT, Fetch
from auditor.systems.linux.marks import mark_ignored, mark_modelled, mark_not_modelled
from auditor.util.regex import regex

_MODULE = regex(r"([a-z0-9_]+)\s+\d+\s+(?:-?\d+)\b.*")
_MODULES = regex(
    r"mlx[45]\w*|bnxt_\w+|irdma|ice|idpf|ionic\w*|qed\w*|nvidia\w*|nv_peer_mem|amdgpu|amd_peer\w*|ib_\w+|rdma_\w+"
    r"|8021q|bonding|ib_peer_mem|gdrdrv"
)
_KERNEL_PARAMETER = regex(
    r"(?:(?:intel_|amd_)?iommu(?:\.\w+)?|pci|pcie_\w+|(?:mlx[45]_\w+|bnxt_\w+|irdma|ice|ionic\w*|qed\w*)\.\w+)"
)
_SYSCTL = regex(r"((?:net|vm|kernel)\.[\w./-]+)\s*=\s*(.*)")
_KEPT_SYSCTL = regex(r"net\.ipv[46]\..*|net\.core\..*")
_UNIT = regex(r"(lldpad|lldpd)(?:\.service|\.socket)?")
_STATES = frozenset({"active", "inactive", "failed", "activating", "deactivating", "unknown"})
_LISTS = ("_HCA", "_IFNAME")
_VARIABLE = regex(r"(?:(?:echo|print)\s+[\"']?)?(?:export\s+|-x\s+|--env\s+)?([A-Z][A-Z0-9_]*)=(.*)")
"""A variable as the environment shows it, a shell script sets it, or Slurm's TaskProlog prints it."""


def read_modules(capture: Capture, _: Call) -> Events:
    """Yield the loaded modules that have to do with RDMA, of `lsmod` or `/proc/modules`."""
    found: dict[str, Known[bool]] = {}
    for index, line in text.list_lines(capture):
        match = _MODULE.fullmatch(line)
        if match and _MODULES.fullmatch(match[1]):
            found[match[1]] = Known(True, Origin.LEARNED, capture.where(index))
            yield mark_modelled(index)
        elif match or line.startswith("Module "):
            yield mark_ignored(index)
    if found:
        yield HostFact(Host(modules=Known(found, Origin.LEARNED, capture.where(0))))


def read_command_line(capture: Capture, call: Call) -> Events:
    """Yield the kernel's parameters on IOMMU, PCIe and NIC drivers, and no others; `grep` may print none."""
    if call.text.startswith("grep") and not any(text.list_lines(capture)):
        yield HostFact(Host(kernel_parameters=Known({}, Origin.INTENDED, capture.where(0))))
    for index, line in text.list_lines(capture):
        if text.is_error(line):
            continue
        where = capture.where(index)
        pairs = (word.partition("=") for word in line.split())
        found = {
            name: Known(value, Origin.INTENDED, where) for name, _, value in pairs if _KERNEL_PARAMETER.fullmatch(name)
        }
        yield HostFact(Host(kernel_parameters=Known(found, Origin.INTENDED, where)))
        yield mark_modelled(index)


def read_sysctls(capture: Capture, _: Call) -> Events:
    """Yield the network sysctls, of `sysctl`, of its files or of `sysctl.conf`."""

    def of(name: str, value: str) -> tuple[str, str] | None:
        return (name.replace("/", "."), value.strip()) if _KEPT_SYSCTL.fullmatch(name.replace("/", ".")) else None

    yield from _read_pairs(capture, _SYSCTL, of, lambda named: Host(sysctls=named))


def read_environment(capture: Capture, call: Call) -> Events:
    """Yield the variables on traffic class, GID and devices of a job's environment or of an NCCL configuration.

    NCCL takes the first line of a variable in its configuration (`setenv` that does not overwrite); a shell the last.
    """
    taken: set[str] = set()

    def of(name: str, value: str) -> tuple[str, str] | None:
        bare = value.strip().strip("\"'")
        if name in taken and "nccl" in call.text:
            return None
        taken.add(name)
        # NCCL reads `=` before a list as a wish for whole names
        return (
            (name, bare if name.endswith(_LISTS) else bare.removeprefix("=").strip()) if KEPT.fullmatch(name) else None
        )

    yield from _read_pairs(capture, _VARIABLE, of, lambda named: Host(environment=named))


def _read_pairs(
    capture: Capture,
    pattern: re.Pattern[str],
    of: Callable[[str, str], tuple[str, str] | None],
    host: Callable[[Known[ValuesByName]], Host],
) -> Events:
    """Yield the lines of *pattern* that *of* keeps as values of a host."""
    found: dict[str, Known[str]] = {}
    for index, line in text.list_lines(capture):
        match = pattern.fullmatch(line)
        kept = of(match[1], match[2]) if match and not text.is_error(line) else None
        if kept:
            found[kept[0]] = Known(kept[1], Origin.INTENDED, capture.where(index))
            yield mark_modelled(index)
        elif match or line.startswith(("#", ";")):
            yield mark_not_modelled(index) if match else mark_ignored(index)
        elif not text.is_error(line):
            yield mark_ignored(index)
    if found:
        yield HostFact(host(Known(found, Origin.INTENDED, capture.where(0))))


def read_units(capture: Capture, call: Call) -> Events:
    """Yield the states of LLDP daemons, of `systemctl is-active UNIT...`, one line per unit."""
    units = [word for word in call.text.split() if not word.startswith("-")][2:]
    states = [(index, line) for index, line in text.list_lines(capture) if line in _STATES]
    for number, (index, state) in enumerate(states):
        unit = _UNIT.fullmatch(units[number]) if len(units) == len(states) else None
        if unit:
            yield make_service(unit[1], "active" if state == "active" else "inactive", capture.where(index))
        yield mark_modelled(index) if unit else mark_not_modelled(index)


def read_hostname(capture: Capture, call: Call) -> Events:
    """Yield the host's name, of `hostname`, `hostnamectl` or `uname -n`."""
    for index, line in _list_lines(capture):
        words = line.split()
        name = words[1] if call.text.endswith("-a") and len(words) > 1 else words[-1]
        if not line.startswith("Static") or "hostname:" in line:
            yield Hostname(name)
            yield mark_modelled(index)
        break


def read_kernel_release(capture: Capture, _: Call) -> Events:
    """Yield the release of the kernel, of `uname -r`."""
    for index, line in _list_lines(capture):
        yield Release(Known(f"Linux {line.split()[0]}", Origin.LEARNED, capture.where(index)))
        yield mark_modelled(index)
        break


def _list_lines(capture: Capture) -> Iterator[tuple[int, str]]:
    return ((index, line) for index, line in text.list_lines(capture) if not text.is_error(line))


COMMANDS = (
    Command("lsmod", r"lsmod", read_modules, (), r"^Module +Size +Used by", "kernel modules of NICs and GPUs"),
    Command(
        "cat /proc/modules",
        r"cat proc modules",
        read_modules,
        shows="kernel modules of NICs and GPUs",
        fetch=(Fetch(("cat /proc/modules",), "drivers, and peer memory for GPUs", by=SCRIPT),),
    ),
    Command(
        "cat /proc/cmdline",
        r"cat proc cmdline|grep -o .{1,60} proc cmdline",
        read_command_line,
        (),
        r"\ABOOT_IMAGE=",
        "IOMMU, PCIe and driver parameters of the kernel",
        fetch=(
            Fetch(("cat /proc/cmdline",), "IOMMU and PCI flags", by=PULL),
            # the rest of the line may hold secrets, and the script's output leaves the host as it is
            Fetch(("grep -o '[a-z_]*iommu[.a-z]*=[^ ]*' /proc/cmdline",), "IOMMU flags", tells=True, by=SCRIPT),
        ),
    ),
    Command(
        "sysctl",
        r"sysctl(?: .+)?|cat etc sysctl.+",
        read_sysctls,
        (),
        r"^net\.[\w.]+ = ",
        "network sysctls",
        fetch=(Fetch(("sysctl net.ipv4.tcp_ecn",), "ECN of TCP, often mistaken for that of RoCE"),),
    ),
    Command(
        "NCCL configuration",
        r"env|printenv|cat etc nccl\.conf|(?:/?etc/)?nccl\.conf|cat etc enroot environ\.d .+"
        r"|grep -rh(?: -e [A-Z]+_?)+ etc enroot environ\.d(?: )?",
        read_environment,
        (),
        r"^(?:(?:echo|print) [\"']?)?(?:export )?(?:NCCL|RCCL|UCX)_[A-Z_]+=",
        "what jobs ask of the fabric: traffic class, GID index, devices",
        fetch=(
            Fetch(("cat /etc/nccl.conf",), "traffic class and GID that jobs ask for", needs="/etc/nccl.conf"),
            Fetch(
                ("grep -rh -e NCCL_ -e RCCL_ -e UCX_ -e NVSHMEM_ /etc/enroot/environ.d/",),
                "the same, in containers of Enroot",
                needs="/etc/enroot/environ.d",
                tells=True,
            ),
        ),
    ),
    Command(
        "systemctl is-active",
        r"systemctl is-active .+",
        read_units,
        shows="which LLDP daemons run",
        fetch=(
            Fetch(
                ("systemctl is-active lldpad lldpd",), "agents that may overwrite the settings", tells=True, by=SCRIPT
            ),
        ),
    ),
    Command(
        "hostname",
        r"hostname(?: -[sf])?|uname -n|uname -a|hostnamectl(?: .+)?",
        read_hostname,
        shows="the host's name",
        fetch=(
            Fetch(("uname -n",), "the host's name", by=SCRIPT),
            Fetch(("hostname",), "the host's name", by=PULL),
        ),
    ),
    Command(
        "uname -r",
        r"uname -r",
        read_kernel_release,
        shows="the kernel's release",
        fetch=(Fetch(("uname -r",), "the kernel"),),
    ),
)
