"""A fabric against presets: the measure, the departures, and no preset where nothing was chosen."""

from collections import Counter

import pytest

from auditor.intent import Comparison, Design, Votes, compare_presets, find_nearest, list_presets
from auditor.intent.compare import PresetValue
from auditor.model.nic import CcEngine


def votes(dscp: int = 26, cnp: int = 48, cnp_priority: int = 6, lossless: tuple[int, ...] = (3,)) -> Votes:
    return Votes(
        lossless=Counter({lossless: 8}),
        rdma_dscp=Counter({dscp: 8}),
        priority_of=Counter({(dscp, lossless[0]): 8, (cnp, cnp_priority): 8}),
        cnp_dscp=Counter({cnp: 8}),
        design=Counter({Design.LOSSLESS: 8}),
        congestion_control=Counter({CcEngine.DCQCN: 8}),
    )


def of(comparisons: tuple[Comparison, ...], name: str) -> Comparison:
    return next(each for each in comparisons if each.name == name)


def departures(comparison: Comparison) -> list[tuple[str, str | None, str]]:
    return [(p.what, p.fabric, p.preset) for p in comparison.points if p.agrees is False]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (votes(), ["nvidia-spectrum-lossless"]),
        (votes(cnp_priority=7), ["broadcom-thor", "cisco-nexus-ai"]),
        (votes(dscp=24, cnp=46), ["amd-pollara"]),
        (
            Votes(
                lossless_dscp=Counter({(3, 4): 8}),
                lossless=Counter({(3, 4): 8}),
                priority_of=Counter({(3, 3): 8, (4, 4): 8}),
            ),
            ["sonic-default"],
        ),
        (Votes(), []),
    ],
    ids=["NVIDIA", "two that say the same", "AMD", "SONiC without hosts", "nothing chosen"],
)
def test_the_nearest_preset(given: Votes, expected: list[str]) -> None:
    assert [each.name for each in find_nearest(compare_presets(given))] == expected


def test_each_preset_is_compared_and_the_nearest_comes_first() -> None:
    found = compare_presets(votes())
    assert sorted(each.name for each in found) == list_presets()
    assert [each.nearness for each in found] == sorted((each.nearness for each in found), reverse=True)


def test_departures_say_both_values() -> None:
    found = departures(of(compare_presets(votes()), "amd-pollara"))
    assert found == [("RDMA DSCP", "26", "24"), ("CNP DSCP", "48", "46")]
    assert ("design", "lossless", "ecn-only") in departures(of(compare_presets(votes()), "nvidia-spectrum-lossy"))
    assert ("congestion control", "dcqcn", "none") in departures(of(compare_presets(votes()), "meta-pfc-only"))
    assert ("lossless priorities", "3", "3-4") in departures(of(compare_presets(votes()), "dell-enterprise-sonic"))
    assert ("lossless priorities", "3", "none") in departures(of(compare_presets(votes()), "azure-local-switchless"))


def test_a_preset_that_takes_several_dscps_is_followed_by_one_of_them() -> None:
    cisco = of(compare_presets(votes(cnp_priority=7)), "cisco-nexus-ai")
    assert next(p for p in cisco.points if p.what == "RDMA DSCP") == PresetValue(
        "RDMA DSCP", "24-31", "26", agrees=True
    )


def test_what_the_dumps_do_not_tell_counts_for_neither() -> None:
    only_pfc = compare_presets(Votes(lossless=Counter({(3,): 8}), design=Counter({Design.LOSSLESS: 8})))
    found = of(only_pfc, "nvidia-spectrum-lossless")
    assert (found.agreeing, found.departing, found.nearness) == (2, 0, 2)
    assert {p.what for p in found.points if p.agrees is None} >= {"RDMA DSCP", "CNP DSCP", "congestion control"}


def test_a_map_of_factory_defaults_follows_no_preset() -> None:
    found = compare_presets(Votes(priority_of=Counter({(dscp, dscp // 8): 8 for dscp in range(64)})))
    assert find_nearest(found) == ()


def test_one_value_that_agrees_is_no_following() -> None:
    assert find_nearest(compare_presets(Votes(design=Counter({Design.LOSSLESS: 8})))) == ()


def test_a_fabric_that_sorts_by_the_vlan_tag_follows_a_preset_that_names_no_dscp() -> None:
    tagged = Votes(lossless=Counter({(3,): 8}), design=Counter({Design.LOSSLESS: 8}), lossless_pcp=Counter({(3,): 8}))
    found = compare_presets(tagged)
    assert [each.name for each in find_nearest(found)] == ["azure-local-converged"]
    assert ("RDMA DSCP", "by PCP 3", "26") in departures(of(found, "nvidia-spectrum-lossless"))
