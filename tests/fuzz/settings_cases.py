"""Cases of settings: intent, links, baseline, rules of a site, inventory, scenarios, options of the estimate."""

import contextlib
import io
import json
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random

from case import Broken, Case
from mutators import NUMBERS, mutate
from pipeline import audit_snapshot, render_report
from seeds import ROOT, Material, Seed

from auditor.collect.inventory import read_inventory
from auditor.collect.target import InventoryError
from auditor.custom.rules import read_rules
from auditor.diagnosis.apply import apply_remedy
from auditor.engine.accept.spec import read_spec
from auditor.engine.baseline import format_baseline
from auditor.engine.compare import compare_reports
from auditor.engine.drift.explain import explain, read_changes
from auditor.engine.drift.model import Change, Moment, SettingChange
from auditor.engine.errors import CannotAudit
from auditor.engine.options import Options
from auditor.engine.result import Report
from auditor.engine.settings import read_baseline, read_cables, read_declared, tune_rules
from auditor.engine.verify.plan import read_plan
from auditor.engine.verify.values import Step
from auditor.estimate.table import TableError, answer
from auditor.inputs.snapshot import Snapshot, find
from auditor.intent import Intents
from auditor.model.fabric import End
from auditor.util.yamlfile import YamlError
from auditor.view.table import Cell

FABRICS = ("headroom-too-small/bad", "peer-mtu-too-small/bad", "pfc-on-one-side/bad", "nic-on-wrong-rail/bad")
"""Small fabrics that settings are tried on."""
MOST_STEPS = 8
INTENTS = (
    "schema: roce-audit/intent/1\npreset: sonic-default\nmtu: 4200\n",
    "schema: roce-audit/intent/1\nfabrics:\n  a: {match: ['leaf*'], preset: oci-gpu}\nroles:\n  leaf: {match: ['leaf*']}\n"
    "ignore:\n  - {rule: PFC001, device: 'leaf*', reason: x, expires: 2030-01-01}\n",
)
LEVELS = """\
schema: roce-audit/intent/1
traffic:
  - {name: RDMA, kind: rdma, dscp: [26], priority: 3, lossless: true}
sites:
  - name: ams
    devices: ["leaf*"]
    reason: another site
    path_mtu_bytes: 1024
    pods: [{name: p1, devices: ["*1"], reason: another pod, cable_length_m: 20}]
roles:
  - {name: back end, devices: ["*"], oversubscription: 1}
devices: [{name: leaf1, reason: a test, path_mtu_bytes: 4096}]
owners: [{owner: network, devices: ["leaf*"], ports: ["*"], jobs: ["*"]}]
ignore:
  - {rule: PFC001, reason: a lab, most: 2, value: "PFC is off", owner: lab, ticket: A-1, expires: 2030-01-01}
campaigns:
  - name: autumn
    reason: a fix
    from: 2020-01-01
    until: 2099-01-01
    sites: [ams]
    roles: [back end]
    stages: [{name: canary, devices: [leaf1]}]
    done: [leaf1]
    intent: {path_mtu_bytes: 2048}
    firmware: {"ConnectX*": "28.*"}
    os_version: {cisco_nxos: "10.*"}
"""
"""An intent with all levels, owners and a campaign."""
PLANS = (
    """{"schema": "roce-audit/fix/1", "fixes": [{"cause": "1a", "rule": "PFC001", "message": "PFC is off"}],
 "plan": [{"number": 1, "device": "leaf1", "os": "cisco_nxos", "causes": ["1a"],
 "text": "interface Ethernet1/1\\n  mtu 9216\\n", "reach": {"see": ["show interface"]}},
 {"number": 2, "device": "host1", "os": "linux", "causes": [], "text": "mlnx_qos -i rail0 --trust dscp\\n"}]}
""",
)
SPECIFICATIONS = (
    """\
schema: roce-audit/acceptance/1
devices:
  - names: ["gpu*"]
    count: 16
    settings: {host.services.lldpad: inactive}
    ports:
      - names: ["rail*"]
        count: 8
        rails: same
        settings: {"queues[3].ecn": on, pfc_priorities: "3"}
        nic: {model: ConnectX-7, firmware: "28.*", nv: {ROCE_CC_PRIO_MASK_P1: 255}}
        slot: "0000:1a:00.0"
        module: {length_m: {min: 1, max: 5}}
        peer: {device: leaf1, port: "Ethernet1/*"}
    each: {gpu01: {ports: {rail0: {serial: MT1}}}}
rules: {clean: ["PFC*", "level:error"]}
""",
)
CHANGES = (
    "schema: roce-audit/changes/1\nchanges:\n  - {id: CR-1, devices: ['leaf*'], from: 2026-11-10, until: 2026-11-11}\n",
    "schema: roce-audit/changes/1\nchanges:\n  - {id: A, settings: ['queues[3].*'], from: 2026-11-10T22:00:00Z}\n",
)
INVENTORIES = (
    "[leaf]\nleaf[01:20] ansible_host=192.0.2.1 ansible_network_os=nxos\n[leaf:vars]\nansible_user=x\n[all:children]\nleaf\n",
    "all:\n  children:\n    leafs:\n      hosts:\n        leaf[1:3]: {ansible_host: 192.0.2.1, ansible_network_os: eos}\n",
    "leaf1: {hostname: 192.0.2.1, platform: eos, groups: [x]}\nleaf2: {hostname: 192.0.2.2, platform: nxos_ssh, port: 22}\n",
    "hosts:\n  leaf[1-4]: {hostname: '192.0.2.[11-14]', platform: linux, sudo: true, username: x}\n",
)
VALUES = (
    "400G",
    "4MB",
    "1/8",
    "8",
    "40m",
    "1us",
    "20%",
    "off",
    "100KB,400KB,0.1",
    "tomahawk4",
    "-",
    "1e400G",
    "0",
    *NUMBERS,
)


