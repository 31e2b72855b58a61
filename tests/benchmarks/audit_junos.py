"""How long it takes to read a 9,000-line Junos switch into the model, against ciscoconfparse2's plain parse of it.

Run it: `python tests/benchmarks/audit_junos.py`.
"""

from against_ciscoconfparse import compare

PORTS = 256
LINES = 9_000
HEAD = """\
version 24.2R2-EVO;
groups {
    FABRIC {
        interfaces {
            <et-*> {
                mtu 9216;
            }
        }
    }
}
apply-groups FABRIC;
system {
    host-name bench-leaf1;
}
class-of-service {
    classifiers {
        dscp SORT {
            forwarding-class CNP {
                loss-priority low code-points 110000;
            }
            forwarding-class NO-LOSS {
                loss-priority low code-points 011010;
            }
        }
    }
    drop-profiles {
        marks {
            interpolate {
                fill-level [ 40 80 ];
                drop-probability [ 0 100 ];
            }
        }
    }
    forwarding-classes {
        class CNP queue-num 3;
        class NO-LOSS queue-num 4 no-loss pfc-priority 3;
    }
    congestion-notification-profile {
        PAUSE {
            pfc-watchdog;
            input {
                dscp {
                    code-point 011010 {
                        pfc;
                    }
                }
            }
            output {
                ieee-802.1 {
                    code-point 011 {
                        flow-control-queue 4;
                    }
                }
            }
        }
    }
    interfaces {
        et-* {
            congestion-notification-profile PAUSE;
            scheduler-map MAP;
            unit * {
                classifiers {
                    dscp SORT;
                }
            }
        }
    }
    scheduler-maps {
        MAP {
            forwarding-class CNP scheduler strict;
            forwarding-class NO-LOSS scheduler lossless;
        }
    }
    schedulers {
        lossless {
            drop-profile-map loss-priority any protocol any drop-profile marks;
            explicit-congestion-notification;
        }
        strict {
            priority strict-high;
        }
    }
}
interfaces {
""".splitlines()


def switch(ports: int = PORTS, length: int = LINES) -> list[str]:
    """Return the lines of a leaf: 256 ports, each with its own description and addresses, and the routing policies."""
    lines = list(HEAD)
    for port in range(ports):
        place = f"et-0/0/{port // 4}:{port % 4}"
        lines += [
            f"    {place} {{",
            f"        description facing_spine{port % 16:02d}:et-0/0/{port // 16}:{port % 4};",
            "        unit 0 {",
            "            family inet {",
            "                mtu 9170;",
            f"                address 10.{port}.0.1/31;",
            "            }",
            "            family inet6 {",
            "                mtu 9170;",
            f"                address 2001:db8:{port:x}::1/127;",
            "            }",
            "        }",
            "    }",
        ]
    lines += ["}", "policy-options {"]
    for number in range((length - len(lines)) // 10):
        lines += [
            f"    policy-statement TENANT-{number} {{",
            "        term one {",
            "            from {",
            "                protocol bgp;",
            f"                community C-{number};",
            "            }",
            "            then accept;",
            "        }",
            f"        then community add C-{number};",
            "    }",
        ]
    return [*lines, "}"]


if __name__ == "__main__":
    compare(switch(), "juniper_junos", "junos", only_read=True, warm_up=HEAD.index("apply-groups FABRIC;"))
