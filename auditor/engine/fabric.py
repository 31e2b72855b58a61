"""Paths to a fabric: the library's `load`, and the tables that pandas and polars read."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

from auditor.engine.attempts import Attempts
from auditor.engine.dumps import Dumps
from auditor.engine.load import DeviceReading, distinguish_devices
from auditor.engine.options import Options, StrPath, list_paths
from auditor.engine.settings import read_cables, read_intent
from auditor.engine.sizing import add_sizes, place_view
from auditor.fabric.peers import fill_peers
from auditor.fabric.placement import Placement, place_devices
from auditor.fabric.topology import link_devices
from auditor.inputs.rawtext import Problem, Skipped
from auditor.inputs.snapshot import Snapshot
from auditor.intent import Intents, Votes, add_ballots, fill_cable_lengths, settle_intents
from auditor.model.device import Device
from auditor.model.fabric import Fabric
from auditor.model.port import Port
from auditor.util.values import dataclass
from auditor.view.documents import DeviceView, FabricView
from auditor.view.port_view import device_view, join_views
from auditor.view.size import MOST_VALUES, is_too_large
from auditor.view.tables import list_devices, list_links, list_maps, list_parts, list_ports


@dataclass(frozen=True, slots=True)
class GuardedView:
    """The port view of the devices that have one, and a problem for each device that has none."""

    view: FabricView
    problems: tuple[Problem, ...]


@dataclass(frozen=True)
class FabricSnapshot:
    """The fabric that a set of dumps describes.

    `model` holds its devices and links, `inputs` the dumps, `declared` the intent of a file. Two devices of one name
    get names of their own, and `warnings` say so. `ports()` and the like return a table as plain dictionaries: texts,
    numbers, booleans, None, and lists of these, with the same keys in each row.
    """

    model: Fabric
    inputs: Snapshot
    reads: tuple[DeviceReading, ...]
    declared: Intents | None
    warnings: tuple[str, ...]
    failures: tuple[Problem, ...] = ()

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The dumps that cannot be read, the lines that make a dump untrustworthy, and the steps that failed."""
        unread = (problem for read in self.reads for problem in read.problems)
        return (*self.inputs.problems, *unread, *self.failures)

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        """The files that are no dumps, and why."""
        return self.inputs.skipped

    @property
    def votes(self) -> Votes:
        """The votes of all devices for the intent."""
        return add_ballots(read.ballot for read in self.reads)

    @cached_property
    def intents(self) -> Intents:
        """The declared intent, completed by what most ports do."""
        return settle_intents(self.declared, [self.votes])

    @cached_property
    def complete_model(self) -> Fabric:
        """The devices with the neighbours that the links give to ports whose own dumps name none."""
        return fill_peers(self.model)

    @cached_property
    def _cabled_ports(self) -> Mapping[str, tuple[Port, ...]]:
        """The ports of each device, with the cable lengths of the intent where no dump shows one."""
        return {device.name: device.ports for device in fill_cable_lengths(self.model, self.intents).devices}

    def view(self, *, with_state: bool = False) -> FabricView:
        """Return the port view, as `roce-audit show` prints it; *with_state*: with the proof of each field."""
        return self.guard_view(with_state=with_state).view

    def guard_view(self, *, with_state: bool = False) -> GuardedView:
        """Return the port view as `view` does, with the devices that it leaves out and why."""
        attempts = Attempts()
        model = attempts.run("search for peers", lambda: self.complete_model, self.model)
        nowhere = Placement({}, {}, {})
        placement = attempts.run("search for tiers and pods", lambda: place_devices(self.model), nowhere)
        tried = [
            attempts.run(f"port view of {device.name}", partial(self._view_device, device, placement, with_state), None)
            for device in model.devices
        ]
        shown = [each for each in tried if isinstance(each, DeviceView)]
        too_large = (each for each in tried if isinstance(each, Problem))
        return GuardedView(join_views(shown, self.model.links), (*too_large, *attempts.problems))

    def devices(self) -> list[dict[str, Any]]:
        """Return a row for each device, with its number of ports."""
        return list_devices(self._view)

    def ports(self) -> list[dict[str, Any]]:
        """Return a row for each port: `device`, `port`, and the values of the port view (of its NIC: `nic_…`)."""
        return list_ports(self._view)

    def queues(self) -> list[dict[str, Any]]:
        """Return a row for each egress queue of each port."""
        return list_parts(self._view, "queues")

    def priority_groups(self) -> list[dict[str, Any]]:
        """Return a row for each ingress priority group of each port."""
        return list_parts(self._view, "priority_groups")

    def classes(self) -> list[dict[str, Any]]:
        """Return a row for each traffic class of each port."""
        return list_parts(self._view, "classes")

    def classifiers(self) -> list[dict[str, Any]]:
        """Return a row for each step of the classification policy of each port: `match_…`, `class`, and `order`."""
        return list_parts(self._view, "classifiers")

    def policers(self) -> list[dict[str, Any]]:
        """Return a row for each class of a policy on arrival that has rates: `match_…`, and `gbps` or None."""
        return list_parts(self._view, "policers")

    def maps(self) -> list[dict[str, Any]]:
        """Return a row for each entry of each map of each port: `map` such as `dscp_to_class`, `key`, and `value`."""
        return list_maps(self._view)

    def links(self) -> list[dict[str, Any]]:
        """Return a row for each cable: `a_device`, `a_port`, `b_device`, `b_port`, `evidence`, `confirmed`."""
        return list_links(self._view)

    def paths(self, src: str, dst: str, job: str = "") -> list[dict[str, Any]]:
        """Return a row for each hop of each kind of packet from NIC to NIC, as `roce-audit path` traces them.

        *src* and *dst* are hosts; `HOST:PORT` names one NIC, and *src* may be a job. The packets are those of *job*,
        where one is named. The columns are those of `roce-audit/path/1`: of the trace `packet`, `job`, `start_device`,
        `start_port`, `goal_device`, `goal_port` and `reaches_goal`, then the fields of its hop. `exits` are ports of
        `at_device`, and `landing` compares the class with the one that the intent wants. Raises CannotAudit where a
        host is unknown.
        """
        from auditor.engine.path import find_traces, list_hops

        return list_hops(find_traces(self.model, self.intents, src, dst, job))

    @cached_property
    def _view(self) -> FabricView:
        return self.view()

    def _view_device(self, device: Device, placement: Placement, with_state: bool) -> DeviceView | Problem:
        """Return the port view of *device* with what follows from it, or why it has none."""
        if is_too_large(device):
            return _refuse_view(device)
        view = place_view(device_view(device, with_state=with_state), placement)
        intent, cabled = self.intents.of(device.own_name), self._cabled_ports.get(device.name, device.ports)
        ports = [add_sizes(own, port, device, intent) for own, port in zip(view.ports, cabled, strict=True)]
        return view.model_copy(update={"ports": ports})