@cache
def _fabric(name: str) -> Snapshot:
    return find([str(ROOT / "fixtures" / "rules" / name)])


@cache
def _baseline_of(name: str) -> str:
    return format_baseline(audit_snapshot(_fabric(name)))


def read_beside(folder: Path) -> tuple[Intents | None, Sequence[tuple[End, End]]]:
    """Return the intent and the cables that lie in *folder*; none where they are not valid."""
    declared: Intents | None = None
    cables: Sequence[tuple[End, End]] = ()
    config, links = folder / "roce-audit.yaml", folder / "links.yaml"
    try:
        declared = read_declared(config, str(config)) if config.is_file() else None
        tune_rules(declared)
    except CannotAudit:
        declared = None
    with contextlib.suppress(CannotAudit):
        cables = read_cables(Options(links=str(links) if links.is_file() else None), declared)
    return declared, cables


def _mutant(chance: Random, seeds: Sequence[str], material: Material) -> bytes:
    return mutate(chance, chance.choice(seeds), material)


def _texts(seeds: Sequence[Seed] | None) -> list[str]:
    return [seed.text for seed in seeds or ()]


def _make_settings(kind: str, more: Sequence[str]) -> Callable[[Random, Material], Case]:
    def make(chance: Random, material: Material) -> Case:
        texts = [*_texts(material.settings.get(kind)), *more] or [f"schema: roce-audit/{kind}/1\n"]
        fabric = chance.choice(FABRICS)
        if kind == "baseline":
            texts = [_baseline_of(fabric)]
        return Case(kind, {"settings.yaml": _mutant(chance, texts, material)}, {"fabric": fabric})

    return make


def _audit(case: Case, declared: Intents | None = None, cables: Sequence[tuple[End, End]] = ()) -> Report:
    report = audit_snapshot(_fabric(case.told["fabric"]), declared, cables)
    render_report(report, ("json", "markdown"))
    return report


def _run_settings(case: Case) -> None:
    """Read settings from a file, and audit by them; wrong ones are refused in one line."""
    with tempfile.TemporaryDirectory() as folder:
        case.write(Path(folder))
        file = str(Path(folder, "settings.yaml"))
        try:
            if case.target == "intent":
                declared = read_declared(Path(file), file)
                tune_rules(declared)
                _audit(case, declared, declared.links)
            elif case.target == "links":
                _audit(case, None, read_cables(Options(links=file), None))
            else:
                known = read_baseline(file)
                render_report(compare_reports(_audit(case), known.findings, "baseline"))
        except CannotAudit as error:
            _require_short(case.target, str(error))


def _run_changes(case: Case) -> None:
    """Read a list of approved changes, and ask whether it explains a change; a wrong list is refused in one line."""
    with tempfile.TemporaryDirectory() as folder:
        case.write(Path(folder))
        try:
            planned = read_changes(str(Path(folder, "settings.yaml")))
        except CannotAudit as error:
            _require_short(case.target, str(error))
            return
    setting = SettingChange("queues[3].ecn_min_bytes", Cell("150000"), Cell("1500000"))
    for last, seen in (("", ""), ("2026-11-09", "2026-11-16"), ("2026-11-09T06:00:00+01:00", "2026-11-16T06:00:00Z")):
        moments = Moment("a", last, ""), Moment("b", seen, case.text)
        explain(Change((setting,), (("leaf1", ""),), *moments, is_everywhere=False), planned)


