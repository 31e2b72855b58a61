"""What an intent file, a role in it and a preset have in common, and how one is laid over another."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from auditor.intent.model import Design, Homing, TrafficKind
from auditor.model.nic import CcEngine

Priority = Annotated[int, Field(ge=0, le=7)]
Dscp = Annotated[int, Field(ge=0, le=63)]


class Closed(BaseModel):
    """A part of a file in which a misspelt field is refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class TrafficFile(Closed):
    """One traffic class; by the name of a class of the preset it changes what it says of that class."""

    name: str
    kind: TrafficKind = Field(default=TrafficKind.OTHER, description="what it carries")
    dscp: list[Dscp] = Field(default_factory=list, description="DSCP values that mark it")
    priority: Priority | None = Field(
        default=None, description="the priority that a PFC frame or a PCP tag carries for it"
    )
    lossless: bool = Field(default=False, description="whether it is never dropped (PFC)")


class PresetTraffic(TrafficFile):
    """A traffic class of a preset: its source, unlike a site, may leave open whether it is dropped."""

    lossless: bool | None = Field(  # type: ignore[assignment]
        default=None, description="whether it is never dropped (PFC)"
    )


class IntentFields(Closed):
    """What the fabric, or the devices of a role, are meant to be."""

    traffic: list[TrafficFile] | None = Field(default=None, min_length=1, description="the traffic classes")
    design: Design | None = Field(
        default=None,
        description="lossless: RDMA is paused, not dropped (PFC); ecn-only: nothing is paused, ECN alone slows senders",
    )
    congestion_control: CcEngine | None = Field(
        default=None,
        description="what slows RDMA senders down: dcqcn (ECN marks and CNPs), rtt, programmable, or none (PFC alone)",
    )
    path_mtu_bytes: Literal[256, 512, 1024, 2048, 4096] | None = Field(
        default=None, description="RDMA payload per packet"
    )
    cable_length_m: float | None = Field(
        default=None, gt=0, le=100_000, description="length of a cable of which nothing else tells it"
    )
    oversubscription: float | None = Field(
        default=None,
        gt=0,
        le=1000,
        description="how much more capacity may lead down than up at a switch: 1 is non-blocking, 3 means 3:1",
    )
    gpus_per_nic: int | None = Field(default=None, ge=1, le=16, description="how many GPUs may share a NIC")
    incast: int | None = Field(
        default=None,
        ge=2,
        le=65536,
        description="how many senders may start at once towards one NIC without PFC: DCQCN is to slow them down first",
    )
    rails: bool | None = Field(
        default=None,
        description="whether NICs of one name go to the same leaf on all hosts of a pod (rail-optimised)",
    )
    homing: Homing | None = Field(
        default=None,
        description="single: each bond goes to one leaf, and so do NICs without bond unless they are rails; "
        "dual: each goes to two or more",
    )
    ip: list[Literal[4, 6]] | None = Field(
        default=None,
        min_length=1,
        description="the versions of IP that RDMA uses; not said: 4, and 6 where jobs or GIDs of hosts use it",
    )


def overlay_fields(base: IntentFields, own: IntentFields, *, by_name: bool) -> IntentFields:
    """Return *base* with what *own* says in its place; traffic classes class by class, if *by_name*, else all of them.

    >>> base = Plan(traffic=[TrafficFile(name="RDMA", priority=3, lossless=True)], path_mtu_bytes=4096)
    >>> found = laid_over(base, Plan(traffic=[TrafficFile(name="RDMA", priority=4)]), by_name=True)
    >>> found.path_mtu_bytes, [(t.priority, t.lossless) for t in found.traffic]
    (4096, [(4, True)])
    """
    said = {name: value for name in IntentFields.model_fields if (value := getattr(own, name)) is not None}
    if by_name and base.traffic and own.traffic:
        classes = {t.name: t for t in base.traffic}
        for mine in own.traffic:
            known = classes.get(mine.name)
            written = {name: getattr(mine, name) for name in mine.model_fields_set}
            classes[mine.name] = known.model_copy(update=written) if known else mine
        said["traffic"] = list(classes.values())
    return IntentFields.model_construct(**{name: getattr(base, name) for name in IntentFields.model_fields} | said)
