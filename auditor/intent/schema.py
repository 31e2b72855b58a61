"""Fields that intent files, roles and presets share, and the overlay of one over another."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from auditor.intent.model import Design, Homing, TrafficKind
from auditor.model.nic import CcEngine
from auditor.util.model_config import CLOSED

Priority = Annotated[int, Field(ge=0, le=7)]
Dscp = Annotated[int, Field(ge=0, le=63)]


class StrictModel(BaseModel):
    """A part of a file that refuses unknown fields."""

    model_config = CLOSED


class TrafficFile(StrictModel):
    """One traffic class; the name of a preset's class changes the fields of that class."""

    name: str
    kind: TrafficKind = Field(default=TrafficKind.OTHER, description="the kind of traffic in the class")
    dscp: list[Dscp] = Field(default_factory=list, description="DSCP values of the class")
    priority: Priority | None = Field(default=None, description="priority of the class in PFC frames and PCP tags")
    lossless: bool = Field(default=False, description="whether the class is lossless (PFC)")


class PresetTraffic(TrafficFile):
    """A traffic class of a preset; a source may leave open whether the class is lossless."""

    lossless: bool | None = Field(  # type: ignore[assignment]
        default=None, description="whether the class is lossless (PFC)"
    )


class IntentFields(StrictModel):
    """The intent of a fabric, or of the devices of a role."""

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
        default=None, gt=0, le=100_000, description="length of cables without another source of their length"
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
    """Return *base* with the fields of *own* in place; traffic classes one by one if *by_name*, else as a whole.

    >>> base = IntentFields(traffic=[TrafficFile(name="RDMA", priority=3, lossless=True)], path_mtu_bytes=4096)
    >>> found = overlay_fields(base, IntentFields(traffic=[TrafficFile(name="RDMA", priority=4)]), by_name=True)
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
