"""Ports at which an incast meets that the intent declares."""

from collections.abc import Iterable

from auditor.checks.base import Whole
from auditor.intent import Intent
from auditor.model.fabric import Attached
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class Incast:
    """A switch port, the NIC at its cable (None where none was dumped), and the senders that the intent declares."""

    near: Attached
    nic: Attached | None
    intent: Intent
    senders: int


def list_incasts(given: Whole, _params: object) -> Iterable[Incast]:
    """Return ports that lead to no other switch, where the intent says how many senders may start."""
    across = given.fabric.far_ends()
    found = []
    for device in given.fabric.devices:
        intent = given.intents.of(device.own_name)
        if device.kind != "switch" or intent.incast is None:
            continue
        for port in device.ports:
            near = Attached(device, port)
            far = across.get(near.end)
            if far is None or far.device.kind == "host":
                found.append(Incast(near, far, intent, intent.incast))
    return found
