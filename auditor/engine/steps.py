"""What child processes do with a device or the fabric, and what their parent imports for them.

Imports stand in the functions: a run that recalls its report needs none of them.
"""

from collections.abc import Sequence
from enum import StrEnum
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from auditor.checks.catalogue import Rule
    from auditor.engine.check import PartOutcome
    from auditor.inputs.snapshot import DeviceUnit
    from auditor.intent import Intents
    from auditor.model.device import Device


class FabricPart(StrEnum):
    """Rules on links and the fabric in parts that children check side by side.

    Rules of topology share their search; those that compare a fleet take longest.
    """

    LINKS = "links"
    TOPOLOGY = "topology"
    OTHERS = "others"
    FLEET = "fleet"


_PACKS = {str(part): part for part in (FabricPart.TOPOLOGY, FabricPart.FLEET)}
"""Packs whose rules on the fabric are a part of their own."""


def load_signs(_: object) -> None:
    """Import the signs of all systems, for children to inherit."""
    from auditor.systems import systems

    for system in systems().values():
        system.load_signs()


def load_readers(units: "Sequence[DeviceUnit]") -> None:
    """Import the readers of *units*, for children to inherit."""
    from auditor.systems import systems

    for os in {unit.os for unit in units}:
        systems()[os].load_reader()


def load_arrays(devices: "Sequence[Device]") -> None:
    """Import numpy for children to inherit, where *devices* are more than one child checks alone."""
    from auditor.engine.pool import FEW

    if len(devices) > FEW:
        import_module("auditor.estimate.threshold")


def check_alone(device: Any, intents: "Intents", site: "Sequence[Rule]") -> "PartOutcome":  # noqa: ANN401  from a worker
    """Return the outcome of built-in and *site* rules on one device and its ports."""
    from auditor.checks.catalogue import load_rules
    from auditor.engine.check import check_device

    return check_device(device, intents, (*load_rules(intents.tuning), *site)).close()


def check_part(name: str, fabric: Any, intents: "Intents") -> "PartOutcome":  # noqa: ANN401  as above
    """Return the outcome of the rules of the part of that *name*, or of the rule with that identifier."""
    from auditor.checks.catalogue import load_rules
    from auditor.engine.check import check_fabric, check_links, check_whole

    is_part = name in {*FabricPart}
    own = [rule for rule in load_rules(intents.tuning) if name == (find_part(rule) if is_part else rule.file.id)]
    check = check_links if name == FabricPart.LINKS else check_whole if is_part else check_fabric
    return check(fabric, intents, own).close()


def find_part(rule: "Rule") -> FabricPart | None:
    """Return the part of the fabric's rules that *rule* is in, None for a rule of ports and devices."""
    from auditor.checks.base import Scope

    if rule.check.scope is Scope.FABRIC:
        return _PACKS.get(rule.pack, FabricPart.OTHERS)
    return FabricPart.LINKS if rule.check.scope is Scope.LINK else None
