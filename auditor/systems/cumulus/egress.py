"""Profiles of congestion control, schedulers and shapers to the egress queues of a port."""

from dataclasses import replace

from auditor.model.qos import Queue, Scheduler, Threshold, TrafficClass, Unit, WredDrop
from auditor.model.setting import Known, Origin, Setting, Unknown, Unset, value_of
from auditor.systems.cumulus.objects import ObjectNode, find_value, list_numbered, parse_number, parse_switch
from auditor.systems.cumulus.pausing import convert_alpha
from auditor.systems.cumulus.presets import QOS_PAGE
from auditor.util.values import dataclass

_MAX_PERCENT = 100


@dataclass(frozen=True, slots=True)
class Egress:
    """The profiles that make a port's queues."""

    marking: ObjectNode | None
    scheduler: ObjectNode | None
    shaper: ObjectNode | None
    buffers: ObjectNode | None = None


def list_queues(egress: Egress, classes: tuple[TrafficClass, ...], silent: Unset) -> tuple[Queue, ...]:
    """Return the queues with a traffic class or a profile."""
    curves, shares = (
        list_numbered(egress.marking, "traffic-class", 15),
        list_numbered(egress.scheduler, "traffic-class", 15),
    )
    shapers = list_numbered(egress.shaper, "traffic-class", 15)
    fed = {c.queue.value for c in classes if isinstance(c.queue, Known)}
    lossless = {c.queue.value for c in classes if isinstance(c.queue, Known) and value_of(c.lossless)}
    return tuple(
        _add_buffer(
            _add_shaping(
                _add_scheduling(
                    _add_marking(_make_queue(number_, classes, silent), curves.get(number_), silent),
                    shares.get(number_),
                    silent,
                    is_documented=egress.scheduler is not None,
                ),
                shapers.get(number_),
            ),
            _find_buffer(egress.buffers, number_, is_lossless=number_ in lossless),
        )
        for number_ in sorted({*fed, *curves, *shares, *shapers})
    )


def _find_buffer(buffers: ObjectNode | None, number: int, *, is_lossless: bool) -> ObjectNode | None:
    """Return the object that sizes a queue: all no-drop queues have one in common."""
    if buffers is None:
        return None
    if is_lossless:
        return buffers.at("egress-lossless-buffer")
    return list_numbered(buffers.at("egress-lossy-buffer"), "traffic-class", 15).get(number)


def _add_buffer(queue: Queue, buffer: ObjectNode | None) -> Queue:
    if buffer is None:
        return queue
    return replace(
        queue,
        reserved_bytes=find_value(buffer, "reserved", parse_number),
        alpha=find_value(buffer, "shared-alpha", convert_alpha),
        static_threshold_bytes=find_value(buffer, "shared-bytes", parse_number),
    )


def _make_queue(queue: int, classes: tuple[TrafficClass, ...], silent: Unset) -> Queue:
    feeding = [c for c in classes if isinstance(c.queue, Known) and c.queue.value == queue]
    proofs = [c.queue for c in feeding if isinstance(c.queue, Known)]
    proof = next((p for p in proofs if p.origin is Origin.INTENDED), proofs[0] if proofs else None)
    found = tuple(c.internal.value for c in feeding if isinstance(c.internal, Known))
    if proof is None:
        return Queue(queue, priorities=Known((), Origin.DEFAULT, silent.where, QOS_PAGE))
    return Queue(queue, priorities=Known(found, proof.origin, proof.where, proof.reference))


