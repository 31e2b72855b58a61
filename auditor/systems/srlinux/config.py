"""All configuration captures of a switch as one configuration."""

from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import cached_property

from auditor.model.dump import Capture, Doubt
from auditor.model.setting import Known, Setting, Unset, value_of
from auditor.systems.srlinux.names import QUEUES, find_default_class, find_default_queue
from auditor.systems.srlinux.reader import find_places, is_session, read
from auditor.systems.srlinux.tree import Stanza, Tree
from auditor.util.values import dataclass

HIGHEST_INDEX = 15


@dataclass(frozen=True, slots=True)
class ForwardingClass:
    """A forwarding class with its index and the number of its queue."""

    name: str
    stanza: Stanza | None
    index: int | None
    queue: Setting[int]


@dataclass
class Config:
    """The configuration of a switch; *model* is that of the switch, empty if unknown."""

    tree: Tree
    model: str = ""
    doubts: list[Doubt] = field(default_factory=list)

    @property
    def file(self) -> str:
        """The first file."""
        return self.tree.captures[0].file

    @property
    def is_complete(self) -> bool:
        """Whether the captures hold a whole configuration, so that what is silent in it is silent in the switch."""
        return self.has_system and self.top.below("interface") is not None

    @property
    def has_system(self) -> bool:
        """Whether the captures hold the settings of the system itself, be it none."""
        return self.top.below("system") is not None

    @property
    def has_qos(self) -> bool:
        """Whether the captures hold what is configured of quality of service, be it nothing."""
        return self.is_complete or self.top.below("qos") is not None

    @cached_property
    def top(self) -> Stanza:
        """The whole tree."""
        return Stanza(self.tree, self.tree.root, self.tree.root)

    @property
    def name(self) -> Known[str] | None:
        """The name of the switch."""
        found = self.top.word("system", "name", "host-name")
        return found if isinstance(found, Known) else None

    def find(self, *path: str) -> Stanza | None:
        """Return a definition below `qos`, None without one."""
        return self.top.below("qos", *path)

    @cached_property
    def queue_numbers(self) -> Mapping[str, int]:
        """The numbers of the queues that have names of their own."""
        found: dict[str, int] = {}
        for entry in self.top.entries("qos", "queues", "queue"):
            number = value_of(entry.number("queue-index", high=HIGHEST_INDEX))
            if number is not None:
                found[entry.node.word] = number
        for each in self.top.entries("qos", "forwarding-classes", "forwarding-class"):
            index = value_of(each.number("forwarding-class-index", high=HIGHEST_INDEX))
            name = _find_queue_name(each)
            if index is not None and isinstance(name, Known):
                found.setdefault(name.value, index)
        return found

    def find_queue(self, name: str) -> int | None:
        """Return the number of a queue by its name, None for one that is not defined."""
        number = self.queue_numbers.get(name)
        return find_default_queue(name) if number is None else number

    @cached_property
    def classes(self) -> tuple[ForwardingClass, ...]:
        """The forwarding classes: those with names of their own, and the reserved ones in the other places."""
        own = [self._read_class(entry) for entry in self.top.entries("qos", "forwarding-classes", "forwarding-class")]
        taken = {each.index for each in own}
        rest = [_default_class(number) for number in range(QUEUES) if number not in taken]
        return tuple(sorted([*own, *rest], key=lambda each: (each.index is None, each.index or 0)))

    def _read_class(self, entry: Stanza) -> ForwardingClass:
        name = entry.node.word
        written = entry.number("forwarding-class-index", high=HIGHEST_INDEX)
        queue_name = _find_queue_name(entry)
        number = self.find_queue(queue_name.value) if isinstance(queue_name, Known) else None
        index = value_of(written)
        if index is None:
            index = find_default_class(name) if number is None else number
        queue: Setting[int] = Unset(entry.where)
        if isinstance(queue_name, Known) and number is not None:
            queue = Known(number, queue_name.origin, queue_name.where)
        return ForwardingClass(name, entry, index, queue)

    def class_by_index(self, index: int) -> ForwardingClass | None:
        """Return the forwarding class of an index, None without one."""
        return next((each for each in self.classes if each.index == index), None)


def _find_queue_name(entry: Stanza) -> Known[str] | Unset:
    own = entry.word("output", "unicast-queue")
    return own if isinstance(own, Known) else entry.word("output", "queue")


def _default_class(number: int) -> ForwardingClass:
    return ForwardingClass(f"fc{number}", None, number, Unset())


def read_config(captures: Sequence[Capture], model: str) -> Config:
    """Return the configuration in *captures*, which together make one tree; sessions follow what is printed."""
    config = Config(Tree(), model)
    places = find_places(captures)
    for capture in sorted(captures, key=is_session):
        config.doubts += read(config.tree, capture, places.get(id(capture), ()))
    return config
