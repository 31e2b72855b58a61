"""The library: `auditor.audit` and `auditor.load` say what the program says, and touch nothing but their arguments."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

import auditor
from auditor.engine import workers
from auditor.engine.cache import Cache
from auditor.engine.child import Bounds, Task
from auditor.engine.pool import Pool
from auditor.estimate.simulated_cost import LinkSimulator

from .settings import INTENT, make_rule

Files = Mapping[str, str | bytes]
Write = Callable[[Files], Path]
Run = Callable[..., tuple[int, str, str]]
ROOT = Path(__file__).parents[2]
FABRIC = ROOT / "fixtures" / "fabric"
LEAF = "hostname {}\nfeature lldp\ninterface Ethernet1/1\n  no switchport\n  mtu {}\n  no shutdown\n"
LINKS = """\
schema: roce-audit/links/1
links:
  - {a: {device: leaf1, port: Ethernet1/1}, b: {device: leaf2, port: Ethernet1/1}}
"""
RULE = make_rule(9000)
CONFIGS = {"leaf1.cfg": LEAF.format("leaf1", 9216), "leaf2.cfg": LEAF.format("leaf2", 1500)}
PATHS = ["configs"]
TABLES = ("devices", "ports", "queues", "priority_groups", "classes", "classifiers", "maps", "links")


@pytest.fixture
def here(write: Write, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the working folder: a git repository with two switches in `configs`, and settings beside that folder."""
    configs = {f"configs/{name}": text for name, text in CONFIGS.items()}
    settings = {"links.yaml": LINKS, "intent.yaml": INTENT, "own/our.yaml": RULE, "old/leaf1.cfg": CONFIGS["leaf1.cfg"]}
    root = write({**configs, **settings, "known.json": '{"schema": "roce-audit/baseline/1", "findings": []}'})
    monkeypatch.chdir(root)
    who = ["-c", "user.name=n", "-c", "user.email=e@example.org"]
    for arguments in (["init", "-q"], ["add", "-A"], [*who, "commit", "-qm", "x"]):
        subprocess.run(["git", *arguments], check=True)
    return root


@pytest.fixture(scope="module")
def report() -> auditor.Report:
    return auditor.audit(FABRIC)


@pytest.fixture(scope="module")
def mixed() -> auditor.FabricSnapshot:
    return auditor.load(ROOT / "fixtures" / name for name in ("fabric-mixed", "fabric-ipv6"))


def findings(paths: list[str], **options: Any) -> list[str]:  # noqa: ANN401  any option
    return [found.rule for found in auditor.audit(paths, auditor.Options(jobs=1, **options)).findings]


def test_the_library_finds_what_the_program_finds(report: auditor.Report, run: Run) -> None:
    document = json.loads(run("check", FABRIC, "--format", "json")[1])
    assert [f["fingerprint"] for f in report.to_dicts()] == [f["fingerprint"] for f in document["findings"]]
    assert len(report.findings) == len(document["findings"]) > 0


def test_the_library_loads_what_the_program_shows(run: Run) -> None:
    fabric = auditor.load(FABRIC)
    document = json.loads(run("show", FABRIC)[1])
    assert json.loads(fabric.view().model_dump_json(by_alias=True)) == document
    shown = [(device["name"], port["name"]) for device in document["devices"] for port in device["ports"]]
    assert [(row["device"], row["port"]) for row in fabric.ports()] == shown


def is_cell(value: object) -> bool:
    items = value if isinstance(value, list) else [value]
    return all(item is None or isinstance(item, str | int | float) for item in items)


@pytest.mark.parametrize("table", TABLES)
def test_a_table_is_flat_and_each_row_has_the_same_columns(mixed: auditor.FabricSnapshot, table: str) -> None:
    rows = getattr(mixed, table)()
    assert len({tuple(row) for row in rows}) == 1
    assert all(is_cell(value) for row in rows for value in row.values())
    assert json.loads(json.dumps(rows)) == rows


