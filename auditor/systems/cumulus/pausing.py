"""Profiles of PFC and link pause: the pauses that a port sends and honours, and its buffers."""

from collections.abc import Mapping
from dataclasses import field, replace

from auditor.model.buffers import HeadroomSource, PriorityGroup
from auditor.model.port import LinkPause, Pfc, PfcMode
from auditor.model.qos import TrafficClass
from auditor.model.setting import Known, Origin, Setting, Unknown, Unset, value_of
from auditor.systems.cumulus.objects import ObjectNode, Proof, find_value, list_numbered, parse_number, parse_switch
from auditor.systems.cumulus.presets import QOS_PAGE, ROCE_PAGE, list_roce_statements
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class Pausing:
    """The effect of a PFC profile; `headroom` are its buffer sizes, the same for each of its priorities.

    `lines` are the proofs of the priorities, each by its own entry of the profile.
    """

    pfc: Pfc
    headroom: PriorityGroup
    cable_length_m: Setting[float]
    lines: Mapping[int, Proof] = field(default_factory=dict)


def resolve_pausing(
    profile: ObjectNode | None, silent: Unset, roce: Known[str] | None, *, is_documented: bool
) -> Pausing:
    """Return the effect of a PFC profile; without priorities it pauses nothing, and both directions run by default.

    Without a profile, a release with undocumented defaults is unknown. *roce* is the mode of `qos roce`, which
    decides where no profile does.
    """
    listed = list_numbered(profile, "switch-priority")
    if not listed and not is_documented:
        return Pausing(Pfc(), PriorityGroup(0), silent)
    if not listed:
        where, page = (roce.where, ROCE_PAGE) if roce else (silent.where, QOS_PAGE)
        nothing: Known[tuple[int, ...]] = Known((), Origin.DEFAULT, where, page)
        off = Known(PfcMode.OFF, Origin.DEFAULT, where, page)
        pfc = Pfc(off, priorities=nothing, tx_priorities=nothing, rx_priorities=nothing)
        return Pausing(pfc, PriorityGroup(0), silent)
    first = next(iter(listed.values())).proof
    paused = Known(tuple(listed), first.origin, first.where, first.reference)
    tx, rx = _direction(profile, "tx", paused), _direction(profile, "rx", paused)
    runs = bool(value_of(tx) or value_of(rx))
    unclear = next((each for each in (tx, rx) if isinstance(each, Unknown)), None)
    where = first.where if runs or not isinstance(tx, Known) else tx.where
    mode: Setting[PfcMode] = Known(PfcMode.ON if runs else PfcMode.OFF, first.origin, where, first.reference)
    mode = unclear if unclear and not runs else mode
    cable = find_value(profile, "cable-length", parse_number)
    length: Setting[float] = Known(10, Origin.DEFAULT, silent.where, QOS_PAGE)
    if isinstance(cable, Known):
        length = Known(float(cable.value), cable.origin, cable.where, cable.reference)
    elif isinstance(cable, Unknown):
        length = cable
    pfc = Pfc(mode, priorities=paused, tx_priorities=tx, rx_priorities=rx)
    return Pausing(pfc, _headroom(profile), length, {number: entry.proof for number, entry in listed.items()})


def _direction(profile: ObjectNode | None, name: str, paused: Known[tuple[int, ...]]) -> Setting[tuple[int, ...]]:
    on = find_value(profile, name, parse_switch)
    if not isinstance(on, Known):
        return on if isinstance(on, Unknown) else paused
    return Known(paused.value if on.value else (), on.origin, on.where, on.reference)


def _headroom(profile: ObjectNode | None) -> PriorityGroup:
    """Return the buffer of each lossless priority; the switch computes the sizes without a line."""
    size, xoff = find_value(profile, "port-buffer", parse_number), find_value(profile, "xoff-threshold", parse_number)
    xon = find_value(profile, "xon-threshold", parse_number)
    source = Known(HeadroomSource.GENERATED, Origin.DEFAULT, None, QOS_PAGE)
    headroom: Setting[int] = Unset()
    if isinstance(xoff, Known) and isinstance(size, Known):
        source = Known(HeadroomSource.CONFIGURED, xoff.origin, xoff.where)
        headroom = Known(max(size.value - xoff.value, 0), xoff.origin, xoff.where)
    elif unclear := next((each for each in (size, xoff) if isinstance(each, Unknown)), None):
        headroom = unclear
    return PriorityGroup(
        0,
        size_bytes=size,
        static_threshold_bytes=xoff,
        xon_offset_bytes=xon,
        xoff_bytes=headroom,
        headroom_source=source,
    )


_POOLS = {"lossless": "roce-lossless", "lossless-single-ipool": "default-lossy"}
"""The ingress pool of lossless traffic by RoCE mode."""


def list_priority_groups(
    pausing_: Pausing, classes: tuple[TrafficClass, ...], root: ObjectNode
) -> tuple[PriorityGroup, ...]:
    """Return the ingress buffers of the lossless priorities, one buffer for each priority number."""
    mode = list_roce_statements(root)
    name, page = (
        ("default-lossless", QOS_PAGE) if mode is None else (_POOLS.get(mode.value, "default-lossless"), ROCE_PAGE)
    )
    pool = Known(name, Origin.DEFAULT, None, page)
    buffer = root.at("qos", "advance-buffer-config", "default-global", "ingress-lossless-buffer")
    return tuple(
        replace(
            pausing_.headroom,
            pg=c.internal.value,
            priorities=Known((c.internal.value,), c.internal.origin, c.internal.where),
            lossless=c.lossless,
            alpha=find_value(buffer, "shared-alpha", convert_alpha),
            pool=pool,
        )
        for c in classes
        if isinstance(c.internal, Known) and isinstance(c.lossless, Known) and c.lossless.value
    )


def convert_alpha(text: str) -> float | None:
    """Return a dynamic threshold's factor.

    >>> convert_alpha("alpha_2"), convert_alpha("ALPHA_1_8"), convert_alpha("alpha_0"), convert_alpha("alpha_infinity")
    (2.0, 0.125, 0.0, None)
    """
    digits = text.lower().removeprefix("alpha_").split("_")
    if not all(part.isdecimal() and len(part) < 4 for part in digits):  # noqa: PLR2004  factors go from 1/128 to 64
        return None
    over = int(digits[1]) if len(digits) > 1 else 1
    return int(digits[0]) / over if over else None


def resolve_link_pause(profile: ObjectNode | None, silent: Unset) -> LinkPause:
    """Return link pause by its profile; Unset without a profile, Unknown for a silent profile."""
    if profile is None:
        return LinkPause(silent, silent)
    undocumented = Unknown("the link-pause profile does not say, and its default is not documented")

    def find_direction(name: str) -> Setting[bool]:
        on = find_value(profile, name, parse_switch)
        return undocumented if isinstance(on, Unset) else on

    return LinkPause(find_direction("rx"), find_direction("tx"))
