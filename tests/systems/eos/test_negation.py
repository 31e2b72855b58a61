"""Each statement of EOS, its `no` and its `default` form: the last word wins, wherever it stands."""

import pytest
from negation import Case, Context, cases, check

from auditor.systems.eos.config import read_config
from auditor.systems.eos.lines import DEFAULTS, TOP
from auditor.systems.eos.mmu import MMU
from auditor.systems.eos.policies import STEP
from auditor.systems.eos.queues import QUEUE
from auditor.systems.eos.statements import INTERFACE

PORT = "interface Ethernet1/1"
BEFORE = ("hostname leaf1",)
CONTEXTS = (
    Context(
        "interface",
        INTERFACE,
        (PORT,),
        ("config", "config-if-Et1/1"),
        lambda config: config.interfaces["Ethernet1/1"].body,
        lambda config: config.interfaces["Ethernet1/1"].where,
        BEFORE,
    ),
    Context(
        "queue",
        QUEUE,
        (PORT, "tx-queue 3"),
        ("config", "config-if-Et1/1", "config-if-Et1/1-txq-3"),
        lambda config: config.interfaces["Ethernet1/1"].body.queues[3],
        lambda config: config.interfaces["Ethernet1/1"].where,
        BEFORE,
    ),
    Context(
        "qos profile",
        INTERFACE,
        ("qos profile ROCE",),
        ("config", "config-qos-profile-ROCE"),
        lambda config: config.profiles["ROCE"],
        before=BEFORE,
    ),
    Context(
        "queue of a qos profile",
        QUEUE,
        ("qos profile ROCE", "tx-queue 3"),
        ("config", "config-qos-profile-ROCE", "config-qos-profile-ROCE-txq-3"),
        lambda config: config.profiles["ROCE"].queues[3],
        before=BEFORE,
    ),
    Context(
        "class",
        STEP,
        ("policy-map type quality-of-service P", "class RDMA"),
        ("config", "config-pmap-qos-P", "config-pmap-c-qos-P-RDMA"),
        lambda config: config.policy_maps["P"].steps[0],
        before=BEFORE,
    ),
    Context(
        "mmu profile",
        MMU,
        ("platform trident mmu queue profile ROCE",),
        ("config", "config-mmu-queue-profile-ROCE"),
        lambda config: config.mmu_profiles["ROCE"],
        before=BEFORE,
    ),
    Context(
        "interface defaults",
        DEFAULTS,
        ("interface defaults",),
        ("config", "config-interface-defaults"),
        lambda config: config,
        before=BEFORE,
    ),
    Context("top level", TOP, (), ("config",), lambda config: config, before=BEFORE),
)


@pytest.mark.parametrize("case", list(cases(CONTEXTS)), ids=str)
def test_the_last_word_wins(case: Case) -> None:
    check(case, read_config)
