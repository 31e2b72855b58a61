"""`mlxconfig -d DEV [-e] q` (and `mstconfig`): firmware settings, running and after a reboot."""

import re
from dataclasses import field

from auditor.model.dump import Capture
from auditor.model.nic import CcEngine, Nic, Pcie, Switches
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Where
from auditor.systems.linux import text
from auditor.systems.linux.command import Command
from auditor.systems.linux.evidence import Call, Event, Events, PortFact, Rank
from auditor.systems.linux.facts import make_nic_port
from auditor.systems.linux.fetch import MLX, NETDEV, Fetch
from auditor.systems.linux.marks import mark_ignored, mark_modelled, mark_not_modelled
from auditor.systems.linux.mlxconfig_rows import DCQCN, LABELS, Line, LineKind, parse_number, read_row, sort_line
from auditor.systems.linux.portnames import Subject, parse_device
from auditor.util.values import dataclass

_NEXT_BOOT_REFERENCE = "mlxconfig q prints what the next boot will run with; the running value was not captured"


@dataclass(slots=True)
class _Card:
    about: Subject
    where: Where
    model: Setting[str] = NOT_COLLECTED
    rows: dict[str, Known[str]] = field(default_factory=dict)
    pending: dict[str, Known[str]] = field(default_factory=dict)
    changed: dict[str, Known[str]] = field(default_factory=dict)
    planned: dict[str, Known[str]] = field(default_factory=dict)
    head: Where | None = None
    columns: tuple[str, ...] = ()
    has_rows: bool = False

    @property
    def shows_current(self) -> bool:
        """Whether the capture shows running values, not only values of the next boot."""
        return "Current" in self.columns


def read_mlxconfig(capture: Capture, call: Call) -> Events:
    """Yield the settings of each card in a capture of `mlxconfig`."""
    cards: list[_Card] = []
    for index, line in text.list_lines(capture):
        if not cards or (line.startswith("Device #") and cards[-1].head):
            cards.append(_Card(call.subject, capture.where(index)))
        event = _read_line(cards[-1], capture, index, line)
        if event:
            yield event
    for card in cards:
        if card.has_rows or card.head or card.model != NOT_COLLECTED:
            yield from _describe_card(card)


def _read_line(card: _Card, capture: Capture, index: int, line: str) -> Event | None:
    found = sort_line(line)
    match found.kind:
        case LineKind.HEAD:
            card.head, card.columns = capture.where(index), found.values
            return mark_ignored(index)
        case LineKind.DEVICE:
            card.about = card.about if card.about.is_named else parse_device(found.name)
            return mark_modelled(index)
        case LineKind.TYPE:
            card.model = Known(text.format_model(found.name), Origin.LEARNED, capture.where(index))
            return mark_modelled(index)
        case LineKind.ROW:
            return _take_row(card, capture, index, found)
        case LineKind.ABOUT:
            return mark_ignored(index)
    return mark_not_modelled(index) if card.model != NOT_COLLECTED and not card.head else None


def _take_row(card: _Card, capture: Capture, index: int, line: Line) -> Event:
    if not card.columns:  # an excerpt without its head
        card.columns = LABELS if len(line.values) == len(LABELS) else ("Next Boot",)
    card.has_rows = card.has_rows or len(line.values) == len(card.columns)
    row, where = read_row(line, card.columns), capture.where(index)
    if row.expected:
        return text.make_doubt(capture, index, row.expected)
    for value, others, origin in (
        (row.planned, card.planned, Origin.INTENDED),
        (row.pending, card.pending, Origin.INTENDED),
        (row.changed, card.changed, Origin.LEARNED),
        (row.value if row.is_kept else None, card.rows, Origin.LEARNED),
    ):
        if value is not None:
            others[line.name] = Known(value, origin, where)
    return mark_modelled(index) if row.is_told else mark_not_modelled(index)


