"""Configurations of SONiC that a text quotes: in fences, in several blocks, without braces, with remarks."""

import json

import pytest

from auditor.inputs.detection import identify_captures
from auditor.model.dump import Capture
from auditor.systems import systems
from auditor.view.port_view import device_view

TABLES = {
    "PORT": {"Ethernet8": {"lanes": "9,10", "speed": "100000", "admin_status": "up"}},
    "PORT_QOS_MAP": {"Ethernet8": {"pfc_enable": "5", "dscp_to_tc_map": "STO"}},
    "DSCP_TO_TC_MAP": {"STO": {"24": "5", "0": "0"}},
}


def _dump(tables: object) -> str:
    return json.dumps(tables, indent=4)


def _members(tables: object) -> str:
    return _dump(tables)[1:-1].strip("\n")


WHOLE = _dump(TABLES)
FORMS = {
    "alone": WHOLE,
    "fenced": f"# Notes\n\nSet it so:\n\n```json\n{WHOLE}\n```\n\nThat is all.",
    "fenced members": f"Add these:\n```\n{_members(TABLES)}\n```\n",
    "members": _members(TABLES),
    "members under a remark": f"# of pod 7\n{_members(TABLES)}",
    "blocks": "\n".join(f"## {name}\n\n~~~\n{_dump({name: rows})}\n~~~\n" for name, rows in TABLES.items()),
    "blocks of members": "\n".join(f"{name}:\n```\n{_members({name: rows})},\n```" for name, rows in TABLES.items()),
    "remarks": "```bash\n# vi config_db.json\n" + WHOLE.replace("    },\n", "    },\n    // next table\n") + "\n```",
    "dots": "```\n" + WHOLE.replace("    },\n", "    },\n    ...\n", 1) + "\n```",
}


def _parse(text: str) -> object:
    capture = Capture("x", tuple(text.split("\n")))
    assert identify_captures([capture]).os == "sonic"
    return device_view(systems()["sonic"].parse("x", "x", [capture]))


@pytest.mark.parametrize("form", FORMS)
def test_a_quoted_configuration_says_what_it_says_alone(form: str) -> None:
    assert _parse(FORMS[form]) == _parse(FORMS["alone"])


@pytest.mark.parametrize(
    "text",
    [
        f"import json\nCONFIG = '''\n{WHOLE}\n'''\n",
        f"The table `PORT_QOS_MAP` of\n{WHOLE}\nis described below.",
        "```json\n" + _dump({"QUEUE": {"a": {"b": "c"}}}) + "\n```",
    ],
    ids=["program", "prose without a fence", "other JSON"],
)
def test_json_in_other_texts_is_no_configuration(text: str) -> None:
    assert identify_captures([Capture("x", tuple(text.split("\n")))]).os != "sonic"
