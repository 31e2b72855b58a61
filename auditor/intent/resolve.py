"""The fields of an intent file as an intent."""

from typing import TypeVar

from auditor.intent.model import NO_CONTROL, NO_DESIGN, Design, Intent, Traffic
from auditor.intent.schema import IntentFields, TrafficFile
from auditor.model.qos import IpFamily
from auditor.model.setting import Known, Origin, Setting, Unknown

T = TypeVar("T")
_FAMILIES = {4: IpFamily.IPV4, 6: IpFamily.IPV6}


def make_intent(plan: IntentFields) -> Intent:
    """Return the intent that *plan* declares."""
    ecn_only = plan.design is Design.ECN_ONLY
    classes = tuple(_make_traffic(t, ecn_only=ecn_only) for t in plan.traffic or ())
    kept = [t for t in classes if not isinstance(t.lossless, Known) or t.lossless.value]
    lossless: Setting[tuple[int, ...]] = Unknown("the intent does not say which priorities are lossless")
    if plan.traffic is not None and all(isinstance(t.lossless, Known) and isinstance(t.priority, Known) for t in kept):
        found = sorted({t.priority.value for t in kept if isinstance(t.priority, Known)})
        lossless = Known(tuple(found), Origin.INTENDED)
    return Intent(
        declared=True,
        evidence=(),
        traffic=classes,
        lossless=lossless,
        path_mtu_bytes=_make_setting(plan.path_mtu_bytes, "the intent gives no path MTU"),
        cable_length_m=_make_setting(plan.cable_length_m, "the intent gives no cable length"),
        design=NO_DESIGN if plan.design is None else Known(plan.design, Origin.INTENDED),
        congestion_control=NO_CONTROL
        if plan.congestion_control is None
        else Known(plan.congestion_control, Origin.INTENDED),
        oversubscription=plan.oversubscription,
        gpus_per_nic=plan.gpus_per_nic,
        incast=plan.incast,
        rails=bool(plan.rails),
        homing=plan.homing,
        ip=tuple(family for number, family in _FAMILIES.items() if number in (plan.ip or ())),
    )


def _make_traffic(each: TrafficFile, *, ecn_only: bool) -> Traffic:
    lossless = False if ecn_only else each.lossless
    return Traffic(
        each.name,
        each.kind,
        _make_setting(tuple(each.dscp) or None, f"the intent gives no DSCP for {each.name}"),
        _make_setting(each.priority, f"the intent gives no priority for {each.name}"),
        _make_setting(lossless, f"the intent does not say whether {each.name} may be dropped"),
    )


def _make_setting(value: T | None, why: str) -> Setting[T]:
    return Unknown(why) if value is None else Known(value, Origin.INTENDED)
