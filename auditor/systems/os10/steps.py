"""Policies of type qos: what their classes match, and the traffic class, DSCP and CoS that they set."""

from collections.abc import Iterator, Sequence

from auditor.grammar.classmaps import Term, match_of
from auditor.model.qos import Classification, Classifier, IpFamily, Ipv6Sorting, TrafficClass, Trust
from auditor.model.setting import Known, Origin, Setting, Unknown, Unset
from auditor.systems.os10.configuration import Config
from auditor.systems.os10.policies import Action, PolicyMap

_READS = {"dscp": Trust.DSCP, "cos": Trust.PCP}


def classify_by(config: Config, name: Known[str], classes: Setting[tuple[TrafficClass, ...]]) -> Classification:
    """Return the classification by the policy *name*: tables where it only reads DSCP and CoS, else also its steps."""
    policy = config.policy_maps.get(("qos", name.value))
    why = _explain_undefined(config, name, policy)
    if policy is None or why is not None:
        unknown = why or Unknown("")
        return Classification(unknown, classes, unknown, unknown, unknown, unknown)
    dscp: dict[IpFamily, dict[int, Known[str]]] = {family: {} for family in IpFamily}
    pcp: dict[int, Known[str]] = {}
    steps: list[Known[Classifier]] = []
    plain = True
    for order, (action, terms) in enumerate(_alternatives(config, policy)):
        to = _class_of(action)
        steps.append(Known(Classifier(match_of(terms, config.acls), to.value, order), Origin.INTENDED, to.where))
        if len(terms) == 1 and terms[0].kind in _READS:
            term = terms[0]
            families = (term.family,) if term.family else tuple(IpFamily)
            for table in (pcp,) if term.kind == "cos" else (dscp[family] for family in families):
                for value in term.values:
                    table.setdefault(value, to)
        else:
            plain = False
    where = name.where
    is_same = dscp[IpFamily.IPV4] == dscp[IpFamily.IPV6]
    return Classification(
        trust=_trust({term.kind for _, terms in _alternatives(config, policy) for term in terms}, name),
        classes=classes,
        dscp_to_class=Known(dscp[IpFamily.IPV4], Origin.INTENDED, where),
        pcp_to_class=Known(pcp, Origin.INTENDED, where),
        default_class=Unset(where),
        classifiers=Known(() if plain else tuple(steps), Origin.INTENDED, where),
        ipv6=None if is_same else Ipv6Sorting(Known(dscp[IpFamily.IPV6], Origin.INTENDED, where)),
    )


def _explain_undefined(config: Config, name: Known[str], policy: PolicyMap | None) -> Unknown | None:
    if policy is None:
        return Unknown(f"policy-map type qos {name.value} is not in the dump")
    lacking = next(
        (each.class_name for each in policy.classes if ("qos", each.class_name) not in config.class_maps), None
    )
    if lacking is not None:
        return Unknown(f"class-map type qos {lacking} is not in the dump")
    groups = (action.qos_group for action in policy.classes)
    return next((group for group in groups if isinstance(group, Unknown)), None)


def find_unread_marking(policy: PolicyMap) -> Unknown | None:
    """Return why the marking of a policy is not known, None where all of its lines can be read."""
    settings = (each for action in policy.classes for each in (action.qos_group, action.dscp, action.cos))
    return next((each for each in settings if isinstance(each, Unknown)), None)


def _alternatives(config: Config, policy: PolicyMap) -> Iterator[tuple[Action, Sequence[Term]]]:
    """Yield what a packet may match to come into each class."""
    for action in policy.classes:
        class_map = config.class_maps["qos", action.class_name]
        yield from ((action, terms) for terms in class_map.list_alternatives())


def _class_of(action: Action) -> Known[str]:
    group = action.qos_group
    if isinstance(group, Known):
        return Known(str(group.value), Origin.INTENDED, group.where)
    return Known("0", Origin.INTENDED, action.where)


def _trust(kinds: set[str], name: Known[str]) -> Setting[Trust]:
    read = {_READS[kind] for kind in kinds if kind in _READS}
    if not read:
        return Unknown("the policy matches neither DSCP nor CoS: see its classifiers")
    return Known(Trust.BOTH if len(read) > 1 else read.pop(), Origin.INTENDED, name.where)
