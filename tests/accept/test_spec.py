"""Specifications that are wrong or hostile: a clear error with file and line, and exit status 2."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rack import SPEC

from auditor.engine.accept.spec import MAX_SPEC_BYTES, NO_SETTINGS, make_schema, read_spec
from auditor.engine.errors import CannotAudit
from auditor.view import cells
from auditor.view.documents import DeviceView, PortView
from auditor.view.host_documents import NicView

Run = Callable[..., tuple[int, str, str]]
HEAD = "schema: roce-audit/acceptance/1\n"
FIXTURES = Path(__file__).parents[2] / "fixtures"


def write_spec(folder: Path, text: str) -> str:
    file = folder / "spec.yaml"
    file.write_text(text, encoding="utf-8")
    return str(file)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1: None is not of type 'object'"),
        ("[]", "1: [] is not of type 'object'"),
        ("a: [", "not YAML"),
        ("{", "not YAML"),
        ("schema: roce-audit/intent/1\ndevices: [{names: [a]}]", "1: schema: 'roce-audit/acceptance/1' was expected"),
        (HEAD, "'devices' is a required property"),
        (f"{HEAD}devices: []", "2: devices: [] should be non-empty"),
        (f"{HEAD}devices:\n- names: []", "3: devices/0/names: [] should be non-empty"),
        (f"{HEAD}devices:\n- names: gpu1", "3: devices/0/names: 'gpu1' is not of type 'array'"),
        (
            f"{HEAD}devices:\n- names: [a]\n  cuont: 2",
            "4: devices/0: no key is named 'cuont' here; did you mean count?",
        ),
        (f"{HEAD}devices:\n- names: [a]\n  count: 0", "4: devices/0/count: 0 is less than the minimum of 1"),
        (f"{HEAD}devices:\n- names: [a]\n  count: many", "4: devices/0/count: 'many' is not valid"),
        (
            f"{HEAD}devices:\n- names: [a]\n  ports:\n  - names: [b]\n    nic: {{firmware: 28.43}}",
            "6: devices/0/ports/0/nic/firmware: 28.43 is not of type 'string'",
        ),
        (
            f"{HEAD}devices:\n- names: [a]\n  ports:\n  - names: [b]\n    settings:\n      mtu_bites: 9000",
            "7: no setting is named 'mtu_bites'; did you mean mtu_bytes",
        ),
        (
            f"{HEAD}devices:\n- names: [a]\n  ports:\n  - names: [b]\n    settings: {{nic.firmwear: 1}}",
            "6: no setting is named 'nic.firmwear'; did you mean firmware",
        ),
        (f"{HEAD}devices:\n- names: [a]\n  settings: {{mtu_bytes: 9000}}", "4: no setting is named 'mtu_bytes'"),
        (f"{HEAD}devices:\n- names: [a]\n  settings: {{captured_at: x}}", "4: no setting is named 'captured_at'"),
        (
            f"{HEAD}devices:\n- names: [a]\n  ports:\n  - names: [b]\n    module: {{length_m: {{min: 5, max: 3}}}}",
            "6: min is above max",
        ),
        (
            f"{HEAD}devices:\n- names: [a]\n  ports:\n  - names: ['e*']\n    rails: {{rail0: leaf1}}",
            "6: 'rail0' is none of the ports e*",
        ),
        (f"{HEAD}devices:\n- names: ['gpu*']\n  each: {{cpu1: {{}}}}", "4: 'cpu1' is none of the devices gpu*"),
        (f"{HEAD}devices:\n- names: [a]\nrules: {{clean: []}}", "2: the specification expects nothing"),
        (f"{HEAD}devices:\n- &x {{names: [a]}}\n- *x", "YAML aliases are unsupported"),
        (f"{HEAD}devices:\n- names: [a]\n- names: [a\x00]", "not YAML"),
        (f"{HEAD}devices:\n- names: [a]\n  settings: {{os: .nan}}", "4: not YAML: neither a finite number"),
        (f"{HEAD}devices: {'[' * 60}{']' * 60}", "nested deeper"),
        (f"{HEAD}devices:\n- names: [a]\n  names: [b]", "4: not YAML: 'names' stands twice"),
        (f"{HEAD}devices:\n- names: [a]\n  settings: {{os: {'9' * 5000}}}", "not YAML"),
        (f"{HEAD}devices:\n- names: [a]\n  settings: {{os: 0x{'f' * 5000}}}", "digits"),
        (f"{HEAD}devices:\n- names: [{'a' * 2000}]", "3: devices/0/names/0: "),
    ],
)
def test_a_wrong_specification_is_refused(run: Run, tmp_path: Path, text: str, message: str) -> None:
    file = write_spec(tmp_path, text)
    status, out, err = run("accept", file, tmp_path / "none", "--no-cache")
    assert (status, out) == (2, "")
    assert err.startswith("roce-audit: ")
    assert "internal error" not in err
    assert message in err.replace(f"{file}:", "")


@pytest.mark.read_once
@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("clean: [PFC0001]", "spec.yaml:5: no rule, pack or level is named 'PFC0001'; did you mean PFC001"),
        ("clean: ['level:bad']", "spec.yaml:5: no rule, pack or level is named 'level:bad'"),
        ("clean: ['ZZZ*']", "spec.yaml:5: no rule, pack or level is named 'ZZZ*'"),
    ],
)
def test_a_rule_that_is_none_is_refused(run: Run, tmp_path: Path, rules: str, message: str) -> None:
    file = write_spec(tmp_path, f"{HEAD}devices:\n- names: [host1]\nrules:\n  {rules}")
    status, _, err = run("accept", file, FIXTURES / "fabric-clean" / "host1", "--no-cache")
    assert status == 2
    assert message in err


def test_a_specification_that_is_too_large_is_refused(tmp_path: Path) -> None:
    file = write_spec(tmp_path, HEAD + "#" * MAX_SPEC_BYTES)
    with pytest.raises(CannotAudit, match="too large"):
        read_spec(file)


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    (tmp_path / "spec.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(CannotAudit, match="cannot be read"):
        read_spec(str(tmp_path / "spec.yaml"))


@given(text=st.text(max_size=200))
def test_any_text_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    file = tmp_path_factory.getbasetemp() / "any.yaml"
    file.write_text(HEAD + text, encoding="utf-8", errors="surrogatepass")
    with pytest.raises(CannotAudit):
        read_spec(str(file))


def test_the_specification_of_the_rack_is_read() -> None:
    read = read_spec(str(SPEC))
    assert [entry.count for entry in read.entries] == [None, 12]
    assert [each.word for each in read.clean] == ["level:error", "PFC*"]
    assert all(each.place.startswith(f"{SPEC}:") for each in read.clean)


def test_without_rules_every_error_counts(tmp_path: Path) -> None:
    for rules in ("", "rules: {}\n"):
        read = read_spec(write_spec(tmp_path, f"{HEAD}devices:\n- names: [a]\n{rules}"))
        assert [(each.word, each.place) for each in read.clean] == [("level:error", "")]


def test_the_schema_names_every_key() -> None:
    schema = make_schema()
    assert set(schema["properties"]) == {"schema", "devices", "rules"}
    assert set(schema["$defs"]["PortEntry"]["properties"]) >= {"names", "count", "rails", "peer", "slot", "module"}


def test_names_that_are_no_settings_are_those_of_the_table_of_cells() -> None:
    assert NO_SETTINGS[DeviceView] == cells._NOT_OF_DEVICE
    assert NO_SETTINGS[PortView] == cells._NOT_OF_PORT
    assert NO_SETTINGS[NicView] == cells._NOT_OF_PART & NicView.model_fields.keys() | {"firmware_default"}
