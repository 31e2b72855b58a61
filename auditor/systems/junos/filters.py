"""Packet filters that sort arriving packets into forwarding classes."""

from collections.abc import Mapping
from dataclasses import field, replace

from auditor.model.dump import LineState
from auditor.model.qos import Classification, Classifier, IpFamily, Match
from auditor.model.setting import Known, Unknown
from auditor.systems.junos.reading import StatementReader
from auditor.systems.junos.tree import StatementNode
from auditor.util.values import dataclass

_DSCP = frozenset({"dscp", "traffic-class"})
_PCP = frozenset({"user-vlan-1p-priority", "learn-vlan-1p-priority"})
_UDP_PORT = ("protocol", "destination-port")


@dataclass(slots=True)
class Filters:
    """The steps of each filter that classify packets, by filter name; `complete`: the dump has all filters."""

    steps: dict[str, tuple[Known[Classifier], ...]] = field(default_factory=dict)
    complete: bool = False

    def apply(self, names: tuple[Known[str], ...], sorting: Classification) -> Classification:
        """Return the classification with filters before the port's tables."""
        unseen = next((name.value for name in names if name.value not in self.steps), None)
        if unseen is not None and not self.complete:
            return replace(sorting, classifiers=Unknown(f"filter {unseen} is not in the dump"))
        steps = [step for name in dict.fromkeys(n.value for n in names) for step in self.steps.get(name, ())]
        if not steps:
            return sorting
        numbered = tuple(replace(step, value=replace(step.value, order=n)) for n, step in enumerate(steps))
        return replace(sorting, classifiers=Known(numbered, steps[0].origin, names[0].where))


def read_filters(reading: StatementReader, *, complete: bool) -> Filters:
    """Return the configured packet filters."""
    found = Filters(complete=complete)
    top = reading.written.root.get("firewall")
    families = [top, *(family for each in [top.get("family")] if each for family in each.active())] if top else []
    for family in families:
        filters = family.get("filter")
        for entry in filters.active() if filters else ():
            steps = (_of_family(step, _FAMILIES.get(family.word)) for step in _steps(reading, entry))
            found.steps[entry.word] = (*found.steps.get(entry.word, ()), *steps)
    return found


_FAMILIES = {"inet": IpFamily.IPV4, "inet6": IpFamily.IPV6}


def _of_family(step: Known[Classifier], family: IpFamily | None) -> Known[Classifier]:
    return replace(step, value=replace(step.value, match=replace(step.value.match, family=family)))


def _steps(reading: StatementReader, entry: StatementNode) -> list[Known[Classifier]]:
    terms = entry.get("term")
    steps: list[Known[Classifier]] = []
    is_first = True
    for term in terms.active() if terms else ():
        name = term.last("then", "forwarding-class")
        if name is None:
            is_first = False
            continue
        reading.mark(name, LineState.CONDITIONAL)
        match = _match(reading, entry.word, term.get("from"))
        known = reading.written.text.make_known(name)
        step = Classifier(match if is_first else replace(match, is_whole=False), name.word, 0)
        steps.append(Known(step, known.origin, known.where))
    return steps


def _match(reading: StatementReader, name: str, conditions: StatementNode | None) -> Match:
    if conditions is None:
        return Match(acl=name)
    dscp: list[int] = []
    pcp: list[int] = []
    plain = True
    for condition in conditions.active():
        for kind, words, points in (("dscp", _DSCP, dscp), ("ieee-802.1", _PCP, pcp)):
            if condition.word in words:
                values = [(each, reading.code_point(kind, each)) for each in condition.active()]
                plain &= all(value is not None for _, value in values)
                points += [value for _, value in values if value is not None]
                for each, _ in values:
                    reading.mark(each, LineState.CONDITIONAL)
        plain &= condition.word in _DSCP | _PCP or _is_roce(conditions, condition.word)
    port = _UDP if conditions.get("destination-port", str(_UDP)) else None
    return Match(tuple(dscp), tuple(pcp), acl=name, udp_port=port, is_whole=plain)


_UDP = 4791


def _is_roce(conditions: StatementNode, word: str) -> bool:
    """Return whether *word* is part of the condition `protocol udp` with RoCE's destination port alone."""
    found: Mapping[str, StatementNode | None] = {key: conditions.get(key) for key in _UDP_PORT}
    words = {key: [each.word for each in each.active()] if each else [] for key, each in found.items()}
    return word in _UDP_PORT and words == {"protocol": ["udp"], "destination-port": [str(_UDP)]}
