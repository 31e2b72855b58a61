"""Statements in force on a port of an AOS-CX switch turned into its configuration."""

from auditor.grammar import assemble
from auditor.grammar.body import Body, QueueBody
from auditor.grammar.config import Config
from auditor.grammar.layers import NOTHING, either, laid_over, later
from auditor.model.port import Forwarding, PortConfig, Watchdog
from auditor.model.qos import Classification, Marking, Queue, TrafficClass, Trust, ValueMap
from auditor.model.setting import Known, Origin, Setting, Unknown, Unset, value_of
from auditor.systems.aoscx.interfaces import SCHEDULE, THRESHOLD
from auditor.systems.aoscx.switch import QUEUE_PROFILE, AosCx

DSCP_PAGE = "https://support.hpe.com/techhub/eginfolib/Aruba/8320_10.01/5200-5120/GUID-A7F38F8B-E022-4E40-8288-35F34A960A97.html"
DEFAULT_DSCP = (
    dict.fromkeys(range(8), 1) | {8: 0} | dict.fromkeys(range(45, 48), 5) | {48: 6} | dict.fromkeys(range(61, 64), 7)
)
"""Local priorities of the DSCPs that the vendor's page shows; it leaves out the others."""
PRIORITIES = range(8)
_OTHER_SPACE = Unknown("which local priority the priority of a pause frame stands for is on no page that could be read")
_NO_WATCHDOG = Unknown("no watchdog of PFC is on a page of the vendor that could be read")


def resolve(config: Config[AosCx], body: Body, nothing: Unset) -> PortConfig:
    """Return the configuration of a port; the switch's trust and profiles hold where it has none of its own."""
    mtu = either(body.mtu, nothing)
    return PortConfig(
        ethernet=assemble.ethernet(body, nothing, mtu=mtu, ip=_largest_packet(body, mtu, nothing), frame=nothing),
        pfc=assemble.pfc(body, nothing, either(body.pfc_mode, nothing), Watchdog(*[_NO_WATCHDOG] * 6)),
        pause=assemble.pause(body, nothing),
        classification=assemble.sorting(body, _classification(config, body, nothing)),
        marking=Marking(assemble.NOT_READ, assemble.NOT_READ, assemble.NOT_READ),
        queues=_queues(config, body, nothing),
        priority_groups=assemble.NOT_READ,
    )


def _largest_packet(body: Body, mtu: Setting[int], nothing: Unset) -> Setting[int]:
    """Return the largest IP packet: a routed port has an IP MTU beside the MTU of its frames."""
    if not isinstance(body.forwarding, Known):
        return Unknown("whether the port is routed or switched is not written")
    return either(body.ip_mtu, nothing) if body.forwarding.value is Forwarding.ROUTED else mtu


def _classification(config: Config[AosCx], body: Body, nothing: Unset) -> Classification:
    system = config.system
    trust = either(system.trust, nothing) if isinstance(body.trust, Unset) else body.trust
    default = {point: Known(to, Origin.DEFAULT, nothing.where, DSCP_PAGE) for point, to in DEFAULT_DSCP.items()}
    classes = tuple(_class(config, number, nothing) for number in PRIORITIES)
    return Classification(
        trust=trust,
        classes=Known(classes, Origin.DEFAULT, nothing.where),
        dscp_to_class=_map(default | system.dscp, nothing),
        pcp_to_class=_map(system.cos, nothing),
        default_class=_untrusted(config, trust),
        classifiers=nothing,
    )


def _map(table: dict[int, Known[int]], nothing: Unset) -> Setting[ValueMap]:
    if not table:
        return Unknown("the map by default is on no page of the vendor that could be read")
    entries = {point: Known(str(to.value), to.origin, to.where, to.reference) for point, to in sorted(table.items())}
    return Known(entries, Origin.INTENDED, nothing.where)


def _untrusted(config: Config[AosCx], trust: Setting[Trust]) -> Setting[str]:
    """Return the class of packets whose marking is not read: that of CoS 0; with trust, other rules hold."""
    of_cos_0 = config.system.cos.get(0)
    if value_of(trust) is not Trust.NONE or of_cos_0 is None:
        return Unknown("the class of what no line maps is on no page of the vendor that could be read")
    return Known(str(of_cos_0.value), of_cos_0.origin, of_cos_0.where)


def _class(config: Config[AosCx], number: int, nothing: Unset) -> TrafficClass:
    return TrafficClass(
        id=str(number),
        name=f"local priority {number}",
        internal=Known(number, Origin.DEFAULT, nothing.where),
        pfc_priority=_OTHER_SPACE,
        queue=_queue_of(config, number),
        lossless=_OTHER_SPACE,
    )


def _queue_of(config: Config[AosCx], number: int) -> Setting[int]:
    applied = config.system.applied.get(QUEUE_PROFILE)
    if applied is None:
        return Unknown("the queue profile by default is on no page of the vendor that could be read")
    entry = config.system.queue_maps.get(applied.value, {}).get(number)
    return entry or Unknown(f"qos queue-profile {applied.value} does not map local priority {number} in the dump")


def _queues(config: Config[AosCx], body: Body, nothing: Unset) -> Setting[tuple[Queue, ...]]:
    """Return the queues of the profiles in force: the port's own, else the switch's."""
    said: dict[int, QueueBody] = {}
    for kind in (SCHEDULE, THRESHOLD):
        name = value_of(body.names.get(kind, NOTHING)) or value_of(config.system.applied.get(kind, NOTHING))
        profile = config.system.profiles.get((kind, name)) if name else {}
        if profile is None:
            return Unknown(f"{kind} {name} is not in the dump")
        said = laid_over(Body(body.where, queues=said), Body(body.where, queues=profile), later).queues
    written = assemble.all_queues(Body(body.where, queues=said))
    return assemble.queues(written, nothing, lambda number, queue: _queue(config, number, queue))


def _queue(config: Config[AosCx], number: int, said: QueueBody) -> Queue:
    silent = Unset(said.where)
    applied = config.system.applied.get(QUEUE_PROFILE)
    table = config.system.queue_maps.get(applied.value) if applied else None
    fed: Setting[tuple[int, ...]] = Unknown("the queue profile in force is not in the dump")
    if applied and table is not None:
        fed = Known(tuple(sorted(p for p, to in table.items() if to.value == number)), Origin.INTENDED, applied.where)
    return Queue(
        queue=number,
        priorities=fed,
        ecn=either(said.ecn, silent),
        ecn_min=either(said.ecn_min, silent),
        ecn_max=either(said.ecn_max, silent),
        ecn_max_probability=either(said.probability, silent),
        wred_drop=silent,
        scheduler=either(said.scheduler, silent),
        weight=either(said.weight, silent),
    )
