"""Programmable congestion control: a NIC that leaves its rates to a program, and the program."""

from collections.abc import Iterable, Iterator, Mapping

from auditor.checks.base import Context, Params
from auditor.model.finding import Finding, LossKind, Related
from auditor.model.nic import CcEngine
from auditor.model.port import PortConfig
from auditor.model.setting import Known, Origin, Undetermined, value_of
from auditor.packet.classify import takes_part

_SLOTS = frozenset(map(str, range(16)))
_OFF = frozenset({"off", "absent"})


def list_programmable(port: PortConfig, _context: Context) -> Iterable[PortConfig]:
    """Return a RoCE NIC whose running firmware leaves its rates to a program, where a capture shows its slots."""
    if port.nic is None or not takes_part(port):
        return ()
    engine = port.nic.cc_engine
    is_running = isinstance(engine, Known) and engine.origin is Origin.LEARNED
    is_captured = isinstance(port.nic.cc_slots, Known)
    return (port,) if is_running and is_captured and value_of(engine) is CcEngine.PROGRAMMABLE else ()


def no_algorithm_runs(port: PortConfig, _params: Params, _context: Context) -> Iterator[Finding]:
    """A slot for an algorithm is empty or off; with all of them so, nothing changes the rate of a sender."""
    nic = port.nic
    if nic is None:
        return
    slots = nic.cc_slots.known()
    told = {slot: known.value for slot, known in slots.value.items()}
    if "runs" in told.values():
        return
    if not told.keys() >= _SLOTS or not set(told.values()) <= _OFF:
        waiting = _list_slots(told, "present")
        which = f"slot {', '.join(waiting)}" if waiting else "every slot"
        why = f"no capture shows whether the algorithm runs in {which}: `mlxreg --reg_name PPCC`"
        raise Undetermined(why, slots.where)
    off = _list_slots(told, "off")
    held = f"that of slot {' and of '.join(off)} is off" if off else "no slot holds one"
    place = nic.cc_engine.known().where
    yield Finding(
        f"no algorithm of congestion control runs: {held}",
        slots.value[off[0]].where if off else slots.where,
        related=(Related("the firmware leaves the rates to a program", place),) if place else (),
        loss=LossKind.NO_REACTION,
    )


def _list_slots(told: Mapping[str, str], state: str) -> list[str]:
    return sorted((slot for slot, own in told.items() if own == state), key=int)
