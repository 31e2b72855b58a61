"""Twelve weekly captures of the pod in a git repository, with thirty changes, noise that is none, and a gap.

    python tests/drift/weeks.py FOLDER

writes the repository, and `changes.yaml` beside it.
"""

import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from fnmatch import fnmatch
from pathlib import Path

POD = Path(__file__).parents[2] / "fixtures" / "pod-clean"
WEEKS = 12
TICKETS = {4: "CHG0004412 firmware of the first three hosts", 8: "FAB-118: CNPs and drop probability"}
"""Weeks whose commits name a ticket."""
ABSENT_HOST, ABSENT_IN = "gpu08.txt", 6
SHOWN = "/show_running-config.txt"


@dataclass(frozen=True, slots=True)
class Planted:
    """A change: from which week, in which files, what becomes of each match, and how drift should tell it.

    `until` is the week that takes it back. `listed` is its id in the list of changes. `path` is one of its settings.
    """

    week: int
    files: str
    find: str
    put: str | Callable[[re.Match[str]], str]
    path: str
    devices: tuple[str, ...]
    ports: int = 0
    until: int = 0
    listed: str = ""
    everywhere: bool = False

    @property
    def explained(self) -> str:
        """The beginning of what explains it; empty where nothing does."""
        return self.listed or TICKETS.get(self.week, "").split(":")[0].split(" ")[0]


def _stanza(port: str, line: str) -> str:
    """Return a pattern of a line below an interface, with all before it as the first group."""
    return rf"(interface {re.escape(port)}\n(?:  .*\n)*?)  {line}\n"


def _of_rail(rail: str, line: str) -> str:
    return rf"(\$ mlnx_qos -i {rail}\n(?:(?!\$).*\n)*?){line}"


def _replace_mac(found: re.Match[str]) -> str:
    return f"{found['octets']}7a:01:02" if found["octets"] else f"{found['words']}7a:0102"