def _describe_card(card: _Card) -> Events:
    """Yield the card's settings for its port: port 2 for the second function, else port 1."""
    second = card.about.pci.endswith(".1") and any(name.endswith("_P2") for name in card.rows)
    suffix = "_P2" if second else "_P1"

    def find_row(name: str) -> Known[str] | None:
        return card.rows.get(name + suffix) or card.rows.get(name)

    origin = Origin.LEARNED if card.shows_current else Origin.INTENDED
    reference = "" if card.shows_current else _NEXT_BOOT_REFERENCE

    def parse_whole(found: Known[str] | None) -> Setting[int]:
        return Known(parse_number(found.value), origin, found.where, reference) if found else NOT_COLLECTED

    parameters = {
        name: Known(float(parse_number(found.value)), origin, found.where, reference)
        for name, found in card.rows.items()
        if DCQCN.fullmatch(name)
    }

    def parse_flag(name: str) -> Setting[bool]:
        found = parse_whole(find_row(name))
        return Known(bool(found.value), origin, found.where, reference) if isinstance(found, Known) else found

    mask = parse_whole(find_row("ROCE_CC_PRIO_MASK"))
    nic = Nic(
        model=card.model,
        vendor=Known("NVIDIA", Origin.LEARNED, card.model.where) if isinstance(card.model, Known) else NOT_COLLECTED,
        dcqcn_np=_parse_mask(mask),
        dcqcn_rp=_parse_mask(mask),
        cc_engine=_select_engine(
            parse_flag("USER_PROGRAMMABLE_CC"),
            parse_flag("ROCE_CC_LEGACY_DCQCN"),
            parse_whole(find_row("ROCE_CC_ALGORITHM")),
        ),
        cnp_dscp=parse_whole(find_row("CNP_DSCP")),
        cnp_dscp_mode=_parse_mode(find_row("CNP_DSCP_MODE"), origin, reference),
        cnp_priority=parse_whole(find_row("CNP_802P_PRIO")),
        link_layer=_parse_layer(parse_whole(find_row("LINK_TYPE"))),
        adaptive_routing=parse_flag("ROCE_ADAPTIVE_ROUTING_EN"),
        rtt_response_dscp=_select_rtt_response(
            parse_whole(find_row("ROCE_RTT_RESP_DSCP")), find_row("ROCE_RTT_RESP_DSCP_MODE")
        ),
        firmware_lldp=parse_flag("LLDP_NB_TX_MODE"),
        dcbx_willing=_combine_willing(parse_flag("LLDP_NB_DCBX"), parse_flag("DCBX_WILLING")),
        max_traffic_classes=_parse_classes(find_row("NUM_OF_TC"), origin, reference),
        max_pfc_classes=parse_whole(find_row("NUM_OF_PFC")),
        arm_owned=_detect_dpu_mode(
            parse_whole(find_row("INTERNAL_CPU_OFFLOAD_ENGINE")), parse_whole(find_row("INTERNAL_CPU_MODEL"))
        ),
        pcie=Pcie(ats=parse_flag("ATS_ENABLED")),
        next_boot=Known(card.pending, Origin.INTENDED, card.head) if card.shows_current else NOT_COLLECTED,
        firmware_default=Known(card.changed, Origin.LEARNED, card.head) if "Default" in card.columns else NOT_COLLECTED,
        dcqcn=Known(parameters, origin, card.head or card.where, reference) if parameters else NOT_COLLECTED,
    )
    rank = Rank.FIRMWARE if card.shows_current else Rank.NEXT_BOOT
    yield PortFact(card.about, make_nic_port(nic, card.where), rank=rank)
    if card.planned:
        kept = Nic(nv=Known(card.planned, Origin.INTENDED, card.head or card.where))
        yield PortFact(card.about, make_nic_port(kept, card.where), rank=Rank.FIRMWARE)


