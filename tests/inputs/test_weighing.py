"""A configuration that one system alone has the words of is not read by others to know whose it is."""

from importlib import import_module
from typing import Any, NoReturn

import pytest

from auditor.inputs import detection
from auditor.inputs.detection import identify_file
from auditor.inputs.rawtext import Raw

WRITERS = {
    "audit_nxos": "cisco_nxos",
    "audit_iosxr": "cisco_iosxr",
    "audit_eos": "arista_eos",
    "audit_junos": "juniper_junos",
    "audit_os10": "dell_os10",
    "audit_enterprise_sonic": "dell_enterprise_sonic",
    "audit_huawei": "huawei_vrp",
    "audit_comware": "hp_comware",
    "audit_aoscx": "aruba_aoscx",
    "audit_srlinux": "nokia_srlinux",
}


@pytest.mark.parametrize("writer", WRITERS)
def test_a_switch_is_known_by_its_words(monkeypatch: pytest.MonkeyPatch, writer: str) -> None:
    """To read ten thousand lines as two systems takes ten times as long as to recognise them."""

    def refuse(os: str, _capture: object) -> NoReturn:
        raise AssertionError(os)

    monkeypatch.setattr(detection, "_list_modelled", refuse)
    benchmark: Any = import_module(writer)
    lines = tuple(benchmark.switch(8))
    assert identify_file(Raw("leaf.cfg", ".", lines, ends_with_newline=True), None).os == WRITERS[writer]
