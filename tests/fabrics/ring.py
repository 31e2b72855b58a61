"""A ring of switches, one of each system: each has a neighbour of another maker at either side.

The dumps are those of the fabrics in fixtures/, without what is planted in them, brought to one MTU, one speed and the
same cables. To look at them: `python tests/fabrics/ring.py FOLDER`
"""

import json
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from test_fabric_mixed import FAULTS

FIXTURES = Path(__file__).parents[2] / "fixtures"
MANIFEST = "roce-audit.yaml"
INTENT = """\
schema: roce-audit/intent/1
traffic:
  - {name: RDMA, kind: rdma, dscp: [26], priority: 3, lossless: true}
  - {name: CNP, kind: cnp, dscp: [48], priority: 6}
path_mtu_bytes: 4096
cable_length_m: 30
rules:
  WDG011: {enabled: false} # SR Linux ignores the pauses of a deadlock, and knows no other action
links:
"""
_ADDRESS = re.compile(r"10\.\d+\.\d+\.[01](?=/31| 255\.255\.255\.254)")
_DESCRIPTION = re.compile(r"^ *description .*\n", re.MULTILINE)
_SAME = (
    *((" 9198", " 9100"), (" mtu 9212", " mtu 9114"), ("ip mtu 9198", "ip mtu 9100")),
    *(("speed 400000", "speed 100000"), ("speed 400g-8", "speed 100g-1"), ("speed 400g;", "speed 100g;")),
    ("speed: 400G", "speed: 100G"),
)
"""What the two families of fabrics have differently: the MTU of packets, and of IOS XR's frames; the speed."""


@dataclass(frozen=True, slots=True)
class Member:
    """A switch of the ring: its system, the dump in fixtures/ that it is made of, its port to the left and right."""

    os: str
    dump: str
    left: str
    right: str

    @property
    def name(self) -> str:
        """The name of the switch."""
        return f"ring-{self.os.replace('_', '-')}"

    @property
    def file(self) -> str:
        """The path of its dump in the ring."""
        return f"{self.name}/{Path(self.dump).name}"


MEMBERS = (
    Member("sonic", "fabric-mixed/spine1/config_db.json", "Ethernet0", "Ethernet8"),
    Member("cumulus_nvue", "fabric-mixed/leaf1/startup.yaml", "swp1", "swp31"),
    Member("arista_eos", "fabric-mixed/leaf2/show_running-config.txt", "Ethernet1/1", "Ethernet31/1"),
    Member("cisco_nxos", "fabric-mixed/leaf3/show_running-config.txt", "Ethernet1/1", "Ethernet1/31"),
    Member("dell_os10", "fabric-mixed/leaf4/show_running-configuration.txt", "ethernet1/1/1", "ethernet1/1/31"),
    Member("juniper_junos", "fabric-mixed/leaf5/show_configuration.txt", "et-0/0/0", "et-0/0/1"),
    Member("dell_enterprise_sonic", "fabric-more/spine1.cfg", "Eth1/1", "Eth1/2"),
    Member("huawei_vrp", "fabric-more/leaf1.cfg", "100GE1/0/1", "100GE1/0/31"),
    Member("hp_comware", "fabric-more/leaf2.cfg", "HundredGigE1/0/1", "HundredGigE1/0/31"),
    Member("aruba_aoscx", "fabric-more/leaf3.cfg", "1/1/1", "1/1/31"),
    Member("cisco_iosxr", "fabric-more/leaf4.cfg", "HundredGigE0/0/0/0", "HundredGigE0/0/0/31"),
    Member("nokia_srlinux", "fabric-more/leaf5.cfg", "ethernet-1/1", "ethernet-1/31"),
)


@dataclass(frozen=True, slots=True)
class Cable:
    """A cable between the right port of a member and the left port of the next."""

    left: Member
    right: Member


CABLES = tuple(Cable(left, right) for left, right in zip(MEMBERS, (*MEMBERS[1:], MEMBERS[0]), strict=True))


def write_ring() -> dict[str, str]:
    """Return the files of the ring by path: the dumps, and the manifest with intent and cables."""
    return {**{member.file: _write(member) for member in MEMBERS}, MANIFEST: INTENT + "".join(map(_write_link, CABLES))}


def _write_link(cable: Cable) -> str:
    left, right = cable.left, cable.right
    return f"  - {{a: {{device: {left.name}, port: {left.right}}}, b: {{device: {right.name}, port: {right.left}}}}}\n"


def _write(member: Member) -> str:
    text = (FIXTURES / member.dump).read_text("utf-8")
    for fault in FAULTS:
        for edit in fault.undo:
            if f"fabric-mixed/{edit.file}" == member.dump:
                text = edit.changed(text)
    name = Path(member.dump).stem if member.dump.startswith("fabric-more") else Path(member.dump).parent.name
    text = _SHAPES.get(member.os, _bring_into_line)(text.replace(name, member.name))
    place = MEMBERS.index(member)
    ends = iter((f"10.99.{(place or len(MEMBERS)) - 1}.1", f"10.99.{place}.0"))
    return _ADDRESS.sub(lambda match: next(ends, match[0]), text)


def _bring_into_line(text: str) -> str:
    text = _DESCRIPTION.sub("", text)
    for written, meant in _SAME:
        text = text.replace(written, meant)
    return text


def _cut_sonic(text: str) -> str:
    """Return *text* of the first two ports alone, at the speed of the ring and with no neighbour named."""
    tables = json.loads(text)
    for table in ("BGP_NEIGHBOR", "DEVICE_NEIGHBOR", "DEVICE_NEIGHBOR_METADATA"):
        del tables[table]
    others = re.compile(r"Ethernet(?:16|24|32)(?:\||$)")
    kept = {table: {key: row for key, row in rows.items() if not others.match(key)} for table, rows in tables.items()}
    lengths = kept["CABLE_LENGTH"]["AZURE"]
    kept["CABLE_LENGTH"]["AZURE"] = {port: length for port, length in lengths.items() if port in kept["PORT"]}
    for port in kept["PORT"].values():
        del port["description"]
        port["speed"] = "100000"
    return json.dumps(kept, indent=4) + "\n"


_SHAPES: dict[str, Callable[[str], str]] = {"sonic": _cut_sonic}

if __name__ == "__main__":
    for path, text in write_ring().items():
        (Path(sys.argv[1]) / path).parent.mkdir(parents=True, exist_ok=True)
        (Path(sys.argv[1]) / path).write_text(text, encoding="utf-8")