def _detect_dpu_mode(engine: Setting[int], model: Setting[int]) -> Setting[bool]:
    """Return whether a BlueField is in DPU mode: its cores are embedded, and their engine is enabled (0)."""
    if not isinstance(engine, Known):
        return engine
    is_embedded = not isinstance(model, Known) or bool(model.value)
    return Known(engine.value == 0 and is_embedded, engine.origin, engine.where, engine.reference)


def _parse_mode(found: Known[str] | None, origin: Origin, reference: str) -> Setting[str]:
    """Return the mode of a CNP's DSCP, `fixed` or `copied` from the packet, by the word in the value."""
    word = found.value.upper() if found else ""
    mode = "fixed" if "FIX" in word else "copied" if "REQ" in word or "RECEIVED" in word or "COPY" in word else ""
    return Known(mode, origin, found.where, reference) if found and mode else NOT_COLLECTED


def _select_rtt_response(dscp: Setting[int], mode: Known[str] | None) -> Setting[int]:
    """Return the DSCP of RTT responses, which counts only in the fixed mode."""
    return dscp if mode and "FIX" in mode.value.upper() else NOT_COLLECTED


def _combine_willing(agent: Setting[bool], willing: Setting[bool]) -> Setting[bool]:
    """Return whether the firmware takes over settings of a switch: willing, and DCBX runs."""
    return willing if isinstance(agent, Known) and agent.value else agent


def _parse_classes(found: Known[str] | None, origin: Origin, reference: str) -> Setting[int]:
    match = re.fullmatch(r"_?(\d)_TCS?(?:\(\d+\))?", found.value.upper()) if found else None
    return Known(int(match[1]), origin, found.where, reference) if found and match else NOT_COLLECTED


def _parse_mask(mask: Setting[int]) -> Setting[Switches]:
    if not isinstance(mask, Known):
        return mask
    bits = {
        priority: Known(bool(mask.value >> priority & 1), mask.origin, mask.where, mask.reference)
        for priority in text.PRIORITIES
    }
    return Known(bits, mask.origin, mask.where, mask.reference)


def _select_engine(programmable: Setting[bool], legacy: Setting[bool], algorithm: Setting[int]) -> Setting[CcEngine]:
    if isinstance(programmable, Known) and programmable.value:
        return Known(CcEngine.PROGRAMMABLE, programmable.origin, programmable.where, programmable.reference)
    for setting, is_dcqcn in ((legacy, True), (algorithm, 0)):
        if isinstance(setting, Known) and setting.value == is_dcqcn:
            return Known(CcEngine.DCQCN, setting.origin, setting.where, setting.reference)
    return NOT_COLLECTED


def _parse_layer(kind: Setting[int]) -> Setting[str]:
    layer = {1: "infiniband", 2: "ethernet"}.get(kind.value) if isinstance(kind, Known) else None
    return Known(layer, kind.origin, kind.where, kind.reference) if isinstance(kind, Known) and layer else NOT_COLLECTED


COMMANDS = (
    Command(
        "mlxconfig[ -d {device}] q",
        r"m(?:lx|st)config(?: -d {device}| -e| -[yb]| --[a-z_]+)* (?:-e )?(?:q|query)(?: .+)?",
        read_mlxconfig,
        ("config.nic.dcqcn", "config.nic.cnp_dscp", "config.nic.next_boot", "config.nic.cc_engine"),
        r"^Configurations:\s.*(?:Next Boot|Current)|^\*?\s+(?:RPG_TIME_RESET|ROCE_CC_PRIO_MASK|CNP_DSCP)_P1\s",
        "settings of the firmware, among them DCQCN parameters, CNP marking, congestion control engine, Spectrum-X, "
        "firmware LLDP and DCBX, mode of a BlueField; default, current and next boot",
        fetch=(
            Fetch(
                ("mlxconfig -d {pci} -e q", "mstconfig -d {pci} -e q"),
                "firmware settings, now and from the next boot",
                NETDEV,
                drivers=MLX,
                is_root=True,
                timeout_s=30,
            ),
        ),
    ),
)
