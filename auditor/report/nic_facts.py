"""Sections of the sheet of a host port: the adapter, its marking, congestion control, buffers and addresses."""

from collections.abc import Iterator

from auditor.report.facts import Fact, Reader, format_value
from auditor.report.grid import Grid
from auditor.report.port_facts import mark_priorities
from auditor.report.presentation import clean_text
from auditor.report.sheet import Section

_PARTS: tuple[tuple[str, tuple[tuple[str, str, str], ...]], ...] = (
    (
        "adapter",
        (
            ("vendor", "vendor", ""),
            ("model", "model", ""),
            ("driver", "driver", ""),
            ("firmware", "firmware", ""),
            ("RDMA device", "rdma_device", ""),
            ("function", "function", ""),
            ("function of", "parent", ""),
            ("virtual functions", "virtual_functions", ""),
            ("embedded switch", "eswitch_mode", ""),
            ("owned by DPU", "arm_owned", ""),
            ("link layer", "link_layer", ""),
            ("transport", "transport", ""),
            ("link up", "link_up", ""),
            ("active RDMA MTU", "active_mtu_bytes", "bytes"),
            ("largest RDMA MTU", "max_mtu_bytes", "bytes"),
            ("cable", "cable_length_m", "m"),
        ),
    ),
    (
        "marking of RDMA",
        (
            ("traffic class", "traffic_class", "(ToS byte)"),
            ("RDMA-CM ToS", "rdma_cm_tos", "(ToS byte)"),
            ("RDMA-CM mode", "rdma_cm_mode", ""),
            ("RoCE DSCP", "roce_dscp", ""),
            ("RoCE priority", "roce_priority", ""),
            ("ECN bits", "ecn_marking", ""),
        ),
    ),
    (
        "buffers and DCBX",
        (
            ("receive buffers", "receive_buffers_bytes", ""),
            ("traffic classes", "max_traffic_classes", ""),
            ("PFC classes", "max_pfc_classes", ""),
            ("DCBX by", "dcbx_mode", ""),
            ("DCBX willing", "dcbx_willing", ""),
            ("firmware LLDP", "firmware_lldp", ""),
            ("service profile", "service_profile", ""),
            ("retransmission", "retransmission", ""),
            ("adaptive routing", "adaptive_routing", ""),
            ("accelerations", "accelerations", ""),
        ),
    ),
    (
        "PCI Express",
        (
            ("speed per lane", "pcie/speed_gtps", "GT/s"),
            ("best speed", "pcie/max_speed_gtps", "GT/s"),
            ("lanes", "pcie/width", ""),
            ("most lanes", "pcie/max_width", ""),
            ("read request", "pcie/max_read_request_bytes", "bytes"),
            ("payload", "pcie/max_payload_bytes", "bytes"),
            ("relaxed ordering", "pcie/relaxed_ordering", ""),
            ("ATS", "pcie/ats", ""),
        ),
    ),
    (
        "settings beside the running ones",
        (
            ("requested", "requested", ""),
            ("next boot", "next_boot", ""),
            ("firmware default", "firmware_default", ""),
        ),
    ),
)
_CONGESTION = (
    ("engine", "cc_engine", ""),
    ("answers marks", "np_enabled", ""),
    ("CNP DSCP", "cnp_dscp", ""),
    ("CNP DSCP is", "cnp_dscp_mode", ""),
    ("CNP priority", "cnp_priority", ""),
    ("RTT reply DSCP", "rtt_response_dscp", ""),
)


def build_nic_sections(reader: Reader) -> Iterator[Section]:
    """Yield the sections of the NIC of a port, nothing for a port without one."""
    if reader.read("/nic") is None:
        return
    for title, parts in _PARTS:
        yield Section(title, tuple(reader.describe(label, f"/nic/{name}", unit) for label, name, unit in parts))
    yield _build_congestion(reader)
    yield _build_gids(reader)


def _build_congestion(reader: Reader) -> Section:
    values = reader.read("/nic/dcqcn")
    state = reader.states["/nic/dcqcn"]
    named = [Fact(clean_text(name), format_value(value), state) for name, value in (values or {}).items()]
    return Section(
        "congestion control: notification point answers marks, reaction point slows down",
        (
            *(reader.describe(label, f"/nic/{name}", unit) for label, name, unit in _CONGESTION),
            mark_priorities(reader, "notification", "nic/dcqcn_np"),
            mark_priorities(reader, "reaction", "nic/dcqcn_rp"),
            *(named or (reader.describe("parameters", "/nic/dcqcn"),)),
        ),
    )


def _build_gids(reader: Reader) -> Section:
    state = reader.states["/nic/gids"]
    rows = tuple(
        (
            str(gid["index"]),
            (
                Fact("type", gid["type"], state),
                Fact("GID", clean_text(gid["gid"]), state),
                Fact("netdev", clean_text(gid["netdev"] or "none"), state),
            ),
        )
        for _, gid in reader.list_items("/nic/gids")
    )
    return (
        Section("GIDs", grid=Grid("index", rows)) if rows else Section("GIDs", (reader.describe("GIDs", "/nic/gids"),))
    )
