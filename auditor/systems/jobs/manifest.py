"""The objects of Kubernetes manifests, wherever `kubectl` or people put them: several documents, lists of objects."""

from collections.abc import Iterator

from auditor.model.dump import Capture, LineState
from auditor.model.setting import Known, Origin, Where
from auditor.systems.jobs.tree import Value
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class ManifestObject:
    """One object of a manifest, with the file it stands in."""

    root: Value
    capture: Capture
    states: list[LineState]

    @property
    def kind(self) -> str:
        """The kind, such as `MPIJob`."""
        return self.root["kind"].text or ""

    @property
    def key(self) -> tuple[str, str]:
        """Namespace (empty if `kubectl` decides) and name."""
        metadata = self.root["metadata"]
        return metadata["namespace"].text or "", metadata["name"].text or metadata["generateName"].text or ""

    @property
    def name(self) -> str:
        """Kind and name for messages."""
        return f"{self.kind} {'/'.join(filter(None, self.key))}".strip()

    def where(self, value: Value) -> Where:
        """Return the place of *value*, and mark its line as modelled."""
        return self.line(value.line)

    def line(self, index: int) -> Where:
        """Return the place of line *index*, and mark the line as modelled."""
        if index < len(self.states):
            self.states[index] = LineState.MODELLED
        return self.capture.where(index)

    def make_known(self, value: Value) -> Known[str]:
        """Return the text of *value* with its place."""
        return Known(value.text or "", Origin.INTENDED, self.where(value))


def list_objects(root: Value, capture: Capture, states: list[LineState]) -> Iterator[ManifestObject]:
    """Yield the object *root*, or the objects of a list; a value of several aliases counts once."""
    seen: set[int] = set()
    waiting = [root]
    while waiting:
        value = waiting.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if value["items"].items and (value["kind"].text or "").endswith("List"):
            waiting.extend(reversed(value["items"].items))
        elif value["kind"].text and value["apiVersion"].text:
            yield ManifestObject(value, capture, states)
