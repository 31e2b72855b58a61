"""The lines to type have the numbers of the finding and of the intent, not those of an example."""

import re

import pytest

from auditor.checks.catalogue import Rule, load_rules
from auditor.diagnosis.remedies import list_typed
from auditor.systems import systems

CNP = re.compile(
    r"\btraffic-class 6\b|\b(?:tx-)?queue 6\b|\bdscp 48\b|\bqos-group [67]\b|\bswitch-priority 6\b|\bqueue-num 6\b"
    r"|-q6\b"
)
"""The priority, class, queue and DSCP of CNPs of most fixtures, written out."""
RDMA = re.compile(
    r"(?:flow-control|switch-)[ -]?priority(?: rxtx)? 3\b|(?<!-)\btraffic-class 3\b|\b(?:tx-)?queue 3\b|\bdscp 26\b"
    r"|\bdot1p 3\b|\bpriority-group 3\b|\bqos-group 3\b"
)
"""RDMA's priority, class, queue and DSCP of most fixtures, written out."""


@pytest.mark.parametrize("rule", load_rules(), ids=lambda rule: rule.file.id)
def test_no_remedy_of_a_switch_writes_out_the_numbers_of_rdma_or_of_cnps(rule: Rule) -> None:
    switches = [os for os, each in systems().items() if each.kind == "switch"]
    typed = [(os, line) for os in switches for line in list_typed(rule.file.remedy.get(os, ""))]
    assert [(os, line) for os, line in typed if RDMA.search(line) or CNP.search(line)] == []
