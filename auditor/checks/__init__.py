"""Checks: one small pure function per rule, bound to the rules' files by name in one table."""

from collections.abc import Mapping

from auditor.checks import (
    accesslists,
    agreement,
    base,
    bonding,
    buffers,
    bundles,
    cables,
    capacity,
    ccprogram,
    classification,
    curves,
    dcbx,
    dcqcn,
    deadlock,
    declared_incasts,
    ecn,
    egress,
    extent,
    fec,
    fleet,
    gpudirect,
    gpunics,
    hostaddresses,
    hosttimes,
    incast,
    job,
    jobdevices,
    jobgids,
    joblogs,
    jobmarking,
    jobqueuepairs,
    jobrails,
    jobresources,
    jobtransport,
    likelinks,
    linkfailure,
    linkrouting,
    linkstate,
    lockedmemory,
    losses,
    manifest,
    marking,
    mtu,
    neighbours,
    next_boot,
    nicbuffers,
    niclink,
    nicscheduling,
    ongoing,
    operation,
    paths,
    pause_point,
    pauseroots,
    pcielink,
    peermemory,
    pfc,
    podnetworks,
    pools,
    portlimit,
    rails,
    ratelimits,
    resuming,
    roceversion,
    rows,
    scheduling,
    selectors,
    sharedbundles,
    shut,
    spreading,
    switchrouting,
    topology,
    tunnels,
    undroppable,
    versions,
    watchdog,
    watchdog_action,
)
from auditor.checks.base import Check, Scope
from auditor.model.finding import LossKind, Sign
from auditor.model.rows import RowFaultKind

