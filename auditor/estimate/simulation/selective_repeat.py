"""Selective repeat: the receiver keeps what comes out of order, and the sender repeats only what is missing.

Source: Mittal et al., Revisiting Network Support for RDMA, SIGCOMM 2018 (IRN), section 3.1: each packet that comes out
of order is answered with its number; a packet is lost if a later one arrived; each lost packet is repeated once, before
new ones; a timeout begins again. Three things are not so in IRN. The sender begins again too when a packet arrives that
it sent after a round of repeats: paths keep the order, so what is still missing is lost again (RACK, RFC 8985, infers
as much from times). It begins again at a NACK after `nack_interval` without progress, as go-back-N of the reference
simulation does. A timeout repeats all that is missing, not the first packet alone. At most
`LARGEST_WINDOW` packets of a flow are on their way; IRN itself allows one bandwidth-delay product: set `windowed`.

Vendors name the feature and do not document the algorithm:
- NVIDIA: register ROCE_ACCL has `selective_repeat_forced_en`, 0 in the example of
  https://docs.nvidia.com/networking/display/AdaptiveRetransmissionParametersControl/Sample+Usage. ConnectX-5 and later
  keep packets out of order (https://docs.nvidia.com/doca/sdk/Out-of-order+Data+Placement/index.html).
- Broadcom Thor Ultra: selective acknowledgement, as a journal reports it
  (https://onmine.io/broadcom-drops-the-hammer-on-ai-networking-with-thor-ultra).
- Broadcom Thor 2 and AMD Pollara: no page of the vendor that describes it was found [unverified].

The sender looks at the receiver's record instead of a copy. A flow's packets do not overtake each other, so below the
highest number that was answered both agree on all packets that were not repeated yet. Only of repeated packets the
sender knows earlier than a real one, and only when a timeout or an old NACK makes it begin again.
"""

from auditor.estimate.simulation.layout import NEVER, WORD_BITS, World
from auditor.estimate.simulation.machine_code import compile_function


@compile_function
def find_word(world: World, flow: int, number: int) -> int:
    """Return the column of the record that holds the bit of a packet."""
    return int(flow * world.case[0].words + ((number // WORD_BITS) & (world.case[0].words - 1)))


@compile_function
def has_receipt(world: World, flow: int, number: int) -> bool:
    """Return whether a packet that the receiver does not expect yet has arrived."""
    return bool((world.receipts[find_word(world, flow, number)] >> (number % WORD_BITS)) & 1)


@compile_function
def keep(world: World, flow: int, number: int) -> None:
    """Record a packet that came out of order."""
    world.receipts[find_word(world, flow, number)] |= 1 << (number % WORD_BITS)


@compile_function
def release(world: World, flow: int) -> None:
    """Expect the next packet that is missing, and clear the record of those before it."""
    state = world.flows[flow]
    while has_receipt(world, flow, state.expected):
        world.receipts[find_word(world, flow, state.expected)] ^= 1 << (state.expected % WORD_BITS)
        state.expected += 1


@compile_function
def is_repeat_due(world: World, flow: int, arrival: int) -> bool:
    """Return whether the receiver misses the same packet for as long as the interval of NACKs; start the interval."""
    state = world.flows[flow]
    is_new = state.refused != state.expected
    if not is_new and arrival < state.refused_until:
        return False
    state.refused = state.expected
    state.refused_until = arrival + world.case[0].nack_interval
    return not is_new


@compile_function
def seek_gap(world: World, flow: int) -> None:
    """Move to the next packet to repeat."""
    state = world.flows[flow]
    state.resend = max(state.resend, state.acknowledged)
    while state.resend < state.gap_end and (state.resend < state.expected or has_receipt(world, flow, state.resend)):
        state.resend += 1


@compile_function
def take_gap(world: World, flow: int) -> int:
    """Return the packet to repeat, and move to the next one."""
    state = world.flows[flow]
    number = int(state.resend)
    state.resend += 1
    seek_gap(world, flow)
    if state.resend >= state.gap_end:
        state.round_last = number
        state.round_next = state.next
    return number


@compile_function
def begin_round(world: World, flow: int) -> None:
    """Move to the first packet to repeat; where there is one, the round is open until the last one is sent."""
    state = world.flows[flow]
    seek_gap(world, flow)
    if state.resend < state.gap_end:
        state.round_last = NEVER
        state.round_next = NEVER


@compile_function
def note_gap(world: World, flow: int, number: int, again: int) -> None:
    """Repeat what is missing before a packet that came out of order; *again*: also what was repeated before."""
    state = world.flows[flow]
    world.run[0].nacks += 1
    state.gap_end = max(state.gap_end, number)
    if again or number == state.round_last or number >= state.round_next:
        state.resend = state.acknowledged
    begin_round(world, flow)


@compile_function
def repeat_all(world: World, flow: int) -> None:
    """Repeat all packets that were sent and are missing."""
    state = world.flows[flow]
    state.resend = state.acknowledged
    state.gap_end = state.next
    begin_round(world, flow)
