"""QoS policies of Comware."""

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

POLICY = "qos policy"
"""The kind of a policy's name."""
POLICY_PAGE = "https://www.h3c.com/en/d_201906/1192751_294551_0.htm"
"""The commands of classifiers, behaviors and policies."""
SYNTAX = PolicySyntax(
    page=POLICY_PAGE,
    undo=("undo",),
    dscp=("dscp", "ip dscp"),
    pcp=("service-dot1p", "customer-dot1p", "dot1p"),
    numbers={},
    operator="operator",
    takes_all_by_default=None,
)
POLICY_VIEWS: tuple[ViewForm[Any], ...] = (
    ViewForm(
        CLASSIFIER,
        "traffic classifier {name} {options*}",
        "traffic classifier RDMA",
        TrafficClassifier,
        build_classifier_table(SYNTAX),
        POLICY_PAGE,
        make_head(SYNTAX),
    ),
    ViewForm(
        BEHAVIOR,
        "traffic behavior {name}",
        "traffic behavior RDMA",
        TrafficBehavior,
        build_behavior_table(SYNTAX, "dot1p"),
        POLICY_PAGE,
    ),
    ViewForm(POLICY, "qos policy {name}", "qos policy SORT", TrafficPolicy, build_policy_table(SYNTAX), POLICY_PAGE),
)
