"""The receiver: in order, out of order, duplicate; and the mark that it echoes, as the notification point.

Source: inet-tub/ns3-datacenter, `rdma-hw.cc` line 472. A receiver hangs on one port, so the order in which packets
leave that port decides, and the answer is set when the packet leaves.
"""

from auditor.estimate.simulation.layout import ACKS, CNPS, World
from auditor.estimate.simulation.machine_code import compile_function
from auditor.estimate.simulation.schedule import push
from auditor.estimate.simulation.selective_repeat import is_repeat_due, keep, release
from auditor.estimate.simulation.sender import FLAG_BITS, GAP, MARK, ONLY_ECHO, REFUSAL, SEQUENCE_BITS

NO_ANSWER = ONLY_ECHO << FLAG_BITS


@compile_function
def pace(world: World, flow: int, answer: int, arrival: int) -> int:
    """Return a marked answer without its mark if the last notification is too recent, or if a later one carries it.

    Source: the notification point of Zhu et al., SIGCOMM 2015, section 3.1, sends at most one CNP of a flow in 50 us;
    NVIDIA's `min_time_between_cnps`, https://networking-docs.nvidia.com/doca/archive/3-4-0/dcqcn-cc-parameters, which
    `ROCE_CC_CNP_MODERATION` may apply to a port instead of a flow (not here). The delay is the time that both NICs need
    for a CNP beside its way; ACKs do not wait for it.
    """
    case, state = world.case[0], world.flows[flow]
    if arrival >= state.cnp_due:
        state.cnp_due = arrival + case.cnp_interval
        if not case.cnp_delay:
            return answer
        item = (flow << (SEQUENCE_BITS + FLAG_BITS)) | NO_ANSWER | MARK
        push(world, CNPS, arrival + state.answer_delay + case.cnp_delay, item)
    return answer & ~MARK


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
        if case.selective_repeat:
            release(world, flow)
        answer = (state.expected << FLAG_BITS) | mark
    elif case.selective_repeat and number > state.expected:
        keep(world, flow, number)
        answer = (number << FLAG_BITS) | mark | GAP
        if is_repeat_due(world, flow, arrival):
            answer |= REFUSAL
    elif number > state.expected and (state.refused != state.expected or arrival >= state.refused_until):
        state.refused = state.expected
        state.refused_until = arrival + case.nack_interval
        answer = (state.expected << FLAG_BITS) | mark | REFUSAL
    elif mark and case.marks_out_of_order:
        answer = NO_ANSWER | mark
    else:
        return
    if mark and case.paced:
        answer = pace(world, flow, answer, arrival)
        if answer == NO_ANSWER:
            return
    push(world, ACKS, arrival + state.answer_delay, (flow << (SEQUENCE_BITS + FLAG_BITS)) | answer)
