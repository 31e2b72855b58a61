"""Sections of the sheet of a host port: the adapter, its marking, congestion control, buffers and addresses."""

from collections.abc import Iterator, Mapping
from typing import Any

from auditor.model.port import Port
from auditor.model.setting import Known, Setting
from auditor.report.facts import Fact, Reader, format_value, prove
from auditor.report.grid import Grid
from auditor.report.port_facts import mark_priorities
from auditor.report.presentation import clean_text, format_number
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
        "classes and DCBX",
        (
            ("traffic classes", "max_traffic_classes", ""),
            ("PFC classes", "max_pfc_classes", ""),
            ("DCBX by", "dcbx_mode", ""),
            ("DCBX willing", "dcbx_willing", ""),
            ("firmware LLDP", "firmware_lldp", ""),
            ("service profile", "service_profile", ""),
            ("retransmission", "retransmission", ""),
            ("adaptive routing", "adaptive_routing", ""),
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
)
_NAME = 34
_CONGESTION = (
    ("engine", "cc_engine", ""),
    ("answers marks", "np_enabled", ""),
    ("CNP DSCP", "cnp_dscp", ""),
    ("CNP DSCP is", "cnp_dscp_mode", ""),
    ("CNP priority", "cnp_priority", ""),
    ("RTT reply DSCP", "rtt_response_dscp", ""),
)


def build_nic_sections(reader: Reader, port: Port) -> Iterator[Section]:
    """Yield the sections of the NIC of *port*, nothing for a port without one; *reader* reads its view."""
    nic = port.config.nic
    if nic is None:
        return
    for title, parts in _PARTS:
        yield Section(title, tuple(reader.describe(label, f"/nic/{name}", unit) for label, name, unit in parts))
    yield _build_buffers(reader)
    yield _build_congestion(reader)
    for title, values in (
        ("parameters of DCQCN", nic.dcqcn),
        ("accelerations of lossy fabrics", nic.accelerations),
        ("algorithms of congestion control by slot", nic.cc_slots),
        ("requested, and not running", nic.requested),
        ("running from the next boot on", nic.next_boot),
        ("defaults of the firmware that differ", nic.firmware_default),
    ):
        yield _build_values(title, values, port)
    yield _build_gids(reader)


def _build_buffers(reader: Reader) -> Section:
    """Return the receive buffers of the port, in the order of their numbers."""
    sizes = reader.read("/nic/receive_buffers_bytes") or ()
    text = "; ".join(map(format_number, sizes))
    return Section("receive buffers in bytes", (reader.describe("sizes", "/nic/receive_buffers_bytes", text=text),))


def _build_congestion(reader: Reader) -> Section:
    return Section(
        "congestion control: notification point answers marks, reaction point slows down",
        (
            *(reader.describe(label, f"/nic/{name}", unit) for label, name, unit in _CONGESTION),
            mark_priorities(reader, "notification", "nic/dcqcn_np"),
            mark_priorities(reader, "reaction", "nic/dcqcn_rp"),
        ),
    )


def _build_values(title: str, values: Setting[Mapping[str, Known[Any]]], port: Port) -> Section:
    """Return named values, each with the proof of its own."""
    if not isinstance(values, Known) or not values.value:
        return Section(title, (Fact("values", "none" if isinstance(values, Known) else "", prove(values, port)),))
    named = values.value.items()
    facts = (Fact(clean_text(name), format_value(known.value), prove(known, port)) for name, known in named)
    return Section(title, tuple(facts), label=_NAME)


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
