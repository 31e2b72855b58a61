"""What a step touches: ports, hosts, jobs and parts of the dump, and how it is taken back."""

import re
from collections.abc import Iterable, Sequence

from auditor.diagnosis.apply import apply_remedy
from auditor.diagnosis.remedies import list_typed
from auditor.engine.findings import Cause
from auditor.engine.fix.stanzas import list_stanzas
from auditor.engine.fix.values import Disturbance, PlannedStep, Reach, Step
from auditor.engine.rehearsal import JudgedFabric
from auditor.fabric.reach import Surroundings
from auditor.inputs.snapshot import DeviceUnit
from auditor.model.dump import Capture
from auditor.model.fabric import Fabric
from auditor.model.port import Port, PortConfig
from auditor.systems import systems
from auditor.util.regex import regex
from auditor.view.documents import PortView
from auditor.view.port_view import port_view

_DISTURBS = regex(
    r"maintenance window|link goes down|\bflaps?\b|stops for a moment|\bdisturbs?\b|stops traffic|of the port restarts"
)
_LINK_DROPS = regex(r"link goes down|\bflaps?\b|stops for a moment")


class StepSurroundings:
    """The fabric around steps: who is cabled to what, which jobs may run where, and what the dumps show."""

    def __init__(self, fabric: JudgedFabric) -> None:
        model = fabric.model
        self._surroundings = Surroundings(model)
        self._sources = {device.name: device.source for device in model.devices}
        self._units = {unit.source: unit for unit in fabric.inputs.units}
        self._rules = {rule.file.id: rule.file for rule in fabric.report.catalogue}

    def describe(self, number: int, step: Step, parts: Sequence[tuple[Cause, str]]) -> PlannedStep:
        """Return a step with its reach, what it changes in the dump, and the lines that take it back.

        *parts* are the causes that it fixes, each with its own lines.
        """
        unit = self._units[self._sources[step.device]]
        after = apply_remedy(step.text, unit.os, unit.captures) or unit.captures
        syntax = systems()[step.os].remedies
        undo = syntax.undo(list_typed(step.text), unit.captures) if syntax and syntax.undo else None
        reach = self._find_reach(step, parts, unit, after)
        stanzas = tuple(list_stanzas(list_typed(step.text), unit.captures, after))
        return PlannedStep(
            number, step.device, step.os, tuple(cause for cause, _ in parts), step.text, reach, stanzas, undo
        )

    def _find_reach(
        self, step: Step, parts: Sequence[tuple[Cause, str]], unit: DeviceUnit, after: Sequence[Capture]
    ) -> Reach:
        causes = [cause for cause, _ in parts]
        ports = _list_ports(step.device, causes)
        disrupts = describe_disruption(step.text)
        hosts = self._list_hosts(step.device, ports)
        dropping = _list_ports(step.device, [cause for cause, text in parts if _LINK_DROPS.search(text)])
        return Reach(
            ports,
            hosts,
            self._surroundings.list_jobs(hosts),
            disrupts,
            self._list_hosts(step.device, dropping) if dropping else (),
            tuple(self._list_shows(step, causes, unit, after)),
        )

    def _list_hosts(self, device: str, ports: Sequence[str]) -> tuple[str, ...]:
        """Return the host itself, or those at the ports of a switch."""
        is_host = self._surroundings.kinds[device] == "host"
        return (device,) if is_host else self._surroundings.list_hosts([(device, port) for port in ports])

    def _list_shows(
        self, step: Step, causes: Sequence[Cause], unit: DeviceUnit, after: Sequence[Capture]
    ) -> Iterable[str]:
        """Return the commands that show the effect: of a host, those whose captures change; else what rules rest on."""
        if self._surroundings.kinds[step.device] == "host":
            pairs = zip(unit.captures, after, strict=False)
            return dict.fromkeys(before.command for before, now in pairs if before != now and before.command)
        known = {command for command, _ in systems()[step.os].outputs()}
        return dict.fromkeys(
            command for cause in causes for command in self._rules[cause.rule].rests_on if command in known
        )


def describe_disruption(text: str) -> str:
    r"""Return the comments of lines to type that say what they disturb, empty without such a comment.

    >>> describe_disruption("! maintenance window: the port flaps\ninterface 1")
    'maintenance window: the port flaps'
    """
    comments = [line for line in text.splitlines() if _DISTURBS.search(line)]
    return "; ".join(dict.fromkeys(re.sub(r"^.*?[#!] *", "", line) for line in comments))


def find_disturbance(text: str) -> Disturbance:
    """Return what the comments of a step's lines say of the traffic."""
    if _LINK_DROPS.search(text):
        return Disturbance.LINK
    return Disturbance.TRAFFIC if _DISTURBS.search(text) else Disturbance.NONE


def list_changed_ports(name: str, before: Fabric, after: Fabric) -> tuple[str, ...]:
    """Return the ports of the device *name* whose settings differ, wherever their lines stand: none, if it is lost."""
    old, new = (next((each for each in fabric.devices if each.name == name), None) for fabric in (before, after))
    if old is None or new is None:
        return ()
    shown: dict[int, PortView] = {}

    def show(config: PortConfig) -> PortView:
        if id(config) not in shown:
            shown[id(config)] = port_view(Port("", config))
        return shown[id(config)]

    pairs = ((port, new.port(port.name)) for port in old.ports)
    return tuple(
        port.name
        for port, other in pairs
        if other and port.config != other.config and show(port.config) != show(other.config)
    )


def _list_ports(device: str, causes: Sequence[Cause]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(port for cause in causes for name, port in cause.ports if name == device))
