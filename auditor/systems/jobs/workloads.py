"""Variables of containers, and of the commands that containers run.

A mapping with `spec.containers` is a pod, so jobs of any operator are read alike.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field

from auditor.grammar.variables import KEPT, UNEXPANDED, assignments, literal
from auditor.model.jobs import FROM_OUTSIDE, Attachment, Workload
from auditor.model.setting import Known, Origin, Unset, Where, value_of
from auditor.systems.jobs.manifest import ManifestObject
from auditor.systems.jobs.placement import list_bound_nodes, read_limits, sees_devices
from auditor.systems.jobs.tree import Value
from auditor.util.values import dataclass

ConfigMaps = Mapping[tuple[str, str], ManifestObject]
_BOILERPLATE = frozenset({"spec", "template", "jobTemplate", "tasks", "replicatedJobs"})
_CONTAINERS = ("initContainers", "containers")
MAX_VARIABLES = 256
"""Variables of one list; a container has fewer."""
MANY = "the command sets several values, or leaves the value to the shell"
_RDMA_WORDS = ("rdma", "roce")
NO_LIMITS = Unset()
MAX_NETWORKS = 64
_NETWORKS = "k8s.v1.cni.cncf.io/networks"


@dataclass(frozen=True, slots=True)
class Pod:
    """A pod or a template of pods: its object, its role in the object, and its value."""

    of: ManifestObject
    role: str
    root: Value


@dataclass(slots=True)
class VariableSet:
    """Variables with their last certain value, and reasons for undetermined variables."""

    environment: dict[str, Known[str]] = field(default_factory=dict)
    undetermined: dict[str, str] = field(default_factory=dict)

    @property
    def names(self) -> set[str]:
        """The names of all variables."""
        return {*self.environment, *self.undetermined}

    def take(self, other: "VariableSet") -> None:
        """Take over the variables of *other*, which wins."""
        for name in other.names & self.names:
            self.environment.pop(name, None)
            self.undetermined.pop(name, None)
        self.environment.update(other.environment)
        self.undetermined.update(other.undetermined)

    def give(self, name: str, value: Known[str] | None, why: str = UNEXPANDED) -> None:
        """Set variable *name* to *value*; None if the dump does not hold the value."""
        self.environment.pop(name, None)
        self.undetermined.pop(name, None)
        if value is None or literal(value.value) is None:
            self.undetermined[name] = why
        else:
            self.environment[name] = value


def list_pods(found: ManifestObject) -> Iterator[Pod]:
    """Yield each pod of an object; a value of several aliases counts once."""
    if found.kind == "TrainJob":
        yield from _make_trainer(found)
    seen: set[int] = set()
    waiting = [(found.root, "")]
    while waiting:
        value, role = waiting.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if value["spec"]["containers"].items:
            yield Pod(found, role, value)
            continue
        below = [(each, _extend_role(role, key)) for key, each in value.entries.items()]
        below += [(each, f"{role} {number}".strip()) for number, each in enumerate(value.items, 1)]
        waiting.extend(reversed([each for each in below if each[0].entries or each[0].items]))


def _make_trainer(found: ManifestObject) -> Iterator[Pod]:
    """Yield the pod of a TrainJob of Kubeflow, which gives its runtime a container without a template."""
    trainer = found.root["spec"]["trainer"]
    if trainer.entries:
        parts = {"name": Value(trainer.line, "node"), "resources": trainer["resourcesPerNode"]}
        container = Value(trainer.line, entries={**trainer.entries, **parts})
        spec = Value(trainer.line, entries={"containers": Value(trainer.line, items=[container])})
        yield Pod(found, "trainer", Value(trainer.line, entries={"spec": spec}))


def _extend_role(role: str, key: str) -> str:
    return role if key in _BOILERPLATE or key.endswith("Specs") else f"{role} {key}".strip()


@dataclass(slots=True)
class VariableReader:
    """A reader of variables with the ConfigMaps of a dump, and a cache: a thousand aliases may share one list."""

    maps: ConfigMaps
    given: dict[tuple[int, str], VariableSet] = field(default_factory=dict)
    commands: dict[int, VariableSet] = field(default_factory=dict)

    def read_sources(self, pod: Pod, sources: Value) -> VariableSet:
        """Return the variables of the ConfigMaps of an `envFrom`, in the pod's namespace."""
        found = self.given.get((id(sources), pod.of.key[0]))
        if found is None:
            found = self.given[id(sources), pod.of.key[0]] = VariableSet()
            for source in sources.items[:MAX_VARIABLES]:
                _take_map(pod, source, self.maps, found)
        return found

    def read_variables(self, pod: Pod, env: Value) -> VariableSet:
        """Return the variables of an `env`, in the pod's namespace."""
        found = self.given.get((id(env), pod.of.key[0]))
        if found is None:
            found = self.given[id(env), pod.of.key[0]] = VariableSet()
            for entry in env.items:
                if KEPT.fullmatch(entry["name"].text or "") and len(found.names) < MAX_VARIABLES:
                    _take_variable(pod, entry, self.maps, found)
        return found

    def read_command(self, found: ManifestObject, part: Value) -> VariableSet:
        """Return the variables that a command line exports or passes to `mpirun -x`."""
        if id(part) not in self.commands:
            own = self.commands[id(part)] = VariableSet()
            for name, known in read_assignments((found.line, index, line) for index, line in part.lines()).items():
                own.give(name, known, MANY)
        return self.commands[id(part)]