LEAVES = tuple(f"leaf{n}" for n in range(1, 9))
SPINES = tuple(f"spine{n}" for n in range(1, 5))
OLD, NEW = "28.43.2026", "28.45.1200"
CHANGES: Sequence[Planted] = (
    Planted(
        2,
        f"leaf?{SHOWN}",
        "minimum-threshold 150 ",
        "minimum-threshold 1500 ",
        "queues[3].ecn_min_bytes",
        LEAVES,
        256,
        everywhere=True,
    ),
    Planted(2, "gpu03.txt", "^NCCL_IB_TC=106$", "NCCL_IB_TC=104", "host.environment.NCCL_IB_TC", ("gpu03",)),
    Planted(
        2,
        "gpu07.txt",
        _of_rail("rail3", "Priority trust state: dscp"),
        r"\1Priority trust state: pcp",
        "trust",
        ("gpu07",),
        1,
    ),
    Planted(3, f"spine1{SHOWN}", _stanza("Ethernet1/1", "mtu 9216"), "\\1  mtu 9000\n", "mtu_bytes", ("spine1",), 1),
    Planted(
        3,
        f"spine?{SHOWN}",
        "source-destination port source-destination",
        "source-destination",
        "ecmp.fields",
        SPINES,
        everywhere=True,
    ),
    Planted(
        3,
        f"leaf3{SHOWN}",
        _stanza("Ethernet1/4", "priority-flow-control mode on"),
        "\\1  priority-flow-control mode off\n",
        "pfc_mode",
        ("leaf3",),
        1,
        until=5,
    ),
    Planted(3, "gpu09.txt", "MaxReadReq 4096", "MaxReadReq 512", "nic.pcie.max_read_request_bytes", ("gpu09",), 9),
    Planted(4, "gpu0[123].txt", re.escape(OLD), NEW, "nic.firmware", ("gpu01", "gpu02", "gpu03"), 24),
    Planted(4, f"leaf2{SHOWN}", "maximum-paths 64", "maximum-paths 32", "ecmp.max_paths", ("leaf2",)),
    Planted(5, f"leaf5{SHOWN}", "match dscp 48", "match dscp 46", "dscp_to_class[46]", ("leaf5",), 32),
    Planted(5, f"spine2{SHOWN}", _stanza("Ethernet1/9", "no shutdown"), "\\1  shutdown\n", "enabled", ("spine2",), 1),
    Planted(
        5,
        f"leaf6{SHOWN}",
        "buffer-size 187200",
        "buffer-size 200000",
        "priority_groups[3].size_bytes",
        ("leaf6",),
        32,
        listed="CR-7",
    ),
    Planted(6, "gpu0[456].txt", re.escape(OLD), NEW, "nic.firmware", ("gpu04", "gpu05", "gpu06"), 24, listed="CR-9"),
    Planted(
        6, "gpu05.txt", "(?P<octets>02:00:5e:)20:05:02|(?P<words>5eff:fe)20:0502", _replace_mac, "mac", ("gpu05",), 1
    ),
    Planted(
        6,
        "gpu11.txt",
        "^NCCL_IB_GID_INDEX=3$",
        "NCCL_IB_GID_INDEX=1",
        "host.environment.NCCL_IB_GID_INDEX",
        ("gpu11",),
        until=9,
    ),
    Planted(
        7,
        "stor-leaf1/config_db.json",
        '"detection_time": "400"',
        '"detection_time": "200"',
        "pfc_watchdog_detection_ms",
        ("stor-leaf1",),
        14,
    ),
    Planted(
        7, f"leaf7{SHOWN}", _stanza("Ethernet1/9", "speed 400000"), "\\1  speed 200000\n", "speed_gbps", ("leaf7",), 1
    ),
    Planted(7, "gpu12.txt", r"(is-active lldpad lldpd\n)inactive", r"\1active", "host.services.lldpad", ("gpu12",)),
    Planted(
        7,
        f"spine3{SHOWN}",
        "remaining percent 80",
        "remaining percent 70",
        "queues[3].bandwidth_percent",
        ("spine3",),
        32,
        listed="CR-11",
    ),
    Planted(
        8,
        f"leaf8{SHOWN}",
        "drop-probability 7 ",
        "drop-probability 10 ",
        "queues[3].ecn_max_probability",
        ("leaf8",),
        32,
    ),
    Planted(8, "gpu13.txt", r"(cnp dscp\s+: )48", r"\g<1>46", "nic.cnp_dscp", ("gpu13",), 9),
    Planted(
        9,
        "cluster/training.yaml",
        'NCCL_IB_TC, value: "106"',
        'NCCL_IB_TC, value: "98"',
        "jobs.workloads[PyTorchJob training/llm, Worker, container pytorch].environment.NCCL_IB_TC",
        ("training",),
    ),
    Planted(
        9,
        f"spine4{SHOWN}",
        _stanza("Ethernet1/2", "service-policy type qos input SU1-CLASSIFY"),
        r"\1",
        "trust",
        ("spine4",),
        1,
    ),
    Planted(
        9,
        "gpu10.txt",
        "rail0/ecn/roce_rp/rpg_min_dec_fac:50",
        "rail0/ecn/roce_rp/rpg_min_dec_fac:150",
        "nic.dcqcn[rpg_min_dec_fac]",
        ("gpu10",),
        1,
    ),
    Planted(
        10,
        "gpu15.txt",
        r'("ifname":"rail0","flags":[^\]]*\],"mtu":)9000',
        r"\g<1>4200",
        "mtu_bytes",
        ("gpu15",),
        1,
        listed="CR-14",
    ),
    Planted(
        10,
        f"leaf4{SHOWN}",
        _stanza("Ethernet1/3", "priority-flow-control watch-dog-interval on"),
        "\\1  priority-flow-control watch-dog-interval off\n",
        "pfc_watchdog",
        ("leaf4",),
        1,
    ),
    Planted(
        10,
        "nfs?.txt",
        "MaxReadReq 4096",
        "MaxReadReq 1024",
        "nic.pcie.max_read_request_bytes",
        ("nfs1", "nfs2", "nfs3", "nfs4"),
        8,
        everywhere=True,
    ),
    Planted(
        11, f"leaf1{SHOWN}", _stanza("Ethernet1/1", "mtu 9216"), "\\1  mtu 9000\n", "mtu_bytes", ("leaf1",), 1, until=12
    ),
    Planted(11, "gpu16.txt", "tcp_ecn = 2", "tcp_ecn = 1", "host.sysctls.net.ipv4.tcp_ecn", ("gpu16",)),
    Planted(
        12,
        "stor-leaf2/config_db.json",
        r'("Ethernet8": \{\n(?:.*\n){1,8}?            "mtu": )"9100"',
        r'\1"9000"',
        "mtu_bytes",
        ("stor-leaf2",),
        1,
    ),
)
"""The changes, in the order of their weeks."""
PLAN = """schema: roce-audit/changes/1
changes:
  - {id: CR-7, devices: [leaf6], from: 2026-10-01, until: 2026-10-05, settings: ["priority_groups*"]}
  - {id: CR-9, devices: ["gpu0[4-6]"], from: 2026-10-12, settings: [nic.firmware]}
  - {id: CR-11, devices: ["spine*"], from: 2026-10-13, until: 2026-10-14}
  - {id: CR-14, devices: [gpu15], from: 2026-11-08, until: 2026-11-09, reason: a trial with a smaller MTU}
  - {id: CR-15, devices: [leaf4], from: 2026-01-01, until: 2026-02-01, reason: another time}
  - {id: CR-16, devices: [leaf1], from: 2026-09-01, settings: [speed_gbps], reason: another setting}
"""


