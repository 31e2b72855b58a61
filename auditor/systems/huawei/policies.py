"""Traffic policies of VRP."""

from typing import Any

from auditor.grammar.dialect import ViewForm
from auditor.grammar.mqc import (
    BEHAVIOR,
    CLASSIFIER,
    PolicySyntax,
    TrafficBehavior,
    TrafficClassifier,
    TrafficPolicy,
    build_behavior_table,
    build_classifier_table,
    build_policy_table,
    make_head,
)
from auditor.model.qos import PHBS, IpFamily

POLICY = "traffic policy"
"""The kind of a policy's name."""
SYNTAX = PolicySyntax(
    page="CloudEngine CE6800 V300R023 Command Reference, traffic classifier",
    undo=("undo",),
    dscp=("dscp",),
    pcp=("8021p",),
    numbers={phb: number for number, phb in enumerate(PHBS)},
    operator="type",
    takes_all_by_default=False,
    family=IpFamily.IPV4,
)
"""`type` is `or` by default, and `if-match dscp` reads IPv4 (the pages of these commands)."""
_PAGE = SYNTAX.page
POLICY_VIEWS: tuple[ViewForm[Any], ...] = (
    ViewForm(
        CLASSIFIER,
        "traffic classifier {name} {options*}",
        "traffic classifier RDMA",
        TrafficClassifier,
        build_classifier_table(SYNTAX),
        _PAGE,
        make_head(SYNTAX),
    ),
    ViewForm(
        BEHAVIOR,
        "traffic behavior {name}",
        "traffic behavior RDMA",
        TrafficBehavior,
        build_behavior_table(SYNTAX, "8021p"),
        _PAGE,
    ),
    ViewForm(
        POLICY, "traffic policy {name} ...", "traffic policy SORT", TrafficPolicy, build_policy_table(SYNTAX), _PAGE
    ),
)