def read_assignments(lines: Iterable[tuple[Callable[[int], Where], int, str]]) -> dict[str, Known[str] | None]:
    """Return the variables that shell *lines* set; None for several values. Each line has a function for its place."""
    found: dict[str, Known[str] | None] = {}
    for place, index, line in lines:
        if line.lstrip().startswith("#") and not line.startswith("#SBATCH"):
            continue
        for name, value in assignments(line):
            known = None if value is None else Known(value, Origin.INTENDED, place(index))
            before = found.get(name, known)
            found[name] = known if before and known and before.value == known.value else None
    return found


def list_workloads(pod: Pod, reader: VariableReader) -> Iterator[Workload]:
    """Yield the containers of *pod* with modelled variables or extended resources."""
    for kind in _CONTAINERS:
        for container in {id(each): each for each in pod.root["spec"][kind].items}.values():
            given = VariableSet()
            given.take(reader.read_sources(pod, container["envFrom"]))
            given.take(reader.read_variables(pod, container["env"]))
            for part in (*container["command"].items[:MAX_VARIABLES], *container["args"].items[:MAX_VARIABLES]):
                given.take(reader.read_command(pod.of, part))
            limits = read_limits(pod.of, container) if container["resources"].entries else NO_LIMITS
            has_limits = bool(value_of(limits))
            if given.names or has_limits:
                name = ", ".join(filter(None, (pod.of.name, pod.role, f"container {container['name'].text or ''}")))
                yield Workload(
                    name,
                    pod.of.where(container),
                    given.environment,
                    given.undetermined,
                    limits,
                    list_bound_nodes(pod.root["spec"]),
                    list_attachments(pod),
                    sees_devices(pod.root["spec"], container),
                )


def _take_map(pod: Pod, source: Value, maps: ConfigMaps, given: VariableSet) -> None:
    """Add all variables of a ConfigMap."""
    reference, prefix = source["configMapRef"], source["prefix"].text or ""
    found = _find_config_map(pod, reference["name"].text or "", maps)
    if found is None:
        what = reference["name"].text or source["secretRef"]["name"].text or "an unknown source"
        given.undetermined[f"{FROM_OUTSIDE}{what}"] = f"envFrom names {what}, which is not in the dump"
        return
    for key, value in found.root["data"].entries.items():
        if KEPT.fullmatch(prefix + key) and len(given.names) < MAX_VARIABLES:
            given.give(prefix + key, found.make_known(value))


def _take_variable(pod: Pod, entry: Value, maps: ConfigMaps, given: VariableSet) -> None:
    """Add one variable: its value, or the value of a key of a ConfigMap."""
    name = entry["name"].text or ""
    pod.of.where(entry["name"])
    if not entry["valueFrom"]:
        given.give(name, pod.of.make_known(entry["value"]) if entry["value"] else None, "the variable has no value")
        return
    pod.of.where(entry["valueFrom"])
    reference = entry["valueFrom"]["configMapKeyRef"]
    found = _find_config_map(pod, reference["name"].text or "", maps)
    value = found.root["data"][reference["key"].text or ""] if found else None
    given.give(name, found.make_known(value) if found and value else None, "the value comes from outside the dump")


def _find_config_map(pod: Pod, name: str, maps: ConfigMaps) -> ManifestObject | None:
    """Return the ConfigMap *name* in the pod's namespace, or of an open namespace."""
    namespace = pod.of.key[0]
    return maps.get((namespace, name)) or (maps.get(("", name)) if namespace else None)


def asks_for_rdma(pod: Pod, reader: VariableReader) -> bool:
    """Return whether a container of *pod* requests an RDMA device, or sets variables of an RDMA library."""
    for container in pod.root["spec"]["containers"].items:
        resources = container["resources"]
        asked = [*resources["limits"].entries, *resources["requests"].entries]
        if any(word in name.lower() for name in asked for word in _RDMA_WORDS):
            return True
        if reader.read_variables(pod, container["env"]).names:
            return True
    return False


def list_attachments(pod: Pod) -> tuple[Attachment, ...]:
    """Return the additional networks of *pod*; a name without a namespace is of the pod's own."""
    annotation = pod.root["metadata"]["annotations"][_NETWORKS]
    written = annotation.text or ""
    if written.lstrip().startswith(("[", "{")):
        return ()  # JSON may hold much more; then the networks identify themselves
    names = (word.strip().partition("@")[0].rpartition("/") for word in written.split(",")[:MAX_NETWORKS])
    where = pod.of.where(annotation) if written else pod.of.where(pod.root)
    return tuple(Attachment(space or pod.of.key[0], name, where) for space, _, name in names if name)
