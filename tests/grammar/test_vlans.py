"""Which VLANs a port carries, by its `switchport` lines."""

import pytest

from auditor.grammar.vlans import MAX_VLAN, list_vlans, select_lines

TRUNK = "switchport mode trunk\n"
EVERY = frozenset(range(1, MAX_VLAN + 1))


@pytest.mark.parametrize(
    ("text", "vlans"),
    [
        ("", set()),
        ("switchport", {1}),
        ("switchport access vlan 7", {7}),
        ("  switchport mode access\n  switchport access vlan 7\n  switchport trunk allowed vlan 9", {7}),
        ("switchport access vlan 7\nno switchport", set()),
        ("switchport access vlan 7\nno switchport\nswitchport", {7}),
        ("switchport access vlan 7\nno switchport\ndefault switchport", {7}),
        ("switchport access vlan 7\nno switchport access vlan", {1}),
        (TRUNK + "switchport trunk allowed vlan 2\nno switchport trunk allowed vlan", EVERY),
        (TRUNK + "switchport access vlan 7\ndefault switchport mode", {7}),
        (TRUNK, EVERY),
        (TRUNK + "switchport trunk allowed vlan none", set()),
        (TRUNK + "switchport trunk allowed vlan all", EVERY),
        (TRUNK + "switchport trunk allowed vlan 2-4,9", {2, 3, 4, 9}),
        (TRUNK + "switchport trunk allowed vlan 2\nswitchport trunk allowed vlan add 5", {2, 5}),
        (TRUNK + "switchport trunk allowed vlan 2-4\nswitchport trunk allowed vlan remove 3", {2, 4}),
        (TRUNK + "switchport trunk allowed vlan except 2-4094", {1}),
        (TRUNK + "switchport trunk allowed vlan 1-999999999", set()),
        ("switchport mode private-vlan host", set()),
    ],
)
def test_carried(text: str, vlans: set[int]) -> None:
    assert list_vlans(select_lines(text.splitlines())) == vlans
