"""Configurations and traffic that several tests start from."""

from auditor.intent import Traffic, TrafficKind
from auditor.model.setting import Known, Origin

RDMA = Traffic(
    "RDMA",
    TrafficKind.RDMA,
    Known((26,), Origin.INTENDED),
    Known(3, Origin.INTENDED),
    Known(value=True, origin=Origin.INTENDED),
)
NXOS_NETWORK_QOS = """\
policy-map type network-qos LOSSLESS
  class type network-qos c-8q-nq3
    pause pfc-cos 3
    mtu 9216
"""
NXOS_LOSSLESS = f"""\
!Command: show running-config
version 10.3(4a)
hostname leaf1
class-map type qos match-any RDMA
  match dscp 26
policy-map type qos SORT
  class RDMA
    set qos-group 3
{NXOS_NETWORK_QOS}system qos
  service-policy type network-qos LOSSLESS
"""
"""A leaf of NX-OS that sorts DSCP 26 into a no-drop class; interfaces and the input policy of the system may follow."""
