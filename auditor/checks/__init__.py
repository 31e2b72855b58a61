"""Checks: one small pure function per rule, bound to the rules' files by name in one table."""

from collections.abc import Mapping

from auditor.checks import (
    base,
    buffers,
    classification,
    dcbx,
    dcqcn,
    deadlock,
    ecn,
    fleet,
    gpudirect,
    hosttimes,
    job,
    marking,
    mtu,
    nicbuffers,
    pause_point,
    pfc,
    roceversion,
    scheduling,
    topology,
    watchdog,
)
from auditor.checks.base import Check, Scope
from auditor.finding import Fault

CHECKS: Mapping[str, Check] = {
    "pfc_off": Check(
        Scope.PORT, pfc.pfc_off, base.lossless_traffic, by_intent=True, faults=(Fault.NOT_SENT, Fault.NOT_HONOURED)
    ),
    "no_drop_class_missing": Check(
        Scope.PORT, pfc.no_drop_class_missing, base.switch_ports, by_intent=True, faults=(Fault.LOSSY,)
    ),
    "extra_priorities": Check(Scope.PORT, pfc.extra_priorities, base.pausing_ports, by_intent=True),
    "not_honoured": Check(Scope.PORT, pfc.not_honoured, base.pausing_switch_ports, faults=(Fault.NOT_HONOURED,)),
    "link_pause": Check(Scope.PORT, pfc.link_pause, pfc.paused_ports),
    "one_sided": Check(Scope.LINK, pfc.one_sided, pfc.cable_priorities, faults=(Fault.NOT_SENT, Fault.NOT_HONOURED)),
    "trust_lost": Check(
        Scope.PORT, classification.trust_lost, base.rdma_traffic, by_intent=True, faults=(Fault.LOSSY,)
    ),
    "wrong_class": Check(
        Scope.PORT, classification.wrong_class, base.rdma_markings, by_intent=True, faults=(Fault.LOSSY,)
    ),
    "cnp_misplaced": Check(Scope.PORT, classification.cnp_misplaced, base.cnp_markings, by_intent=True),
    "elsewhere": Check(Scope.PORT, classification.elsewhere, base.companion_markings, by_intent=True),
    "marked_otherwise": Check(
        Scope.PORT, marking.marked_otherwise, marking.marks, by_intent=True, faults=(Fault.LOSSY,)
    ),
    "rewritten_out_of_class": Check(
        Scope.FABRIC, classification.rewritten_out_of_class, classification.steps, by_intent=True, faults=(Fault.LOSSY,)
    ),
    "not_read_back": Check(Scope.PORT, classification.not_read_back, classification.sorted_classes),
    "unmarked_kept": Check(Scope.PORT, classification.unmarked_kept, base.switched_rdma_traffic, by_intent=True),
    "undefined": Check(Scope.DEVICE, classification.undefined, base.switches),
    "unattached": Check(Scope.DEVICE, classification.unattached, base.switches),
    "ecn_missing": Check(Scope.PORT, ecn.ecn_missing, base.signalled_traffic, by_intent=True, faults=(Fault.NO_MARKS,)),
    "wred_drops": Check(Scope.PORT, ecn.wred_drops, ecn.undroppable, by_intent=True),
    "inverted": Check(Scope.PORT, ecn.inverted, base.marking_queues),
    "marks_after_pause": Check(Scope.PORT, pause_point.marks_after_pause, pause_point.paused_queues, by_intent=True),
    "point_off": Check(Scope.PORT, dcqcn.point_off, dcqcn.points, by_intent=True, faults=(Fault.NO_REACTION,)),
    "out_of_range": Check(Scope.DEVICE, dcqcn.out_of_range, dcqcn.tuned),
    "peer_too_small": Check(Scope.LINK, mtu.peer_too_small, mtu.directions, faults=(Fault.BLACK_HOLE,)),
    "below_path_mtu": Check(Scope.PORT, mtu.below_path_mtu, base.rdma_ports, mtu.PathMtuParams, by_intent=True),
    "headroom_short": Check(
        Scope.PORT, buffers.headroom_short, base.lossless_groups, by_intent=True, faults=(Fault.SHORT_HEADROOM,)
    ),
    "lossless_queue_shared": Check(Scope.PORT, scheduling.lossless_queue_shared, scheduling.no_drop_queues),
    "runs_otherwise": Check(Scope.PORT, hosttimes.runs_otherwise, hosttimes.times),
    "two_agents": Check(Scope.DEVICE, dcbx.two_agents, dcbx.agents),
    "may_be_overwritten": Check(Scope.PORT, dcbx.may_be_overwritten, dcbx.hand_set),
    "wrong_gid": Check(Scope.PORT, roceversion.wrong_gid, roceversion.addresses),
    "speaks_iwarp": Check(Scope.PORT, roceversion.speaks_iwarp, roceversion.rdma_nics),
    "job_marks_otherwise": Check(Scope.DEVICE, job.job_marks_otherwise, job.jobs, by_intent=True),
    "badly_buffered": Check(Scope.PORT, nicbuffers.badly_buffered, nicbuffers.paused_priorities),
    "detour": Check(Scope.DEVICE, gpudirect.detour, gpudirect.gpu_hosts),
    "strictly_ordered": Check(Scope.PORT, gpudirect.strictly_ordered, gpudirect.ordered_nics),
    "waits_in_a_circle": Check(Scope.FABRIC, deadlock.waits_in_a_circle, deadlock.paused_links),
    "speed_mismatch": Check(Scope.LINK, topology.speed_mismatch, topology.speeds),
    "outlier": Check(Scope.FABRIC, fleet.outlier, fleet.peers, fleet.OutlierParams),
    "watchdog_missing": Check(Scope.PORT, watchdog.watchdog_missing, base.pausing_switch_ports),
    "watchdog_incomplete": Check(Scope.PORT, watchdog.watchdog_incomplete, base.pausing_switch_ports),
}