def _add_marking(queue: Queue, curve: ObjectNode | None, silent: Unset) -> Queue:
    """Add the marking curve; a queue in a profile marks by default, all other queues do not."""
    no_drops: Setting[tuple[WredDrop, ...]] = Known((), Origin.DEFAULT, silent.where, QOS_PAGE)
    if curve is None:
        off: Known[bool] = Known(value=False, origin=Origin.DEFAULT, where=silent.where, reference=QOS_PAGE)
        return replace(queue, ecn=off, wred_drop=no_drops, ecn_min=silent, ecn_max=silent, ecn_max_probability=silent)
    ecn, red = find_value(curve, "ecn", parse_switch), find_value(curve, "red", parse_switch)
    low, high = (_either(curve, f"{name}-threshold", f"{name}-threshold-bytes") for name in ("min", "max"))
    share = find_value(curve, "probability", _share)
    proof = curve.proof
    on = (
        ecn
        if not isinstance(ecn, Unset)
        else Known(value=True, origin=proof.origin, where=proof.where, reference=proof.reference)
    )
    probability = (
        share if not isinstance(share, Unset) else Known(1.0, Origin.DEFAULT, proof.where, proof.reference or QOS_PAGE)
    )
    drops: Setting[tuple[WredDrop, ...]] = no_drops
    if value_of(on) is not True and isinstance(red, Unknown):
        drops = red
    elif value_of(on) is False and isinstance(red, Known) and red.value:
        limits = [t.value.bytes if isinstance(t, Known) else None for t in (low, high)]
        drops = Known((WredDrop("all", limits[0], limits[1], value_of(probability)),), red.origin, red.where)
    elif isinstance(on, Unknown) and value_of(red):
        drops = on
    return replace(queue, ecn=on, ecn_min=low, ecn_max=high, ecn_max_probability=probability, wred_drop=drops)


def _either(curve: ObjectNode, *names: str) -> Setting[Threshold]:
    found = [find_value(curve, name, _threshold) for name in names]
    unclear = (each for each in found if isinstance(each, Unknown))
    said = (t for kind in (Known, Unset) for t in found if isinstance(t, kind) and t.where)
    return next(unclear, next(said, Unset(curve.proof.where)))


def _threshold(text: str) -> Threshold | None:
    size = parse_number(text)
    return None if size is None else Threshold(size, Unit.BYTES)


def _share(text: str) -> float | None:
    percent = parse_number(text)
    return percent / _MAX_PERCENT if percent is not None and percent <= _MAX_PERCENT else None


_SCHEDULERS = {"strict": Scheduler.STRICT, "dwrr": Scheduler.DWRR}


def _add_scheduling(queue: Queue, share: ObjectNode | None, silent: Unset, *, is_documented: bool) -> Queue:
    """Add the scheduling; a queue outside the scheduler has a weight of 0."""
    if not is_documented:
        return replace(queue, scheduler=silent, bandwidth_percent=silent, bandwidth_basis=silent)
    if share is None:
        unnamed: Known[float] = Known(0.0, Origin.DEFAULT, silent.where, QOS_PAGE)
        return replace(
            queue,
            scheduler=Known(Scheduler.DWRR, Origin.DEFAULT, silent.where, QOS_PAGE),
            bandwidth_percent=unnamed,
            bandwidth_basis=Known("remaining", Origin.DEFAULT, silent.where, QOS_PAGE),
        )
    mode = find_value(share, "mode", _SCHEDULERS.get)
    percent = find_value(share, "bw-percent", parse_number)
    nothing = Unset(share.proof.where)
    if isinstance(mode, Known) and mode.value is Scheduler.STRICT:
        return replace(queue, scheduler=mode, bandwidth_percent=nothing, bandwidth_basis=nothing)
    if not isinstance(percent, Known):
        unclear = percent if isinstance(percent, Unknown) else nothing
        return replace(queue, scheduler=mode, bandwidth_percent=unclear, bandwidth_basis=nothing)
    return replace(
        queue,
        scheduler=mode,
        bandwidth_percent=Known(float(percent.value), percent.origin, percent.where, percent.reference),
        bandwidth_basis=Known("remaining", percent.origin, percent.where, percent.reference),
    )


def _add_shaping(queue: Queue, shaper: ObjectNode | None) -> Queue:
    return replace(queue, shape_gbps=find_rate(shaper, "max-rate"))


def find_rate(shaper: ObjectNode | None, name: str) -> Setting[float]:
    """Return a rate of *shaper*, which is written in kb/s, in Gb/s."""
    rate = find_value(shaper, name, parse_number)
    if not isinstance(rate, Known):
        return Unset(rate.where) if isinstance(rate, Unset) else rate
    return Known(rate.value / 1e6, rate.origin, rate.where)
