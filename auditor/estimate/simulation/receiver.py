"""The receiver: in order, out of order, duplicate; and the mark that it echoes.

Source: inet-tub/ns3-datacenter, `rdma-hw.cc` line 472. A receiver hangs on one port, so the order in which packets
leave that port decides, and the answer is set when the packet leaves.
"""

from auditor.estimate.simulation.layout import ACKS, World
from auditor.estimate.simulation.machine_code import compile_function
from auditor.estimate.simulation.schedule import push
from auditor.estimate.simulation.sender import FLAG_BITS, MARK, ONLY_ECHO, REFUSAL, SEQUENCE_BITS


@compile_function
def receive(world: World, item: int, arrival: int) -> None:
    """Take in a packet that arrives at *arrival*, and send the answer."""
    case = world.case[0]
    flow, number = item >> (SEQUENCE_BITS + FLAG_BITS), (item >> FLAG_BITS) & ONLY_ECHO
    state = world.flows[flow]
    mark = item & MARK
    world.run[0].delivered += 1
    if number == state.expected:
        state.expected += 1
        answer = (state.expected << FLAG_BITS) | mark
    elif number > state.expected and (state.refused != state.expected or arrival >= state.refused_until):
        state.refused = state.expected
        state.refused_until = arrival + case.nack_interval
        answer = (state.expected << FLAG_BITS) | mark | REFUSAL
    elif mark and case.marks_out_of_order:
        answer = (ONLY_ECHO << FLAG_BITS) | mark
    else:
        return
    push(world, ACKS, arrival + state.answer_delay, (flow << (SEQUENCE_BITS + FLAG_BITS)) | answer)