@pytest.mark.parametrize("table", TABLES)
def test_a_column_never_mixes_types(mixed: auditor.FabricSnapshot, table: str) -> None:
    """A frame infers the type of a column from its first rows: an integer there makes a later fraction an error."""
    types: dict[str, set[type]] = {}
    for row in getattr(mixed, table)():
        for name, value in row.items():
            types.setdefault(name, set()).add(type(value))
    assert {name: found for name, found in types.items() if len(found - {type(None)}) > 1} == {}


def test_findings_are_flat(report: auditor.Report) -> None:
    rows = report.to_dicts()
    assert len({tuple(row) for row in rows}) == 1
    assert all(value is None or isinstance(value, str | int | float) for row in rows for value in row.values())
    assert json.loads(json.dumps(rows)) == rows
    costs = [row["goodput_lost"] for row in rows if row["fault"] == "black-hole"]
    assert set(costs) == {1.0}


def test_secrets_stay_out_of_the_rows(here: Path) -> None:
    secret = "$5$Kd8fhs$9gJ1abcdEFGH"
    (here / "intent.yaml").write_text(
        f"{INTENT}ignore: [{{rule: OUR001, devices: [leaf2], reason: 'password {secret}'}}]\n"
    )
    rows = auditor.audit(PATHS, auditor.Options(config="intent.yaml", rules="own")).to_dicts()
    (reason,) = (row["ignored"] for row in rows if row["kind"] == "ignored")
    assert reason.startswith("password ")
    assert secret not in reason


HOSTILE: dict[str, tuple[str, str | bytes]] = {
    "empty": ("leaf1.cfg", b""),
    "no text": ("leaf1.cfg", os.urandom(4096)),
    "JSON that ends early": ("config_db.json", '{"PORT": {'),
    "JSON nested too deeply": ("config_db.json", "[" * 200_000),
    "an archive that ends early": ("configs.zip", b"PK\x03\x04\x14"),
    "an archive of nothing": ("configs.tar.gz", b"\x1f\x8b\x08\x00"),
}


@pytest.mark.parametrize(("name", "content"), HOSTILE.values(), ids=HOSTILE)
def test_an_input_that_cannot_be_read_is_a_problem_and_no_exception(
    write: Write, name: str, content: str | bytes
) -> None:
    path = write({name: content}) / name
    report, fabric = auditor.audit(path), auditor.load(path)
    assert [problem.file for problem in report.problems] == [problem.name for problem in fabric.problems] == [str(path)]
    assert (report.devices, fabric.devices()) == (0, [])


WRONG: dict[str, tuple[list[str], dict[str, str], str]] = {
    "no path": ([], {}, "no path"),
    "no such system": (PATHS, {"os": "vms"}, "vms"),
    "no such intent": (PATHS, {"config": "none.yaml"}, "none.yaml"),
    "no such revision": (PATHS, {"base": "none"}, "none"),
    "two states to compare with": (PATHS, {"base": "HEAD", "baseline": "known.json"}, "base and baseline"),
    "the intent of a base without a base": (PATHS, {"config_from": "base"}, "--base"),
    "several paths against an older one": (["configs", "old"], {"old": "old"}, "one older"),
}


@pytest.mark.parametrize(("paths", "options", "message"), WRONG.values(), ids=WRONG)
def test_wrong_settings_are_refused(here: Path, paths: list[str], options: dict[str, Any], message: str) -> None:
    assert here
    with pytest.raises(auditor.CannotAudit, match=message):
        auditor.audit(paths, auditor.Options(**options))


class Refusing(Mapping[str, str]):
    """An environment that nobody may ask but pydantic, which looks for its own plugins."""

    def __getitem__(self, name: str) -> str:
        assert name.startswith("PYDANTIC_"), name
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        raise AssertionError("all of the environment")

    def __len__(self) -> int:
        raise AssertionError("all of the environment")


