"""What a real NIC does beside the reference simulation, with the source of each value."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from auditor.estimate.scenario import Scenarios

REAL_NIC: Mapping[str, float] = {
    # Off: NVIDIA's default of rpg_byte_reset is 32767 bytes, AMD's 431068, Intel's 150000 (pages in fabric/dcqcn.yaml),
    # and none says how it acts at hundreds of Gb/s. `simulated_cost.list_uncertain` makes it an assumption.
    "byte_counter": 0.0,
    # NVIDIA, default of min_time_between_cnps in recent firmware, by dumps of mlxconfig; older ones have 0 and 2
    # [unverified by a page]. The paper has 50 us.
    "cnp_interval": 4e-6,
    # The time of both NICs for a CNP [unverified]. Yu et al., Lumina, SIGCOMM 2023, measure microseconds for NACKs:
    # https://lumina-test.github.io/
    "cnp_delay": 2e-6,
    # NVIDIA, ROCE_ACCL.selective_repeat_forced_en is 0 in the example of
    # https://docs.nvidia.com/networking/display/AdaptiveRetransmissionParametersControl/Sample+Usage
    "selective_repeat": 0.0,
    # Enough that equal senders do not keep step [unverified]; it costs a sender 0.1 % of the line rate.
    "send_jitter": 0.002,
    # A rate limiter counts credits, so that a change of the rate acts on the packet that waits [unverified].
    "prompt_rate": 1.0,
    # A notification point looks at the mark before the order: RoCEv2, InfiniBand annex A17 [unverified]; shared/sim
    # names the knob.
    "marks_out_of_order": 1.0,
}
"""Values by field of Scenarios, SI units. DCQCN's other values are those of each NIC: auditor/fabric/dcqcn.yaml.

PAUSE response is no part of it: `headroom.RESPONSE_QUANTA` has the limits of IEEE 802.3. Neither is the retransmission
timeout, which the application sets (67 ms at timeout 14), beyond most observations.
"""


def as_real_nic(scenarios: Scenarios, **known: float) -> Scenarios:
    """Return the scenarios with NICs as they are sold, except for what is known of them, by field in SI units.

    >>> from auditor.estimate.scenario import scenarios
    >>> as_real_nic(scenarios(2, {}), selective_repeat=1).selective_repeat.tolist()
    [True, True]
    """
    values = {**REAL_NIC, **known}
    return replace(
        scenarios,
        **{name: np.full_like(getattr(scenarios, name), value) for name, value in values.items()},
    )