CHECKS: Mapping[str, Check] = {
    "next_boot_differs": Check(Scope.DEVICE, next_boot.next_boot_differs, next_boot.list_saved_pairs),
    "no_longer_audited": Check(Scope.COMPARISON, extent.no_longer_audited, extent.list_pairs),
    "pfc_off": Check(
        Scope.PORT,
        pfc.pfc_off,
        base.list_lossless_traffic,
        by_intent=True,
        losses=(LossKind.NOT_SENT, LossKind.NOT_HONOURED),
        signs=(Sign.PAUSES_NOT_HONOURED, Sign.DISCARDED_ON_ARRIVAL),
    ),
    "no_drop_class_missing": Check(
        Scope.PORT,
        pfc.no_drop_class_missing,
        base.list_switch_ports,
        by_intent=True,
        losses=(LossKind.LOSSY,),
        signs=(Sign.DISCARDED_ON_ARRIVAL, Sign.QUEUE_OVERFLOWS),
    ),
    "extra_priorities": Check(
        Scope.PORT, pfc.extra_priorities, base.list_pausing_ports, by_intent=True, signs=(Sign.PAUSED,)
    ),
    "pfc_negotiated": Check(Scope.PORT, pfc.pfc_negotiated, pfc.list_chosen_modes, by_intent=True),
    "pause_not_honoured": Check(
        Scope.PORT,
        pfc.pause_not_honoured,
        base.list_pausing_switch_ports,
        losses=(LossKind.NOT_HONOURED,),
        signs=(Sign.PAUSES_NOT_HONOURED,),
    ),
    "link_pause": Check(Scope.PORT, pfc.link_pause, pfc.list_link_pause_ports, signs=(Sign.LINK_PAUSED,)),
    "pause_one_sided": Check(
        Scope.LINK,
        pfc.pause_one_sided,
        pfc.list_cable_priorities,
        losses=(LossKind.NOT_SENT, LossKind.NOT_HONOURED),
        signs=(Sign.PAUSES_NOT_HONOURED, Sign.DISCARDED_ON_ARRIVAL),
    ),
    "trust_missing": Check(
        Scope.PORT,
        classification.trust_missing,
        base.list_arriving_rdma,
        by_intent=True,
        losses=(LossKind.LOSSY,),
        signs=(Sign.NEVER_RECEIVED_AS,),
    ),
    "wrong_class": Check(
        Scope.PORT,
        classification.wrong_class,
        base.list_rdma_markings,
        by_intent=True,
        losses=(LossKind.LOSSY,),
        signs=(Sign.NEVER_RECEIVED_AS,),
    ),
    "cnp_misplaced": Check(Scope.PORT, classification.cnp_misplaced, base.list_cnp_markings, by_intent=True),
    "companion_misplaced": Check(
        Scope.PORT, classification.companion_misplaced, base.list_companion_markings, by_intent=True
    ),
    "marking_differs": Check(
        Scope.PORT,
        marking.marking_differs,
        marking.list_markings,
        by_intent=True,
        losses=(LossKind.LOSSY,),
        signs=(Sign.NEVER_SENT_AS,),
    ),
    "rewrite_out_of_class": Check(
        Scope.FABRIC,
        classification.rewrite_out_of_class,
        classification.list_steps,
        by_intent=True,
        losses=(LossKind.LOSSY,),
    ),
    "rewrite_not_read_back": Check(
        Scope.PORT, classification.rewrite_not_read_back, classification.list_sorted_classes
    ),
    "marking_lost": Check(Scope.DEVICE, tunnels.marking_lost, tunnels.list_tunnel_markings, by_intent=True),
    "tunnel_ecn_lost": Check(Scope.DEVICE, tunnels.tunnel_ecn_lost, tunnels.list_tunnel_ecn, by_intent=True),
    "no_drop_default": Check(Scope.PORT, classification.no_drop_default, base.list_switch_rdma_traffic, by_intent=True),
    "name_undefined": Check(Scope.DEVICE, classification.name_undefined, classification.list_naming),
    "breaks_model": Check(Scope.DEVICE, rows.report_rows, rows.list_checks(RowFaultKind.REFUSED_BY_MODEL)),
    "refused_by_switch": Check(Scope.DEVICE, rows.report_rows, rows.list_checks(RowFaultKind.REFUSED_BY_SWITCH)),
    "idle_profile": Check(Scope.DEVICE, rows.report_rows, rows.list_checks(RowFaultKind.IDLE_CURVE)),
    "sorted_twice": Check(Scope.DEVICE, rows.report_rows, rows.list_checks(RowFaultKind.TWICE_SORTED)),
    "lookup_missing": Check(Scope.DEVICE, rows.report_rows, rows.list_checks(RowFaultKind.NO_LOOKUP)),
    "policy_unattached": Check(Scope.DEVICE, classification.policy_unattached, classification.list_naming),
    "ecn_missing": Check(
        Scope.PORT,
        ecn.ecn_missing,
        base.list_signalled_traffic,
        by_intent=True,
        losses=(LossKind.NO_MARKS,),
        signs=(Sign.QUEUE_OVERFLOWS,),
    ),
    "nothing_marks": Check(Scope.FABRIC, ecn.nothing_marks, ecn.list_silent_fabrics, by_intent=True),
    "wred_drops": Check(
        Scope.PORT,
        ecn.wred_drops,
        ecn.list_undroppable_traffic,
        by_intent=True,
        signs=(Sign.WRED_DROPS,),
    ),
    "curve_switched_off": Check(Scope.PORT, ecn.curve_switched_off, ecn.list_curved_traffic, by_intent=True),
    "curve_inverted": Check(Scope.PORT, ecn.curve_inverted, base.list_marking_queues),
    "curve_flat": Check(Scope.PORT, ecn.curve_flat, ecn.list_curved_queues),
    "pause_before_slowdown": Check(
        Scope.FABRIC, incast.pause_before_slowdown, declared_incasts.list_incasts, incast.StartParams, by_intent=True
    ),
    "rests_beyond_pause": Check(Scope.FABRIC, incast.rests_beyond_pause, declared_incasts.list_incasts, by_intent=True),
    "kmin_below_packets": Check(Scope.PORT, curves.kmin_below_packets, curves.list_rdma_curves, by_intent=True),
    "kmax_above_memory": Check(Scope.PORT, curves.kmax_above_memory, curves.list_rdma_curves, by_intent=True),
    "marks_too_few": Check(
        Scope.PORT, curves.marks_too_few, pause_point.list_paused_queues, curves.ReachParams, by_intent=True
    ),
    "marks_after_pause": Check(
        Scope.PORT, pause_point.marks_after_pause, pause_point.list_paused_queues, by_intent=True
    ),
    "dcqcn_off": Check(
        Scope.PORT,
        dcqcn.dcqcn_off,
        dcqcn.list_points,
        by_intent=True,
        losses=(LossKind.NO_REACTION,),
        signs=(Sign.MARKS_UNANSWERED, Sign.CNPS_IGNORED),
    ),
    "no_algorithm_runs": Check(
        Scope.PORT, ccprogram.no_algorithm_runs, ccprogram.list_programmable, losses=(LossKind.NO_REACTION,)
    ),
    "dcqcn_out_of_range": Check(Scope.DEVICE, dcqcn.dcqcn_out_of_range, dcqcn.list_settings),
    "cnps_too_rare": Check(Scope.DEVICE, dcqcn.cnps_too_rare, dcqcn.list_cnp_intervals, dcqcn.CnpIntervalParams),
    "peer_too_small": Check(
        Scope.LINK, mtu.peer_too_small, mtu.list_directions, losses=(LossKind.BLACK_HOLE,), signs=(Sign.TOO_LONG,)
    ),
    "below_path_mtu": Check(
        Scope.PORT, mtu.below_path_mtu, base.list_rdma_ports, mtu.PathMtuParams, by_intent=True, signs=(Sign.TOO_LONG,)
    ),
    "class_below_path_mtu": Check(
        Scope.PORT, mtu.class_below_path_mtu, mtu.list_sized_classes, mtu.SwitchMtuParams, by_intent=True
    ),
    "gateway_too_small": Check(
        Scope.DEVICE, mtu.gateway_too_small, mtu.list_gateways, mtu.SwitchMtuParams, by_intent=True
    ),
    "headroom_short": Check(
        Scope.PORT,
        buffers.headroom_short,
        base.list_lossless_groups,
        by_intent=True,
        losses=(LossKind.SHORT_HEADROOM,),
        signs=(Sign.DISCARDED_ON_ARRIVAL,),
        by_cable=True,
    ),
    "pools_exceed_chip": Check(Scope.DEVICE, pools.pools_exceed_chip, pools.list_sized_pools),
    "headroom_missing": Check(
        Scope.PORT, buffers.headroom_missing, buffers.list_paused_groups, losses=(LossKind.LOSSY,)
    ),
    "egress_drops": Check(Scope.PORT, undroppable.egress_drops, undroppable.list_kept_queues),
    "group_in_lossy_pool": Check(Scope.PORT, undroppable.group_in_lossy_pool, undroppable.list_pooled_groups),
    "resumes_late": Check(Scope.PORT, resuming.resumes_late, resuming.list_resuming_groups),
    "alpha_extreme": Check(Scope.PORT, resuming.alpha_extreme, resuming.list_dynamic_groups, resuming.AlphaParams),
    "headroom_oversubscribed": Check(
        Scope.DEVICE, resuming.headroom_oversubscribed, pools.list_shared_headrooms, resuming.OversubscriptionParams
    ),
    "headroom_idle": Check(Scope.PORT, buffers.headroom_idle, buffers.list_written_headrooms),
    "headroom_of_another": Check(Scope.PORT, buffers.headroom_of_another, buffers.list_labelled_groups, by_cable=True),
    "headroom_beyond_limit": Check(Scope.DEVICE, portlimit.headroom_beyond_limit, portlimit.list_limited_ports),
    "headroom_pool_short": Check(Scope.DEVICE, pools.headroom_pool_short, pools.list_shared_headrooms),
    "cable_length_short": Check(Scope.FABRIC, cables.cable_length_short, cables.list_cable_lengths, by_cable=True),
    "lossless_queue_shared": Check(Scope.PORT, scheduling.lossless_queue_shared, scheduling.list_no_drop_queues),
    "queue_starved": Check(
        Scope.PORT, egress.queue_starved, egress.list_shared_queues, egress.ShareParams, by_intent=True
    ),
    "queue_limited": Check(Scope.PORT, egress.queue_limited, egress.list_limited_queues, by_intent=True),
    "port_limited": Check(Scope.PORT, ratelimits.port_limited, ratelimits.list_limited_ports, by_intent=True),
    "bulk_overtakes": Check(
        Scope.PORT, egress.bulk_overtakes, egress.list_strict_bulk, egress.ShareParams, by_intent=True
    ),
    "rdma_strict": Check(Scope.PORT, egress.rdma_strict, egress.list_strict_rdma, by_intent=True),
    "cnps_late": Check(Scope.PORT, egress.cnps_late, egress.list_cnp_queues, egress.CnpParams, by_intent=True),
    "nic_throttles": Check(Scope.PORT, nicscheduling.nic_throttles, nicscheduling.list_nic_queues, by_intent=True),
    "shares_paused_class": Check(
        Scope.PORT, nicscheduling.shares_paused_class, nicscheduling.list_paused_queues, by_intent=True
    ),
    "cnp_priority_paused": Check(
        Scope.PORT, nicscheduling.cnp_priority_paused, nicscheduling.list_cnp_senders, by_intent=True
    ),
    "address_twice": Check(Scope.FABRIC, hostaddresses.address_twice, hostaddresses.list_shared_addresses),
    "rail_unrouted": Check(Scope.FABRIC, hostaddresses.rail_unrouted, hostaddresses.list_rail_routes),
    "setting_not_running": Check(Scope.PORT, hosttimes.setting_not_running, hosttimes.list_times),
    "two_agents": Check(Scope.DEVICE, dcbx.two_agents, dcbx.list_agents),
    "pfc_overwritable": Check(Scope.PORT, dcbx.pfc_overwritable, dcbx.list_hand_set_nics, by_nic=True),
    "wrong_gid": Check(Scope.PORT, roceversion.wrong_gid, roceversion.list_addresses, by_nic=True),
    "speaks_iwarp": Check(Scope.PORT, roceversion.speaks_iwarp, roceversion.list_rdma_nics),
    "job_marking_differs": Check(Scope.DEVICE, job.job_marking_differs, job.list_jobs, by_intent=True),
    "queue_pair_alone": Check(Scope.FABRIC, jobqueuepairs.queue_pair_alone, jobqueuepairs.list_queue_pairs),
    "library_reports_fault": Check(Scope.FABRIC, joblogs.library_reports_fault, joblogs.list_logs),
    "falls_back_to_sockets": Check(Scope.FABRIC, joblogs.falls_back_to_sockets, joblogs.list_nccl_logs),
    "memory_limit_too_low": Check(
        Scope.FABRIC, lockedmemory.memory_limit_too_low, lockedmemory.list_limits, lockedmemory.MemoryParams
    ),
    "gid_index_unfit": Check(Scope.FABRIC, jobgids.gid_index_unfit, jobgids.list_indexes),
    "nccl_marks_nothing": Check(
        Scope.FABRIC, jobmarking.nccl_marks_nothing, jobmarking.list_nccl_hosts, by_intent=True
    ),
    "rdma_left_out": Check(Scope.FABRIC, jobtransport.rdma_left_out, jobtransport.list_transports),
    "path_switched_off": Check(Scope.FABRIC, jobtransport.path_switched_off, jobtransport.list_transports),
    "gpudirect_left_out": Check(Scope.FABRIC, jobtransport.gpudirect_left_out, jobtransport.list_transports),
    "job_leaves_rails": Check(Scope.FABRIC, jobrails.job_leaves_rails, jobrails.list_job_nics, by_intent=True),
    "rdma_resource_missing": Check(Scope.FABRIC, jobresources.rdma_resource_missing, jobresources.list_gpu_workloads),
    "job_device_missing": Check(Scope.FABRIC, jobdevices.job_device_missing, jobdevices.list_job_devices),
    "nics_share_subnet": Check(Scope.FABRIC, jobdevices.nics_share_subnet, jobdevices.list_subnets),
    "selector_without_device": Check(Scope.FABRIC, selectors.selector_without_device, selectors.list_selectors),
    "receive_buffer_unfit": Check(
        Scope.PORT,
        nicbuffers.receive_buffer_unfit,
        nicbuffers.list_paused_priorities,
        signs=(Sign.DISCARDED_ON_ARRIVAL,),
    ),
    "detour": Check(Scope.DEVICE, gpudirect.detour, gpudirect.list_gpu_hosts),
    "peer_memory_missing": Check(Scope.FABRIC, peermemory.peer_memory_missing, peermemory.list_nvidia_hosts),
    "reads_too_small": Check(Scope.PORT, pcielink.reads_too_small, pcielink.list_read_requests),
    "strict_ordering": Check(Scope.PORT, gpudirect.strict_ordering, gpudirect.list_ordered_nics),
    "link_downgraded": Check(Scope.PORT, pcielink.link_downgraded, pcielink.list_pcie_links),
    "link_below_nic_rate": Check(Scope.PORT, niclink.link_below_nic_rate, niclink.list_nic_links, by_cable=True),
    "contradicts_fabric": Check(
        Scope.DEVICE, manifest.contradicts_fabric, manifest.list_parts, mtu.HostMtuParams, by_intent=True
    ),
    "functions_on_one_member": Check(Scope.DEVICE, bonding.functions_on_one_member, bonding.list_shared_members),
    "near_nic_missing": Check(Scope.DEVICE, gpunics.near_nic_missing, gpunics.list_hosts),
    "too_many_gpus": Check(Scope.DEVICE, gpunics.too_many_gpus, gpunics.list_shared_hosts, by_intent=True),
    "pause_cycle": Check(Scope.FABRIC, deadlock.pause_cycle, deadlock.list_pause_graphs),
    "pause_cycle_after_failure": Check(Scope.FABRIC, linkfailure.pause_cycle_after_failure, deadlock.list_pause_graphs),
    "access_list_drops": Check(Scope.PORT, accesslists.access_list_drops, accesslists.list_guarded_ports),
    "operation_differs": Check(Scope.DEVICE, operation.operation_differs, operation.list_differing),
    "version_known_bad": Check(
        Scope.FABRIC, versions.version_known_bad, versions.list_versions, versions.VersionParams
    ),
    "version_overdue": Check(Scope.FABRIC, versions.version_overdue, versions.list_due),
    "ends_apart": Check(Scope.FABRIC, linkrouting.ends_apart, linkrouting.list_addressed),
    "session_missing": Check(Scope.FABRIC, linkrouting.session_missing, linkrouting.list_routed_links),
    "route_map_lost": Check(Scope.DEVICE, switchrouting.route_map_lost, switchrouting.list_mapping),
    "network_not_announced": Check(Scope.FABRIC, switchrouting.network_not_announced, switchrouting.list_host_networks),
    "static_route_diverts": Check(Scope.FABRIC, switchrouting.static_route_diverts, switchrouting.list_static_routes),
    "out_of_service": Check(Scope.DEVICE, switchrouting.out_of_service, switchrouting.list_in_service),
    "pod_network_leads_nowhere": Check(Scope.FABRIC, podnetworks.pod_network_leads_nowhere, podnetworks.list_parts),
    "silent_link": Check(Scope.FABRIC, linkstate.silent_link, linkstate.list_described_links),
    "negotiation_differs": Check(Scope.LINK, linkstate.negotiation_differs, linkstate.list_negotiating, by_cable=True),
    "port_in_loopback": Check(Scope.PORT, linkstate.port_in_loopback, linkstate.list_loopback_ports),
    "slower_than_like": Check(Scope.FABRIC, likelinks.slower_than_like, likelinks.list_like_links, by_cable=True),
    "speed_mismatch": Check(Scope.LINK, topology.speed_mismatch, topology.list_speeds, by_cable=True),
    "wrong_rail": Check(Scope.FABRIC, rails.wrong_rail, rails.list_rails, by_intent=True),
    "wrong_homing": Check(Scope.FABRIC, rails.wrong_homing, rails.list_homes, by_intent=True),
    "fec_mismatch": Check(Scope.LINK, fec.fec_mismatch, fec.list_coded_cables, signs=(Sign.DAMAGED,), by_cable=True),
    "fec_missing": Check(Scope.PORT, fec.fec_missing, fec.list_coded_ports, signs=(Sign.DAMAGED,), by_cable=True),
    "lldp_contradicts": Check(Scope.FABRIC, neighbours.lldp_contradicts, neighbours.list_neighbours),
    "uplinks_oversubscribed": Check(Scope.FABRIC, capacity.uplinks_oversubscribed, capacity.list_fans, by_intent=True),
    "peers_differ": Check(Scope.FABRIC, sharedbundles.peers_differ, sharedbundles.list_shared_bundles),
    "members_differ": Check(Scope.DEVICE, bundles.members_differ, bundles.list_bundles),
    "bundle_one_sided": Check(Scope.LINK, bundles.bundle_one_sided, bundles.list_bundled_cables),
    "port_shut_despite_cable": Check(Scope.FABRIC, shut.port_shut_despite_cable, shut.list_shut_links),
    "watchdog_forced": Check(Scope.PORT, watchdog_action.watchdog_forced, watchdog_action.list_forced_ports),
    "watchdog_keeps_storm": Check(
        Scope.PORT, watchdog_action.watchdog_keeps_storm, watchdog_action.list_acting_ports, signs=(Sign.PAUSE_STORM,)
    ),
    "hash_without_ports": Check(Scope.FABRIC, paths.hash_without_ports, paths.list_spreads),
    "seed_repeated": Check(Scope.FABRIC, paths.seed_repeated, paths.list_seeded),
    "paths_unused": Check(Scope.FABRIC, paths.paths_unused, paths.list_limited),
    "packets_out_of_order": Check(Scope.FABRIC, spreading.packets_out_of_order, spreading.list_spread_packets),
    "outlier": Check(Scope.FABRIC, fleet.outlier, fleet.list_peers, fleet.OutlierParams),
    "hosts_disagree": Check(Scope.FABRIC, agreement.hosts_disagree, agreement.list_likes),
    "watchdog_missing": Check(
        Scope.PORT, watchdog.watchdog_missing, base.list_pausing_switch_ports, signs=(Sign.PAUSE_STORM,)
    ),
    "watchdog_incomplete": Check(Scope.PORT, watchdog.watchdog_incomplete, base.list_pausing_switch_ports),
    "watchdog_idle": Check(Scope.PORT, watchdog.watchdog_idle, watchdog.list_watched_ports),
    "watchdog_slow": Check(Scope.PORT, watchdog.watchdog_slow, watchdog.list_timed_ports, watchdog.SlowestParams),
    "class_discarded": Check(
        Scope.DEVICE,
        losses.class_discarded,
        losses.list_class_discards,
        losses.ClassParams,
        by_intent=True,
        by_cable=True,
    ),
    "rdma_lost": Check(Scope.DEVICE, losses.rdma_lost, losses.list_rdma_losses, losses.EventParams, by_cable=True),
    "arrivals_discarded": Check(Scope.DEVICE, losses.arrivals_discarded, losses.list_arrivals, losses.ShareParams),
    "storm_counted": Check(Scope.DEVICE, losses.storm_counted, losses.list_storms),
    "losses_go_on": Check(
        Scope.DEVICE, ongoing.losses_go_on, ongoing.list_growing, ongoing.GrowthParams, by_cable=True
    ),
    "pauses_spread": Check(Scope.FABRIC, pauseroots.pauses_spread, pauseroots.list_roots, pauseroots.SpreadParams),
    "cnps_ignored": Check(Scope.DEVICE, losses.cnps_ignored, losses.list_ignored_cnps, losses.EventParams),
    "neighbour_tells_pfc_off": Check(
        Scope.FABRIC, dcbx.neighbour_tells_pfc_off, dcbx.list_told, losses=(LossKind.NOT_HONOURED,)
    ),
}
