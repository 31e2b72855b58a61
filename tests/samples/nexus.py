"""Parts of the running configuration of a Nexus, for the tests that write one."""

VERSION = "!Command: show running-config\nversion 10.3(4a)\n"
CLASSIFY = """\
class-map type qos match-any RDMA
  match dscp 26
policy-map type qos CLASSIFY
  class RDMA
    set qos-group 3
"""
LOSSLESS = """\
policy-map type network-qos LOSSLESS
  class type network-qos c-8q-nq3
    pause pfc-cos 3
"""
LOSSLESS_JUMBO = f"{LOSSLESS}    mtu 9216\n"
QUEUE_3 = "policy-map type queuing OUT\n  class type queuing c-out-8q-q3\n"
SYSTEM_QOS = "system qos\n  service-policy type network-qos LOSSLESS\n"
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
