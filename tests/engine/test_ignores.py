"""Ignores that are sought by what they name cover what each of them covers, the first one first."""

from collections import Counter
from collections.abc import Sequence
from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from auditor.checks.base import Scope
from auditor.checks.catalogue import load_rules
from auditor.engine.findings import ReportedFinding
from auditor.engine.ignores import MOST_SUGGESTED, MOST_TOLD, apply_ignores
from auditor.intent.ignore import Ignore
from auditor.model.finding import FindingKind, Level

RULES = [rule for rule in load_rules() if rule.check.scope is Scope.PORT][:3]
NAMES = {rule.file.id: rule.names for rule in RULES}
TODAY = date(2026, 11, 30)
DEVICES = st.sampled_from(["leaf1", "leaf2", "leaf[1]"])
FINDINGS = st.lists(
    st.builds(
        lambda rule, kind, device, port, place, message: ReportedFinding(
            Level.ERROR,
            kind,
            rule.file.id,
            rule.file.name,
            rule.pack,
            device,
            port,
            message,
            place[0],
            place[1],
            (),
            "x",
        ),
        st.sampled_from(RULES),
        st.sampled_from([FindingKind.FAIL, FindingKind.FAIL, FindingKind.OPEN]),
        DEVICES,
        st.sampled_from(["1", "2", None]),
        st.just((None, None)) | st.tuples(st.sampled_from(["a.cfg", "b.cfg"]), st.integers(1, 9) | st.none()),
        st.sampled_from(["mtu 1500", "mtu 9000"]),
    ),
    max_size=12,
)
WORDS = st.sampled_from([word for rule in RULES for word in rule.names])
IGNORES = st.lists(
    st.builds(
        lambda rules, devices, ports, lines, most, value, file: Ignore(
            tuple(rules), "a reason", file, 1, tuple(devices), tuple(ports), None, lines, most, value
        ),
        st.lists(WORDS, min_size=1, max_size=2),
        st.lists(DEVICES | st.sampled_from(["*", "leaf?"]), min_size=1, max_size=2),
        st.sampled_from([("*",), ("1",), ("?", "2")]),
        st.none() | st.builds(range, st.integers(1, 5), st.integers(1, 9)),
        st.sampled_from([None, None, 1, 2]),
        st.sampled_from(["", "9000"]),
        st.sampled_from(["a.cfg", "b.cfg"]),
    ),
    max_size=8,
)


def find_plainly(findings: Sequence[ReportedFinding], ignores: Sequence[Ignore]) -> list[Ignore | None]:
    """Return the first ignore that covers each finding, tried one by one."""
    valid = [*ignores]
    while True:
        covering = [
            next(
                (
                    each
                    for each in valid
                    if found.kind is FindingKind.FAIL
                    and each.covers(
                        NAMES[found.rule], found.device, found.port, (found.file, found.line), found.message
                    )
                ),
                None,
            )
            for found in findings
        ]
        over = {each for each, count in Counter(covering).items() if each and each.most and count > each.most}
        if not over:
            return covering
        valid = [each for each in valid if each not in over]


@given(FINDINGS, IGNORES)
def test_the_first_ignore_that_covers_a_finding_is_found(
    findings: list[ReportedFinding], ignores: list[Ignore]
) -> None:
    decided, told = apply_ignores(findings, ignores, RULES, TODAY)
    covering = find_plainly(findings, ignores)
    assert [each.kind is FindingKind.IGNORED for each in decided] == [each is not None for each in covering]
    assert [each.ignored for each in decided if each.ignored] == [str(each) for each in covering if each]
    used = {each for each in covering if each}
    assert len(told) == len({*ignores} - used)  # fewer than are told one by one


def test_comments_of_a_dump_are_told_up_to_a_number_and_then_counted() -> None:
    def write(file: str, count: int) -> list[Ignore]:
        return [Ignore((RULES[0].file.id,), "", file, n, lines=range(n, n + 1)) for n in range(1, count + 1)]

    own = [Ignore((RULES[0].file.id,), "it may", "roce-audit.yaml", n) for n in range(2 * MOST_TOLD)]
    _, told = apply_ignores([], [*write("a.cfg", MOST_TOLD + 5), *own, *write("b.cfg", MOST_TOLD)], RULES, TODAY)
    counts = Counter(each.file for each in told)
    assert counts == {"a.cfg": MOST_TOLD + 1, "b.cfg": MOST_TOLD, "roce-audit.yaml": 2 * MOST_TOLD}
    assert [each.message for each in told if each.line is None] == [
        "5 more comments of this dump are ignores without effect"
    ]


def test_near_names_are_sought_for_as_many_as_a_site_mistypes() -> None:
    """A hostile dump may have another name in each of its lines."""
    ignores = [Ignore((f"PFC{number:06}",), "", "a.cfg", number) for number in range(2 * MOST_SUGGESTED)]
    _, told = apply_ignores([], [*ignores, *ignores[:9]], RULES, TODAY)
    assert len(told) == len(ignores)
    assert ["did you mean" in each.message for each in told] == [number < MOST_SUGGESTED for number in range(len(told))]