def _run_plan(case: Case) -> None:
    """Read a plan, and type its steps into a fabric; a wrong one is refused in one line."""
    with tempfile.TemporaryDirectory() as folder:
        case.write(Path(folder))
        try:
            steps = read_plan(str(Path(folder, "settings.yaml")))
        except CannotAudit as error:
            _require_short(case.target, str(error))
            return
    for step in (each for each in steps[:MOST_STEPS] if isinstance(each, Step)):
        for unit in _fabric(case.told["fabric"]).units:
            if unit.os == step.os:
                apply_remedy(step.text, step.os, unit.captures)


def _run_specification(case: Case) -> None:
    """Read a specification; a wrong one is refused in one line."""
    with tempfile.TemporaryDirectory() as folder:
        case.write(Path(folder))
        try:
            read_spec(str(Path(folder, "settings.yaml")))
        except CannotAudit as error:
            _require_short(case.target, str(error))


def _require_short(target: str, message: str) -> None:
    if len(message) > 2_100:
        raise Broken(f"{target}: a message of {len(message)} characters")


def _run_rules(case: Case) -> None:
    """Read a rule of a site, and judge by it."""
    with tempfile.TemporaryDirectory() as folder:
        case.write(Path(folder))
        try:
            rules = read_rules(Path(folder))
        except YamlError as error:
            _require_short(case.target, str(error))
            return
        render_report(audit_snapshot(_fabric(case.told["fabric"]), site=rules), ("json", "sarif"))


def _make_inventory(chance: Random, material: Material) -> Case:
    texts = [*_texts(material.settings.get("inventory")), *INVENTORIES]
    name = chance.choice(("hosts.yaml", "inventory.ini", "hosts", "inventory.yml", "fabric.json"))
    return Case("inventory", {name: _mutant(chance, texts, material)})


def _run_inventory(case: Case) -> None:
    with tempfile.TemporaryDirectory() as folder:
        case.write(Path(folder))
        try:
            read_inventory(str(Path(folder, next(iter(case.files)))), {})
        except InventoryError as error:
            _require_short(case.target, str(error))


def _make_scenarios(chance: Random, material: Material) -> Case:
    tables = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "fixtures" / "scenarios").glob("*.csv"))]
    lines = chance.choice(tables).split("\n")
    for _ in range(chance.choice((1, 2, 4))):
        at = chance.randrange(len(lines))
        cells = lines[at].split(",")
        cells[chance.randrange(len(cells))] = chance.choice(VALUES)
        lines[at] = ",".join(cells)
    text = "\n".join(lines)
    return Case("scenarios", {"table.csv": text.encode() if chance.random() < 0.5 else mutate(chance, text, material)})


def _run_scenarios(case: Case) -> None:
    text = case.files["table.csv"].decode("utf-8-sig", "surrogateescape")
    out = io.StringIO()
    try:
        answer(io.StringIO(text, newline=""), out)
    except TableError as error:
        _require_short(case.target, str(error))


def _make_estimate(chance: Random, _: Material) -> Case:
    options: tuple[str, ...] = (
        "--speed",
        "--cable",
        "--incast",
        "--message",
        "--headroom",
        "--buffer",
        "--alpha",
        "--response",
        "--asic",
    )
    options += ("--mtu", "--pfc", "--ecn", "--dcqcn", "--exposed", "--format")
    good = {"--speed": "400G", "--pfc": "off", "--dcqcn": "off", "--format": "json", "--ecn": "100KB,400KB,10%"}
    words = ["--speed=400G"]
    words += [
        f"{option}={good.get(option, '8') if chance.random() < 0.3 else chance.choice(VALUES)}"
        for option in chance.sample(options, chance.choice((1, 2, 4, 8)))
    ]
    return Case("estimate", {}, {"words": json.dumps(words)})


def _run_estimate(case: Case) -> None:
    from targets import run_program  # noqa: PLC0415  the table of targets holds this function

    status, out, err = run_program(["estimate", *json.loads(case.told["words"])])
    if status not in {0, 2} or "Traceback" in err + out:
        raise Broken(f"estimate: exit status {status}: {err[-300:]}")


KINDS: Mapping[str, tuple[Callable[[Random, Material], Case], Callable[[Case], None]]] = {
    "intent": (_make_settings("intent", (*INTENTS, LEVELS)), _run_settings),
    "links": (_make_settings("links", ()), _run_settings),
    "baseline": (_make_settings("baseline", ()), _run_settings),
    "changes": (_make_settings("changes", CHANGES), _run_changes),
    "plan": (_make_settings("plan", PLANS), _run_plan),
    "acceptance": (_make_settings("acceptance", SPECIFICATIONS), _run_specification),
    "custom-rule": (_make_settings("custom-rule", ()), _run_rules),
    "inventory": (_make_inventory, _run_inventory),
    "scenarios": (_make_scenarios, _run_scenarios),
    "estimate": (_make_estimate, _run_estimate),
}
SHARES: Mapping[str, int] = {"intent": 2, "custom-rule": 2, "inventory": 2}
