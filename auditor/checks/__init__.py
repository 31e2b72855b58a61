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
    hosttimes,
    job,
    marking,
    mtu,
    pause_point,
    pfc,
    roceversion,
    scheduling,
    topology,
    watchdog,
)
from auditor.checks.base import Check, Scope

CHECKS: Mapping[str, Check] = {
    "pfc_off": Check(Scope.PORT, pfc.pfc_off, base.lossless_traffic, by_intent=True),
    "no_drop_class_missing": Check(Scope.PORT, pfc.no_drop_class_missing, base.switch_ports, by_intent=True),
    "extra_priorities": Check(Scope.PORT, pfc.extra_priorities, base.pausing_ports, by_intent=True),
    "link_pause": Check(Scope.PORT, pfc.link_pause, base.pausing_ports),
    "one_sided": Check(Scope.LINK, pfc.one_sided, pfc.cable_priorities),
    "trust_lost": Check(Scope.PORT, classification.trust_lost, base.rdma_traffic, by_intent=True),
    "wrong_class": Check(Scope.PORT, classification.wrong_class, base.rdma_markings, by_intent=True),
    "cnp_misplaced": Check(Scope.PORT, classification.cnp_misplaced, base.cnp_markings, by_intent=True),
    "elsewhere": Check(Scope.PORT, classification.elsewhere, base.companion_markings, by_intent=True),
    "marked_otherwise": Check(Scope.PORT, marking.marked_otherwise, marking.marks, by_intent=True),
    "rewritten_out_of_class": Check(
        Scope.FABRIC, classification.rewritten_out_of_class, classification.steps, by_intent=True
    ),
    "undefined": Check(Scope.DEVICE, classification.undefined, base.switches),
    "unattached": Check(Scope.DEVICE, classification.unattached, base.switches),
    "ecn_missing": Check(Scope.PORT, ecn.ecn_missing, base.signalled_traffic, by_intent=True),
    "wred_drops": Check(Scope.PORT, ecn.wred_drops, base.switched_rdma_traffic, by_intent=True),
    "inverted": Check(Scope.PORT, ecn.inverted, base.marking_queues),
    "marks_after_pause": Check(Scope.PORT, pause_point.marks_after_pause, pause_point.paused_queues, by_intent=True),
    "point_off": Check(Scope.PORT, dcqcn.point_off, dcqcn.points, by_intent=True),
    "peer_too_small": Check(Scope.LINK, mtu.peer_too_small, mtu.directions),
    "below_path_mtu": Check(Scope.PORT, mtu.below_path_mtu, base.rdma_ports, mtu.PathMtuParams, by_intent=True),
    "headroom_short": Check(Scope.PORT, buffers.headroom_short, base.lossless_groups, by_intent=True),
    "lossless_queue_shared": Check(Scope.PORT, scheduling.lossless_queue_shared, scheduling.no_drop_queues),
    "runs_otherwise": Check(Scope.PORT, hosttimes.runs_otherwise, hosttimes.times),
    "two_agents": Check(Scope.DEVICE, dcbx.two_agents, dcbx.agents),
    "may_be_overwritten": Check(Scope.PORT, dcbx.may_be_overwritten, dcbx.hand_set),
    "wrong_gid": Check(Scope.PORT, roceversion.wrong_gid, roceversion.addresses),
    "speaks_iwarp": Check(Scope.PORT, roceversion.speaks_iwarp, roceversion.rdma_nics),
    "job_marks_otherwise": Check(Scope.DEVICE, job.job_marks_otherwise, job.jobs, by_intent=True),
    "waits_in_a_circle": Check(Scope.FABRIC, deadlock.waits_in_a_circle, deadlock.paused_links),
    "speed_mismatch": Check(Scope.LINK, topology.speed_mismatch, topology.speeds),
    "outlier": Check(Scope.FABRIC, fleet.outlier, fleet.peers, fleet.OutlierParams),
    "watchdog_missing": Check(Scope.PORT, watchdog.watchdog_missing, base.pausing_switch_ports),
    "watchdog_incomplete": Check(Scope.PORT, watchdog.watchdog_incomplete, base.pausing_switch_ports),
}