def _refuse_view(device: Device) -> Problem:
    why = f"its {len(device.ports)} ports repeat their tables, which is more than {MOST_VALUES} values"
    return Problem(device.source, None, f"{device.name}: not in the port view: {why}; give a dump with fewer ports")


def load(paths: StrPath | Iterable[StrPath], options: Options | None = None) -> FabricSnapshot:
    """Return the fabric in *paths*: files, folders and archives of dumps, read and joined, not judged.

    Of the options, those that compare or bring rules are of no use here. A dump that cannot be read is one of the
    fabric's `problems`. Raises CannotAudit where the settings are wrong.

    >>> from auditor.engine.options import Options
    >>> fabric = load("no-such-folder", Options(jobs=1))
    >>> fabric.ports(), [problem.name for problem in fabric.problems]
    ([], ['no-such-folder'])
    """
    names, chosen = list_paths(paths), options or Options()
    declared = read_intent(names, chosen)
    cables = read_cables(chosen, declared)
    with Dumps(chosen) as dumps:
        inputs = dumps.finder.find_all(names)
        found = dumps.read(inputs)
    reads, inputs = found.reads, replace(inputs, problems=(*inputs.problems, *found.problems))
    devices, warnings = distinguish_devices(read.device for read in reads)
    if declared:
        devices = tuple(replace(device, role=declared.of(device.own_name).role) for device in devices)
    attempts, cables = Attempts(), (*cables, *inputs.cables)
    model = attempts.run("linking of devices", lambda: link_devices(devices, cables), Fabric(devices, ()))
    return FabricSnapshot(model, inputs, reads, declared, warnings, tuple(attempts.problems))
