"""How long the audit of a 10,000-line switch with SR Linux takes; no library reads its syntax.

Run it: `python tests/benchmarks/audit_srlinux.py`.
"""

from time import process_time

from auditor.engine.load import read_device
from auditor.inputs.snapshot import DeviceUnit
from auditor.model.dump import Capture

PORTS = 128
LINES = 10_000
TAIL = """\
    qos {
        queues {
            pfc-queue pfc3 {
                queue-index 3
            }
        }
        pfc-mapping-profile roce {
            received-traffic {
                unicast-mapping {
                    pfc-queue pfc3 {
                        pfc-pause-frame-priority 3
                        forwarding-class [
                            fc3
                        ]
                    }
                }
            }
            received-pfc-pause-frames {
                deadlock {
                    enable true
                }
                queue unicast-3 {
                    pfc-pause-frame-priority 3
                    enable-pfc true
                }
            }
        }
        classifiers {
            dscp-policy roce {
                dscp 26 {
                    forwarding-class fc3
                }
                dscp 48 {
                    forwarding-class fc6
                }
            }
        }
        buffer-management {
            queue-management-profile ecn {
                wred {
                    wred-slope all drop-probability all enable-ecn true {
                        min-threshold 500000
                        max-threshold 2000000
                        max-drop-probability-percent 10
                    }
                }
            }
        }
        interfaces {
""".splitlines()
END = """\
        }
    }
    system {
        name {
            host-name bench-leaf1
        }
    }
""".splitlines()
OF_PORT, OF_QOS, OF_UNIT = 8, 29, 5
"""Lines of a port without its subinterfaces, of its entries below `qos`, and of a subinterface."""


def switch(ports: int = PORTS, length: int = LINES) -> list[str]:
    """Return the lines of a leaf: every port with its own description and subinterfaces, uplinks unlike host ports."""
    lines: list[str] = []
    units = max(1, (length - len(TAIL) - len(END)) // ports - OF_PORT - OF_QOS) // OF_UNIT
    for port in range(1, ports + 1):
        uplink = port % 4 == 0
        lines += [
            f"    interface ethernet-1/{port} {{",
            f'        description "{"spine" if uplink else "gpu"}-{port:03d} rack {port * 7 % 61}"',
            "        admin-state enable",
            f"        mtu {9232 if uplink else 9114}",
            "        ethernet {",
            "            port-speed 400G",
            "        }",
        ]
        for unit in range(max(1, units)):
            lines += [
                f"        subinterface {unit} {{",
                "            type routed",
                "            ip-mtu 9000",
                f'            description "tenant {unit}"',
                "        }",
            ]
        lines.append("    }")
    lines += TAIL
    for port in range(1, ports + 1):
        lines += _list_bindings(f"ethernet-1/{port}")
    return [*lines, *END]


def _list_bindings(port: str) -> list[str]:
    return f"""\
            interface {port} {{
                interface-ref {{
                    interface {port}
                }}
                pfc {{
                    pfc-mapping-profile roce
                    pfc-enable true
                }}
                output {{
                    queues {{
                        queue unicast-3 {{
                            queue-management-profile ecn
                        }}
                    }}
                }}
            }}
            interface {port}.0 {{
                interface-ref {{
                    interface {port}
                    subinterface 0
                }}
                input {{
                    classifiers {{
                        dscp-policy roce
                    }}
                }}
            }}""".splitlines()


def main() -> None:
    """Print the seconds of one reading."""
    lines = tuple(switch())
    start = process_time()
    found = read_device(DeviceUnit("bench", "leaf1.cfg", "nokia_srlinux", (Capture("leaf1.cfg", lines),)))
    spent = process_time() - start
    print(
        f"{len(lines)} lines, {len(found.device.ports)} ports: {spent:.2f} s, {spent / len(lines) * 1e6:.0f} us a line"
    )


if __name__ == "__main__":
    main()
