"""Outputs of large switches, as their show commands print them: each port with a neighbour of its own."""

from collections.abc import Callable, Iterator, Mapping


def _write_nxos_status(ports: int) -> Iterator[str]:
    rule = "-" * 80
    yield from ("", rule, "Port          Name               Status    Vlan      Duplex  Speed   Type", rule)
    for port in range(1, ports + 1):
        yield f"Eth1/{port:<9} gpu-{port:<14} connected trunk     full    400G    QSFP-DD-400G-DR4"


def _write_nxos_lldp(ports: int) -> Iterator[str]:
    yield from (
        "Capability codes:",
        "  (R) Router, (B) Bridge, (T) Telephone, (C) DOCSIS Cable Device",
        "  (W) WLAN Access Point, (P) Repeater, (S) Station, (O) Other",
        "Device ID            Local Intf      Hold-time  Capability  Port ID  ",
    )
    for port in range(1, ports + 1):
        yield from (
            "",
            f"Chassis id: 0c42.a1{port // 256:02x}.{port % 256:02x}01",
            f"Port id: ens{port}np0",
            f"Local Port id: Eth1/{port}",
            f"Port Description: to the GPU {port}",
            f"System Name: gpu{port}.example.net",
            "System Description: Ubuntu 22.04 LTS Linux 5.15.0",
            "Time remaining: 101 seconds",
            "System Capabilities: B, R, S",
            "Enabled Capabilities: S",
            f"Management Address: 10.0.{port // 256}.{port % 256}",
            "Vlan ID: 1",
            "",
        )


def _write_eos_status(ports: int) -> Iterator[str]:
    yield "Port       Name                   Status       Vlan        Duplex  Speed Type"
    for port in range(1, ports + 1):
        yield f"Et{port}/1".ljust(11) + f"gpu-{port}".ljust(23) + "connected    trunk       full    400G  400GBASE-DR4"


def _write_eos_lldp(ports: int) -> Iterator[str]:
    for port in range(1, ports + 1):
        mac = f"0c42.a1{port // 256:02x}.{port % 256:02x}01"
        yield from (
            f"Interface Ethernet{port}/1 detected 1 LLDP neighbors:",
            "",
            f'  Neighbor {mac}/"ens{port}np0", age 12 seconds',
            "  Discovered 1 days, 1:11:11 ago; Last changed 0:01:11 ago",
            "  - Chassis ID type: MAC address (4)",
            f"    Chassis ID     : {mac}",
            "  - Port ID type: Interface name (5)",
            f'    Port ID     : "ens{port}np0"',
            "  - Time To Live: 120 seconds",
            f'  - System Name: "gpu{port}.example.net"',
            '  - System Description: "Ubuntu 22.04 LTS Linux 5.15.0"',
            "  - System Capabilities : Bridge, Router, Station Only",
            "    Enabled Capabilities: Station Only",
            "",
        )


WRITERS: Mapping[str, Callable[[int], Iterator[str]]] = {
    "large: nxos interface status": _write_nxos_status,
    "large: nxos lldp detail": _write_nxos_lldp,
    "large: eos interfaces status": _write_eos_status,
    "large: eos lldp detail": _write_eos_lldp,
}
"""What writes an output of so many ports, by a name for it."""