def test_nothing_is_printed_and_the_environment_is_not_asked(
    here: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (here / "configs" / "roce-audit.yaml").write_text(INTENT)
    expected = findings(PATHS, rules="own")  # imports of other packages may ask
    with monkeypatch.context() as patch:
        patch.setattr(os, "environ", Refusing())
        found, loaded = findings(PATHS, rules="own"), auditor.load(PATHS)
    assert found == expected
    assert "OUR001" in found
    assert loaded.problems == ()
    assert capfd.readouterr() == ("", "")


def test_importing_the_library_is_cheap_and_its_names_are_listed() -> None:
    code = "import auditor, sys; print(*sorted({'pydantic', 'yaml', 'rich', 'numpy', 'argparse'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "\n"
    assert {*auditor.__all__} <= {*dir(auditor)}
    assert all(getattr(auditor, name) for name in auditor.__all__)
    with pytest.raises(AttributeError, match="no attribute 'audits'"):
        getattr(auditor, "audits")  # noqa: B009  a name that a type checker refuses


def use_config() -> None:
    assert auditor.audit(PATHS, auditor.Options(config="intent.yaml")).intent["declared"]


def use_infer() -> None:
    assert not auditor.audit(PATHS, auditor.Options(config="intent.yaml", infer=True)).intent["declared"]


def use_suggest() -> None:
    text = CONFIGS["leaf1.cfg"] + "interface Ethernet1/9\n  service-policy type qos input NOWHERE\n"
    Path("configs", "leaf1.cfg").write_text(text)
    edits = [[c.fix for c in auditor.audit(PATHS, auditor.Options(suggest=each)).causes] for each in (False, True)]
    assert [any(fixes) for fixes in edits] == [False, True]


def use_links() -> None:
    assert [auditor.audit(PATHS, auditor.Options(links=each)).links for each in (None, "links.yaml")] == [0, 1]
    assert len(auditor.load(PATHS, auditor.Options(links="links.yaml")).links()) == 1


def use_os() -> None:
    assert {row["os"] for row in auditor.load(PATHS, auditor.Options(os="arista_eos")).devices()} == {"arista_eos"}


def use_rules() -> None:
    assert "OUR001" in findings(PATHS, rules="own")
    assert "OUR001" not in findings(PATHS)


def use_allow_python() -> None:
    with pytest.raises(auditor.CannotAudit, match="add --rules"):
        auditor.audit(PATHS, auditor.Options(allow_python=["our_site"]))


def compare(**options: Any) -> Any:  # noqa: ANN401  any option
    return auditor.audit(PATHS, auditor.Options(**options)).compared


def use_earlier() -> None:
    for folder, count in (("before", 3), ("now", 9)):
        Path(folder).mkdir()
        text = f"$ ethtool -S eth0\nNIC statistics:\n     rx_prio3_pause: {count}\n     rx_prio3_discards: {count}\n"
        Path(folder, "h1.txt").write_text(text)
    messages = [
        notice.message
        for earlier in (None, "before", "configs")
        for notice in auditor.audit("now", auditor.Options(earlier=earlier)).warnings
    ]
    assert [message for message in messages if "no counter" in message] == [
        "configs: no counter in it is an older one of a port that is audited"
    ]


def use_base() -> None:
    Path("configs/leaf1.cfg").write_text(CONFIGS["leaf1.cfg"].replace("9216", "1400"))
    report = auditor.audit(PATHS, auditor.Options(base="HEAD", rules="own"))
    assert [(f["device"], f["is_new"]) for f in report.to_dicts() if f["rule"] == "OUR001"] == [
        ("leaf1", True),
        ("leaf2", False),
    ]


def use_repo() -> None:
    paths = [str(Path(path).resolve()) for path in PATHS]
    with pytest.MonkeyPatch.context() as patch:
        top = Path.cwd()
        patch.chdir("/")
        with pytest.raises(auditor.CannotAudit, match="not in the work tree"):
            auditor.audit(paths, auditor.Options(base="HEAD"))
        assert auditor.audit(paths, auditor.Options(base="HEAD", repo=str(top))).compared


def use_old() -> None:
    assert compare(old="old").base == "old"


def use_baseline() -> None:
    assert compare(baseline="known.json").base == "known.json"


def use_config_from() -> None:
    Path("configs/roce-audit.yaml").write_text(INTENT)
    by_side = {
        side: auditor.audit(PATHS, auditor.Options(base="HEAD", config_from=side)).intent["declared"]
        for side in (None, "base", "head")
    }
    assert by_side == {None: False, "base": False, "head": True}
    assert auditor.audit(PATHS, auditor.Options(old="old")).intent["declared"]


def use_simulate_events() -> None:
    seen: list[int] = []

    def note(report: auditor.Report, simulator: LinkSimulator) -> auditor.Report:
        seen.append(simulator.budget)
        return report

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("auditor.engine.costs.simulate_costs", note)
        auditor.audit(PATHS, auditor.Options(simulate_events=5))
    assert seen == [5]


def use_fabric_map() -> None:
    assert auditor.audit(FABRIC).fabric_map is None
    found = auditor.audit(FABRIC, auditor.Options(fabric_map=True)).fabric_map
    assert found is not None
    assert {(each.kind, each.tier) for each in found.devices} == {("host", 0), ("switch", 1), ("switch", 2)}


def use_jobs() -> None:
    asked = []

    class Counted(Pool):
        def __init__(self, task: Task, bounds: Bounds, jobs: int) -> None:
            asked.append(jobs)
            super().__init__(task, bounds, jobs)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workers, "Pool", Counted)
        auditor.load(PATHS, auditor.Options(jobs=7))
    assert asked == [7, 7]


