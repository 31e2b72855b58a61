"""What faults cost, in words."""

from dataclasses import replace

from auditor.diagnosis.impact import INCASTS, Cost, Impact
from auditor.engine.findings import ReportedFinding
from auditor.engine.result import Report, sort_worst_first
from auditor.estimate.answer import Band, Estimate, Simulation
from auditor.estimate.link import NoEstimate, usual
from auditor.model.finding import FindingKind, Level, LossKind
from auditor.report.impact import describe_method, list_costliest, summarise_briefly, summarise_group

NONE, ALL = Band(0.0, 0.0, 0.0), Band(1.0, 1.0, 1.0)
CALM = Estimate(
    loss=NONE,
    paused=NONE,
    peak_queue_bytes=NONE,
    goodput=ALL,
    victim_goodput=ALL,
    efficiency=ALL,
    assumptions=(),
    matters_most=None,
)


def finding(
    *efficiencies: Band, rule: str = "PFC001", port: str = "p1", why: str = "", base: Estimate = CALM
) -> ReportedFinding:
    costs = tuple(Cost(n, replace(base, efficiency=e)) for n, e in zip(INCASTS, efficiencies, strict=False))
    return ReportedFinding(
        rule=rule,
        name="some-rule",
        pack="pfc",
        level=Level.ERROR,
        kind=FindingKind.FAIL,
        device="leaf1",
        port=port,
        message="wrong",
        file=None,
        line=None,
        related=(),
        fingerprint=rule + port,
        loss=LossKind.LOSSY,
        impact=Impact(LossKind.LOSSY, costs, why),
    )


def report(*findings: ReportedFinding) -> Report:
    return Report({}, 1, 2, 0, (), findings, ())


def test_a_cost() -> None:
    same = Band(0.52, 0.6, 0.66)
    assert summarise_group([finding(same, same)]) == "costs 34 to 48 % of RDMA goodput while an incast lasts"


def test_a_cost_that_depends_on_the_number_of_senders() -> None:
    assert summarise_group([finding(ALL, Band(0.4, 0.5, 0.9))]) == (
        "costs RDMA goodput while an incast lasts: nothing at 8-to-1, 10 to 60 % (likely 50 %) at 64-to-1"
    )


def test_a_cost_that_is_not_expected_but_possible() -> None:
    assert summarise_group([finding(Band(0.9, 1, 1), Band(0.5, 0.5, 0.6))]) == (
        "costs RDMA goodput while an incast lasts: "
        "0 to 10 % (0 expected, not guaranteed) at 8-to-1, 40 to 50 % at 64-to-1"
    )


def test_several_ports_take_the_worst() -> None:
    group = [finding(Band(0.5, 0.6, 0.7), Band(0.5, 0.6, 0.7)), finding(Band(0.1, 0.2, 0.3), Band(0.1, 0.2, 0.3))]
    assert summarise_group(group) == "costs 30 to 90 % (likely 80 %) of RDMA goodput while an incast lasts"


def test_pauses_where_no_goodput_is_lost() -> None:
    paused = replace(CALM, paused=Band(0.0, 0.5, 0.96), victim_goodput=Band(0.0, 0.17, 0.65))
    assert summarise_group([finding(ALL, ALL, base=paused)]) == (
        "while an 8-to-1 incast lasts, senders stand paused 0 to 96 % (likely 50 %) of the time, "
        "and their other traffic keeps 0 to 65 % (likely 17 %) of its goodput"
    )


def test_nothing_to_say() -> None:
    assert summarise_group([finding(ALL, ALL)]) is None
    assert summarise_group([replace(finding(), impact=None)]) is None
    assert summarise_group([finding(why="of that")]) == "no estimate: of that"


def test_the_costliest_three() -> None:
    costs = {f"TST{cost}": Band(0.9 - cost, 0.9 - cost, 1 - cost) for cost in (0.1, 0.5, 0.3, 0.4)}
    findings = [
        *(finding(band, band, rule=rule) for rule, band in costs.items()),
        finding(costs["TST0.5"], costs["TST0.5"], rule="TST0.5", port="p2"),
        finding(ALL, Band(0, 0, 0), rule="ALL"),
        finding(ALL, ALL, rule="CALM"),
    ]
    lines = list(list_costliest(report(*findings)))
    assert [line.split()[0] for line in lines] == ["TST0.5", "TST0.4", "TST0.3", "assuming"]
    assert lines[0] == (
        "TST0.5 some-rule on 2 ports: 50 to 60 % of RDMA goodput; 4,000 to 5,500 GPU-hours a day per 1,000 GPUs"
    )
    assert lines[-1] == (
        "assuming 8-to-1 or 64-to-1 incasts all day, and that 20 % of a training step waits for communication"
    )
    [line, _] = list_costliest(report(findings[5]))
    assert line == (
        "ALL some-rule on 1 port: of RDMA goodput nothing at 8-to-1, 100 % at 64-to-1; "
        "of GPU-hours a day per 1,000 GPUs 0 at 8-to-1, 24,000 at 64-to-1"
    )


def test_an_audit_without_costs_says_nothing_of_them() -> None:
    assert not list(list_costliest(report(finding(ALL, ALL))))


def test_findings_of_one_level_are_ranked_by_cost() -> None:
    cheap, dear = finding(Band(0.9, 0.9, 1), ALL, rule="AAA"), finding(Band(0.1, 0.2, 0.3), ALL, rule="ZZZ")
    free = replace(cheap, rule="BBB", impact=None)
    warning = replace(dear, level=Level.WARNING, rule="WRN")
    assert [f.rule for f in sort_worst_first([warning, free, cheap, dear])] == ["ZZZ", "AAA", "BBB", "WRN"]


def link_finding(*costs: Cost, why: str = "") -> ReportedFinding:
    links = (usual(100), usual(400))
    return replace(finding(), impact=Impact(LossKind.LOSSY, costs, why, links))


def test_what_closed_forms_leave_open_points_to_the_simulation() -> None:
    sure, open_ = (Cost(n, replace(CALM, efficiency=e)) for n, e in zip(INCASTS, (ALL, Band(0, 1, 1)), strict=True))
    assert list(describe_method(report(link_finding(sure, open_)))) == [
        "--simulate: costs packet by packet (closed forms leave 1 of 2 links open)"
    ]
    assert not list(describe_method(report(link_finding(sure, sure))))
    none = link_finding(why=NoEstimate.SELECTIVE_REPEAT)
    assert "leave 2 of 2 links open" in next(describe_method(report(none)))
    assert not list(describe_method(report(link_finding(why=NoEstimate.VOQ))))


def test_what_was_simulated_and_what_was_not_is_said() -> None:
    runs = Simulation(16, Band(0.5, 0.6, 0.7), Band(0.5, 0.6, 0.7), 7_000_000, cut=False)
    done = Cost(8, replace(CALM, efficiency=Band(0, 0.6, 1), simulation=runs))
    left = Cost(64, replace(CALM, efficiency=Band(0, 1, 1), simulation="the budget was spent"))
    assert list(describe_method(report(link_finding(done, left)))) == [
        "costs: 1 of 2 links simulated packet by packet, with 16 random starts and 7 million events",
        "not simulated: the budget was spent",
    ]
    said = summarise_briefly([link_finding(done, done)])
    assert said == "simulated: 30 to 50 % of RDMA goodput"
    detail = summarise_group([link_finding(done, done)])
    assert (
        detail
        == "costs 30 to 50 % (simulated; 0 to 100 % depending on the inputs) of RDMA goodput while an incast lasts"
    )
