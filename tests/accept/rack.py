"""The rack of `fixtures/pod-clean` with eight differences planted in its hosts, each in the text of one dump.

    python tests/accept/rack.py FOLDER

writes the dumps of the whole pod with all of them.
"""

import re
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

FIXTURES = Path(__file__).parents[2] / "fixtures"
POD, SPEC = FIXTURES / "pod-clean", FIXTURES / "acceptance" / "rack.yaml"


@dataclass(frozen=True, slots=True)
class Planted:
    """A difference: host, port (empty for the host as a whole), item that fails, its value, and edit of the dump."""

    host: str
    port: str
    what: str
    found: str
    edit: Callable[[str], str]


def replace_in(start: str, old: str, new: str, count: int = 1) -> Callable[[str], str]:
    """Return an edit: *new* for the first *old* behind the text *start*, in the output of one command."""

    def edit(text: str) -> str:
        head, found, rest = text.partition(start)
        assert found, start
        assert old in rest, old
        return head + found + rest.replace(old, new, count)

    return edit


def chain(*edits: Callable[[str], str]) -> Callable[[str], str]:
    """Return the edit that makes *edits* one after another."""

    def edit(text: str) -> str:
        for each in edits:
            text = each(text)
        return text

    return edit


def swap_cables(text: str) -> str:
    """Return *text* with the neighbours of rail1 and rail2 exchanged."""
    start, end = text.index("$ lldpctl"), text.index("$ systemctl")
    told = text[start:end].replace('"leaf2"', '"leaf#"').replace('"leaf3"', '"leaf2"').replace('"leaf#"', '"leaf3"')
    return text[:start] + told + text[end:]


def remove_nic(text: str) -> str:
    """Return *text* without the NIC behind rail5, `mlx5_5` at 0000:bc:00.0."""
    blocks = re.split(r"^(?=\$ )", text, flags=re.MULTILINE)
    own = re.compile(r"\$ [^\n]*(?:rail5|mlx5_5\b|0000:bc:00)")
    kept = "".join(block for block in blocks if not own.match(block))
    kept = re.sub(r'^\{"ifindex":8,.*\n', "", kept, flags=re.MULTILINE)
    kept = re.sub(r'\{"ifindex":5,"ifname":"mlx5_5"[^}]*\},', "", kept)
    kept = re.sub(r"^mlx5_5[ \t].*\n", "", kept, flags=re.MULTILINE)
    kept = re.sub(r"^hca_id:\tmlx5_5\n(?:.+\n)*\n", "", kept, flags=re.MULTILINE)
    kept = re.sub(r"^bc:00\.0 .*\n(?:[ \t]+.*\n)*", "", kept, flags=re.MULTILINE)
    return re.sub(r'^    \{\n     "name": "rail5",\n(?:(?!    \}).*\n)*    \},\n', "", kept, flags=re.MULTILINE)


PLANTED: Sequence[Planted] = (
    Planted(
        "gpu03",
        "rail2",
        "nic.firmware",
        "28.39.3004",
        chain(
            replace_in("hca_id:\tmlx5_2\n", "28.43.2026", "28.39.3004"),
            replace_in("$ ethtool -i rail2\n", "28.43.2026", "28.39.3004"),
        ),
    ),
    Planted("gpu05", "rail1", "peer", "leaf3", swap_cables),
    Planted(
        "gpu06",
        "rail0",
        "pfc_priorities",
        "4",
        replace_in("$ mlnx_qos -i rail0\n", "0   0   0   1   0   0   0   0   \n", "0   0   0   0   1   0   0   0   \n"),
    ),
    Planted("gpu08", "rail3", "mtu_bytes", "1500", replace_in('"ifname":"rail3"', '"mtu":9000', '"mtu":1500')),
    Planted(
        "gpu09",
        "rail4",
        "nic.pcie.max_read_request_bytes",
        "512",
        replace_in("\n9c:00.0 ", "MaxReadReq 4096 bytes", "MaxReadReq 512 bytes"),
    ),
    Planted(
        "gpu11",
        "rail6",
        "nic.traffic_class",
        "96",
        replace_in("$ cat /sys/class/infiniband/mlx5_6/tc/1/traffic_class\n", "106", "96"),
    ),
    Planted("gpu12", "rail5", "port", "absent", remove_nic),
    Planted(
        "gpu02",
        "",
        "host.sysctls.net.ipv4.tcp_ecn",
        "0",
        replace_in("$ sysctl net.ipv4.tcp_ecn\n", "net.ipv4.tcp_ecn = 2", "net.ipv4.tcp_ecn = 0"),
    ),
)


def write_pod(folder: Path, planted: Sequence[Planted] = PLANTED, without: Sequence[str] = ()) -> Path:
    """Write the pod with the differences *planted*, and without some hosts; return the folder."""
    shutil.copytree(POD, folder, dirs_exist_ok=True)
    for each in planted:
        file = folder / f"{each.host}.txt"
        before = file.read_text(encoding="utf-8")
        after = each.edit(before)
        assert after != before, each
        file.write_text(after, encoding="utf-8")
    for host in without:
        (folder / f"{host}.txt").unlink()
    return folder


def write_alike(folder: Path) -> Path:
    """Write the pod with all differences, in which the last four hosts have NICs of the others' maker; return it."""
    write_pod(folder)
    pattern = (POD / "gpu01.txt").read_text(encoding="utf-8")
    for number in range(13, 17):
        text = pattern.replace("gpu01", f"gpu{number}").replace("02:00:5e:20:01:", f"02:00:5e:20:{number:02x}:")
        text = text.replace("fe20:01", f"fe20:{number:02x}").replace('"Ethernet1/1"', f'"Ethernet1/{number}"')
        text = text.replace('"Ethernet0"', f'"Ethernet{4 * (number - 1)}"')
        text = re.sub(r"(10\.2\d)\.1\.1\b", rf"\1.{number}.1", text)
        text = re.sub(r"(0a\w\w:)0101", rf"\g<1>{number:02x}01", text)
        (folder / f"gpu{number}.txt").write_text(text, encoding="utf-8")
    return folder


def write_spec_alike(file: Path) -> Path:
    """Write the specification of sixteen hosts that are alike; return it."""
    text = SPEC.read_text(encoding="utf-8")
    start, end = text.index("  - names: [gpu13"), text.index('  - names: ["gpu*"]')
    file.write_text((text[:start] + text[end:]).replace("count: 12", "count: 16"), encoding="utf-8")
    return file


if __name__ == "__main__":
    write_pod(Path(sys.argv[1]))
