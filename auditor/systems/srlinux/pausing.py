"""Priority flow control of a port: the mapping profile that is bound to it, deadlock recovery, and input buffers."""

from collections.abc import Mapping
from functools import cached_property

from auditor.model.buffers import HeadroomSource, PriorityGroup
from auditor.model.port import Pfc, PfcMode, Watchdog
from auditor.model.setting import Known, Origin, Setting, Unknown, Unset, value_of
from auditor.systems.srlinux.bindings import PortBindings
from auditor.systems.srlinux.config import Config, ForwardingClass
from auditor.systems.srlinux.tree import FLAGS, Stanza
from auditor.util.values import dataclass

PAGE = "https://documentation.nokia.com/srlinux/24-10/books/qos/priority-based-flow-control-pfc.html"
MODEL_PAGE = (
    "https://github.com/nokia/srlinux-yang-models/blob/v25.3.1/srlinux-yang-models/srl_nokia/models/qos/"
    "srl_nokia-qos.yang"
)
"""The model of the vendor: defaults of deadlock detection and of buffers of PFC."""
_MODES = {True: PfcMode.ON, False: PfcMode.OFF}
_TIMER_MS = 750.0
_BY_PLATFORM = Unknown("which priorities are paused follows from the platform, which `show version` tells")
_BY_CLASS = Unknown("on 7250 IXR a queue of PFC is that of its forwarding class, and each one pauses when it fills")
_SHARE = Unknown(
    "the headroom is a share of what the forwarding complex reserves for PFC, whose size `info from state` tells"
)
_LARGEST = 2**32 - 1
_BURST = 51_200
DEFAULT_PROFILE = "default"


@dataclass
class Pausing:
    """PFC of one port."""

    config: Config
    bound: PortBindings
    nothing: Unset

    @cached_property
    def mode(self) -> Setting[PfcMode]:
        """Whether PFC is on."""
        found = self.bound.find("pfc", "pfc-enable")
        if isinstance(found, Unset):
            return found if found.where else self.nothing
        if found.value not in FLAGS:
            return Unknown(f"{found.value} is not known here")
        return Known(_MODES[FLAGS[found.value]], found.origin, found.where)

    @cached_property
    def profile(self) -> Stanza | Unknown | Unset:
        """The mapping profile of the port."""
        name = self.bound.find("pfc", "pfc-mapping-profile")
        if isinstance(name, Unset) or name.value == DEFAULT_PROFILE:
            return Unknown("the port has the default mapping profile, whose content is on no page that could be read")
        found = self.config.find("pfc-mapping-profile", name.value)
        return found or Unknown(f"pfc-mapping-profile {name.value} is not in the dump")

    @cached_property
    def sent(self) -> Setting[tuple[int, ...]]:
        """The priorities for which the port sends pauses."""
        profile = self.profile
        if not isinstance(profile, Stanza):
            return profile
        if profile.node.get("received-traffic") is None and not self.config.model.startswith("7220"):
            return _BY_CLASS if self.config.model else _BY_PLATFORM
        queues = profile.entries("received-traffic", "unicast-mapping", "pfc-queue")
        used = [queue for queue in queues if queue.node.get("forwarding-class") or queue.node.get("dot1p")]
        found = [each for queue in used if isinstance(each := _read_priority(queue), Known)]
        where = next((each.where for each in found), profile.where)
        return Known(tuple(sorted({each.value for each in found})), Origin.INTENDED, where)

    @property
    def _profiles(self) -> tuple[Stanza, ...]:
        """The profiles that tell which classes are no-drop: the port's own, or all where PFC is off at the port."""
        if isinstance(self.profile, Stanza):
            return (self.profile,)
        is_on = value_of(self.mode) is PfcMode.ON
        return () if is_on else tuple(self.config.top.entries("qos", "pfc-mapping-profile"))

    @cached_property
    def _by_class(self) -> Mapping[str, Known[int]]:
        """The priority in the pauses of each forwarding class that has a queue of PFC."""
        found: dict[str, Known[int]] = {}
        for profile in self._profiles:
            for queue in profile.entries("received-traffic", "unicast-mapping", "pfc-queue"):
                priority = _read_priority(queue)
                if isinstance(priority, Known):
                    found |= {each.word: priority for each in queue.node.entries("forwarding-class")}
        return found

    @cached_property
    def honoured_by_queue(self) -> Mapping[int, Known[int]]:
        """The priority whose pauses stop an egress queue, by the number of the queue."""
        found: dict[int, Known[int]] = {}
        for profile in self._profiles:
            for queue in profile.entries("received-pfc-pause-frames", "queue"):
                priority = _read_priority(queue)
                number = self.config.find_queue(queue.node.word)
                if value_of(queue.choice(FLAGS, "enable-pfc")) and number is not None and isinstance(priority, Known):
                    found[number] = priority
        return found

    @cached_property
    def honoured(self) -> Setting[tuple[int, ...]]:
        """The priorities whose pauses the port honours."""
        if not isinstance(self.profile, Stanza):
            return self.profile
        found = self.honoured_by_queue.values()
        where = next((each.where for each in found), self.profile.where)
        return Known(tuple(sorted({each.value for each in found})), Origin.INTENDED, where)

    @property
    def priorities(self) -> Setting[tuple[int, ...]]:
        """The priorities that the port treats as lossless: those that it pauses, else those whose pauses it honours."""
        return self.sent if isinstance(self.sent, Known) else self.honoured

    def find_priority(self, found: ForwardingClass, queue: int | None) -> Setting[int]:
        """Return the priority of a class in pauses: that of its queue of PFC, else of its egress queue."""
        if isinstance(self.profile, Unknown) and value_of(self.mode) is PfcMode.ON:
            return self.profile
        own = self._by_class.get(found.name)
        return own or (self.honoured_by_queue.get(queue) if queue is not None else None) or self.nothing

    def build(self) -> Pfc:
        """Return PFC of the port; where it is off, its profile has no effect."""
        mode = self.mode
        if value_of(mode) is not PfcMode.ON:
            silent = mode if isinstance(mode, Unknown) else self.nothing
            return Pfc(mode, silent, silent, silent, silent, watchdog=self._watchdog())
        return Pfc(
            mode=mode,
            oper=self.nothing,
            priorities=self.priorities,
            tx_priorities=self.sent,
            rx_priorities=self.honoured,
            watchdog=self._watchdog(),
        )

    def _watchdog(self) -> Watchdog:
        """Return the detection of deadlocks, which ignores received pauses until its recovery timer ends.

        There is no action to choose: packets are forwarded meanwhile.
        """
        nothing = self.nothing
        if value_of(self.mode) is not PfcMode.ON:
            return Watchdog(nothing, nothing, nothing, nothing, nothing, nothing)
        profile = self.profile
        if not isinstance(profile, Stanza):
            return Watchdog(profile, profile, profile, nothing, profile, profile)
        found = profile.below("received-pfc-pause-frames", "deadlock")
        if found is None:
            off = Unset(profile.where)
            return Watchdog(off, off, off, nothing, off, off)
        enabled = found.choice(FLAGS, "enable")
        return Watchdog(
            enabled=Unset(found.where) if isinstance(enabled, Unset) else enabled,
            detection_ms=_read_timer(found, "detection-timer"),
            restoration_ms=_read_timer(found, "recovery-timer"),
            polling_ms=nothing,
            action=nothing,
            priorities=self.honoured if value_of(enabled) else Unset(found.where),
        )

    def list_groups(self) -> Setting[tuple[PriorityGroup, ...]]:
        """Return the input buffers: one for each queue of PFC that the mapping profile gives a priority."""
        if value_of(self.mode) is not PfcMode.ON:
            return self.nothing
        if not isinstance(self.profile, Stanza):
            return self.profile
        groups = [
            group
            for queue in self.profile.entries("received-traffic", "unicast-mapping", "pfc-queue")
            if (group := self._build_group(queue))
        ]
        if not groups:
            return self.sent if isinstance(self.sent, Unknown) else Known((), Origin.INTENDED, self.profile.where)
        return Known(tuple(sorted(groups, key=lambda group: group.pg)), Origin.INTENDED, self.profile.where)

    def _build_group(self, queue: Stanza) -> PriorityGroup | None:
        priority = _read_priority(queue)
        if not isinstance(priority, Known):
            return None
        own = Known((priority.value,), priority.origin, priority.where)
        buffers = self._find_buffers(queue.node.word)
        headroom = _read_headroom(buffers)
        return PriorityGroup(
            pg=priority.value,
            priorities=own,
            paused_for=own,
            lossless=Known(value=True, origin=priority.origin, where=priority.where),
            xoff_bytes=headroom,
            headroom_source=_find_source(headroom),
            static_threshold_bytes=_read_threshold(buffers, self.nothing),
        )

    def _find_buffers(self, queue: str) -> Stanza | Unknown | None:
        """Return the buffers of a queue of PFC by the profile that is bound to arriving packets, None without one."""
        name = self.bound.find("input", "pfc-buffer-allocation-profile")
        if isinstance(name, Unset) or name.value == DEFAULT_PROFILE:
            return None
        profile = self.config.find("buffer-management", "buffer-allocation-profile", name.value)
        if profile is None:
            return Unknown(f"buffer-allocation-profile {name.value} is not in the dump")
        return profile.below("queues", "pfc-queue", queue)