def lose(unit: object) -> Any:  # noqa: ANN401  never returns
    """Take more time than a test allows, and more memory."""
    kept = [unit]
    while len(kept) < 10**9:
        kept += [unit] * 10**6
    return kept


def use_cluster() -> None:
    with pytest.raises(auditor.CannotAudit, match="missing port number"):
        auditor.audit(PATHS, auditor.Options(cluster="nowhere"))


def use_notify() -> None:
    messages: list[str] = []
    with pytest.raises(auditor.CannotAudit, match="unknown address scheme"):
        auditor.audit(PATHS, auditor.Options(cluster="udp://nowhere:1", notify=messages.append))
    assert [message.partition(": no TLS")[0] for message in messages] == ["--cluster udp://nowhere:1"]


def use_device_seconds() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("auditor.engine.load.read_device", lambda _: [n for n in iter(int, 1) if n])
        problems = auditor.load(PATHS, auditor.Options(device_seconds=0.1)).problems
    causes = {
        problem.message.partition(";")[0].removeprefix("not audited: parsing the device: ") for problem in problems
    }
    assert causes <= {"more than 0.1 s of processor time", "no answer after 1 s by the clock"}
    assert len(problems) == len(CONFIGS)


def use_device_memory() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("auditor.engine.load.read_device", lose)
        problems = auditor.load(PATHS, auditor.Options(device_memory=64)).problems
    assert {problem.message.partition(";")[0] for problem in problems} == {
        "not audited: parsing the device: more than 64 MB of memory"
    }


def use_cache() -> None:
    first = findings(PATHS, cache=Cache(Path("kept"), b"k" * 32))
    assert [path.suffix for path in Path("kept").iterdir() if path.name != ".gitignore"] == [".sqlite3"]
    assert findings(PATHS, cache=Cache(Path("kept"), b"k" * 32)) == first


def use_stdin() -> None:
    fabric = auditor.load("-", auditor.Options(stdin=BytesIO(CONFIGS["leaf1.cfg"].encode())))
    assert [row["device"] for row in fabric.devices()] == ["leaf1"]


def use_progress() -> None:
    def note(results: Iterable[Any], count: int, step: str) -> Iterable[Any]:
        steps.append((step, count))
        return results

    steps: list[tuple[str, int]] = []
    auditor.load(PATHS, auditor.Options(progress=note))
    assert steps == [("identifying files", 2), ("parsing devices", 2)]


USES = {name.removeprefix("use_"): use for name, use in list(globals().items()) if name.startswith("use_")}


@pytest.mark.children
@pytest.mark.parametrize("option", [each.name for each in fields(auditor.Options)])
def test_each_option_has_an_effect(here: Path, option: str) -> None:
    assert here
    USES[option]()
