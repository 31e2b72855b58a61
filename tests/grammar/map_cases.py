"""Configurations that take back parts of class maps and policy maps, shared by the tests of NX-OS and EOS."""

MAP = ("class-map type qos match-any RDMA", "  match dscp 26")
MATCHES = (
    ((*MAP, "  no match dscp 26"), 0),
    ((*MAP, MAP[0], "  no match dscp 26"), 0),
    ((MAP[0], "  no match dscp 26", MAP[1]), 1),
    ((*MAP, "  no match dscp 24"), 1),
)
"""Lines, and the number of terms that the class map has afterwards."""


def classes(policy_map: tuple[str, ...]) -> tuple[tuple[tuple[str, ...], list[str]], ...]:
    """Return lines that repeat the class RDMA of *policy_map* or take it back, each with the classes afterwards."""
    head, *rest = policy_map
    return (
        ((*policy_map, "  no class RDMA"), []),
        ((*policy_map, head, "  no class RDMA"), []),
        ((*policy_map, "  no class RDMA", *rest), ["RDMA"]),
        ((*policy_map, *policy_map), ["RDMA"]),
    )
