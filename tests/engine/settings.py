"""An intent, lines of a switch and a custom rule, for the tests that run an audit with them."""

INTENT = "schema: roce-audit/intent/1\ntraffic: [{name: RDMA, kind: rdma, dscp: [26], priority: 3, lossless: true}]\n"
LOSSLESS = """\
policy-map type network-qos LOSSLESS
  class type network-qos c-8q-nq3
    pause pfc-cos 3
    mtu 9216
system qos
  service-policy type network-qos LOSSLESS
"""
"""Lines of NX-OS that make priority 3 lossless."""


def make_rule(least: int) -> str:
    """Return a custom rule that requires an MTU of at least *least* bytes."""
    return f"""\
schema: roce-audit/custom-rule/1
id: OUR001
name: mtu-too-small
level: error
for: port
summary: The MTU is too small.
why: Packets are dropped.
require: {{properties: {{mtu_bytes: {{minimum: {least}}}}}}}
remedy: {{any: raise the MTU}}
references: [our runbook]
"""