def _read_priority(queue: Stanza) -> Setting[int]:
    return queue.number("pfc-pause-frame-priority", high=7)


def _read_timer(found: Stanza, name: str) -> Setting[float]:
    timer = found.number(name, high=60_000)
    if isinstance(timer, Unset):
        return Known(_TIMER_MS, Origin.DEFAULT, timer.where or found.where, MODEL_PAGE)
    return Known(float(timer.value), timer.origin, timer.where) if isinstance(timer, Known) else timer


def _read_threshold(buffers: Stanza | Unknown | None, nothing: Unset) -> Setting[int]:
    """Return how much a queue of PFC may hold of the shared buffer before it pauses."""
    if not isinstance(buffers, Stanza):
        return buffers or nothing
    if value_of(buffers.choice(FLAGS, "use-dynamic-allocation")):
        return Unknown("the switch allots the buffer by itself (use-dynamic-allocation)")
    found = buffers.number("maximum-burst-size", high=_LARGEST)
    return (
        Known(_BURST, Origin.DEFAULT, found.where or buffers.where, MODEL_PAGE) if isinstance(found, Unset) else found
    )


def _read_headroom(buffers: Stanza | Unknown | None) -> Setting[int]:
    """Return the share of the buffer reserved for PFC that a queue may take, where it is written in bytes."""
    if not isinstance(buffers, Stanza):
        return buffers or _SHARE
    found = buffers.number("maximum-pfc-reserved-share-bytes", high=_LARGEST)
    return _SHARE if isinstance(found, Unset) else found


def _find_source(headroom: Setting[int]) -> Setting[HeadroomSource]:
    if isinstance(headroom, Known):
        return Known(HeadroomSource.CONFIGURED, headroom.origin, headroom.where)
    return _SHARE