def date_of(week: int) -> str:
    """Return the Monday of a week in ISO 8601."""
    return (date(2026, 9, 7) + timedelta(weeks=week - 1)).isoformat()


def read_week(week: int) -> dict[str, str]:
    """Return the files of the pod in a week."""
    files = {path.relative_to(POD).as_posix(): path.read_text("utf-8") for path in POD.rglob("*") if path.is_file()}
    for change in CHANGES:
        if not change.week <= week or (change.until and week >= change.until):
            continue
        for name, text in files.items():
            if fnmatch(name, change.files):
                files[name], count = re.subn(change.find, change.put, text, flags=re.MULTILINE)
                assert count, (change, name)
    for name, text in files.items():
        if text.startswith("!Command: show running-config"):
            files[name] = re.sub("(?m)^!Time: .*$", f"!Time: Mon {date_of(week)} 05:30:0{week % 10}", text, count=1)
        elif name.startswith("gpu"):
            files[name] = f"{text}$ ethtool -S rail0\nNIC statistics:\n     rx_prio3_pause: {week * 7919}\n"
    if week == ABSENT_IN:
        del files[ABSENT_HOST]
    return files


def write_history(folder: Path) -> None:
    """Write the repository into *folder*, a commit for each week."""
    _run(folder, "init", "-q", "-b", "main")
    for week in range(1, WEEKS + 1):
        for path in [*folder.glob("dumps/**/*")]:
            if path.is_file():
                path.unlink()
        for name, text in read_week(week).items():
            target = folder / "dumps" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, "utf-8")
        _run(folder, "add", "-A")
        message = TICKETS.get(week, f"weekly capture, {date_of(week)}")
        _run(folder, "commit", "-q", "-m", message, time=f"{date_of(week)}T06:00:00+00:00")


def _run(folder: Path, *arguments: str, time: str = "2026-09-07T06:00:00+00:00") -> None:
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1"}
    for who in ("AUTHOR", "COMMITTER"):
        environment |= {f"GIT_{who}_NAME": "ops", f"GIT_{who}_EMAIL": "ops@example.net", f"GIT_{who}_DATE": time}
    subprocess.run(["git", "-C", str(folder), *arguments], check=True, env=environment)


if __name__ == "__main__":
    place = Path(sys.argv[1])
    place.mkdir(parents=True)
    write_history(place)
    place.with_name("changes.yaml").write_text(PLAN, "utf-8")
