"""Sizes that follow from settings, added to the port view: the headroom that is needed, and where groups pause."""

from math import ceil

from auditor.checks.buffers import compute_least_headroom, compute_worst_headroom
from auditor.checks.pause_point import compute_fill_at_pause
from auditor.fabric.placement import Placement
from auditor.intent import Intent
from auditor.model.buffers import PriorityGroup
from auditor.model.device import Device
from auditor.model.fabric import End
from auditor.model.port import Port
from auditor.model.setting import Undetermined, value_of
from auditor.util.values import dataclass
from auditor.view.documents import DeviceView, HeadroomNeedView, PortView


def place_view(view: DeviceView, placement: Placement) -> DeviceView:
    """Return the *view* of a device with its tier and its pod, and with the rails of its ports."""
    rails = [placement.rails.get(End(view.name, port.name)) for port in view.ports]
    placed = [
        port.model_copy(update={"rail": rail}) if rail else port for port, rail in zip(view.ports, rails, strict=True)
    ]
    own = {"tier": placement.tiers.get(view.name), "pod": placement.pods.get(view.name), "ports": placed}
    return view.model_copy(update=own)


@dataclass(frozen=True, slots=True)
class Sizes:
    """The fill at which each priority group of a port pauses, None where it does not, and the headroom it needs."""

    pause_points: tuple[int | None, ...] = ()
    need: HeadroomNeedView | None = None


def find_sizes(port: Port, device: Device, intent: Intent) -> Sizes:
    """Return the sizes that follow from the settings of a *port* of a switch; none of a host."""
    groups = value_of(port.config.priority_groups) if device.kind == "switch" else None
    if not groups:
        return Sizes()
    is_needed = any(value_of(group.lossless) for group in groups)
    need = _find_need(port, intent) if is_needed else None
    return Sizes(tuple(_find_point(group, device) for group in groups), need)


def add_sizes(view: PortView, port: Port, device: Device, intent: Intent) -> PortView:
    """Return the *view* of a *port* with the sizes that follow from its settings."""
    sizes = find_sizes(port, device, intent)
    if not sizes.pause_points or not view.priority_groups:
        return view
    groups = [
        group if point is None else group.model_copy(update={"pause_point_bytes": point})
        for group, point in zip(view.priority_groups, sizes.pause_points, strict=True)
    ]
    return view.model_copy(update={"priority_groups": groups, "headroom_needed": sizes.need})


def _find_point(group: PriorityGroup, device: Device) -> int | None:
    try:
        return round(compute_fill_at_pause(group, device)) if value_of(group.lossless) else None
    except Undetermined:
        return None


def _find_need(port: Port, intent: Intent) -> HeadroomNeedView | None:
    own = value_of(port.config.cable_length_m)
    cable = value_of(intent.cable_length_m) if own is None else own
    if cable is None:
        return None
    try:
        least, most = compute_least_headroom(port.config, cable, intent), compute_worst_headroom(port.config, cable)
    except Undetermined:
        return None
    return HeadroomNeedView(least_bytes=ceil(least.total), most_bytes=ceil(most.total))
