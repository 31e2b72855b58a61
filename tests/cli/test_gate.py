"""The gate in real git repositories: what a change makes worse, and only that."""

import hashlib
import json
import os
import shutil
import subprocess
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import junitparser
import pytest
from jsonschema import Draft202012Validator

Run = Callable[..., tuple[int, str, str]]
LEAF = """\
hostname {name}
feature lldp
interface Ethernet1/1
  no switchport
  mtu 1500
  speed 100000
  ip address 10.0.0.1/30
  no shutdown
"""
NOWHERE = "  service-policy type qos input NOWHERE\n"
INTENT = """\
schema: roce-audit/intent/1
traffic: [{name: RDMA, kind: rdma, dscp: [26], priority: 3, lossless: true}]
links:
  - {a: {device: leaf1, port: Ethernet1/1}, b: {device: leaf2, port: Ethernet1/1}}
"""
MTU = ("MTU001", "leaf2")
DANGLING = ("CLS004", "leaf1")


def git(folder: Path, *arguments: str) -> str:
    who = ["-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "protocol.file.allow=always"]
    done = subprocess.run(["git", *who, *arguments], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout


def commit(folder: Path) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "change")


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a repository with two switches, committed; it is the working folder."""
    root = tmp_path / "repo"
    (root / "fabric").mkdir(parents=True)
    for name in ("leaf1", "leaf2"):
        (root / "fabric" / f"{name}.cfg").write_text(LEAF.format(name=name))
    (root / "fabric" / "roce-audit.yaml").write_text(INTENT)
    git(root, "init", "-q", "-b", "main")
    commit(root)
    monkeypatch.chdir(root)
    return root


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def compared(run: Run, *arguments: object) -> tuple[int, dict[str, Any]]:
    status, out, err = run(*arguments, "--format", "json")
    assert out, err
    report: dict[str, Any] = json.loads(out)
    return status, report


def of_state(report: dict[str, Any], state: str | None) -> list[tuple[str, str]]:
    return [(f["rule"], f["device"]) for f in report["findings"] if f["kind"] == "fail" and f["state"] == state]


def gone(report: dict[str, Any], how: str) -> list[tuple[str, str]]:
    return [(f["rule"], f["device"]) for f in report["compared"][how]]


def against_main(run: Run, *more: object) -> tuple[int, dict[str, Any]]:
    return compared(run, "check", "fabric", "--base", "main", *more)


def test_the_whole_story(run: Run, repo: Path) -> None:
    """A link broken from its other side fails the gate, in each format with that finding; the mend passes."""
    leaf1 = repo / "fabric" / "leaf1.cfg"
    assert run("check", "fabric", "--base", "main")[0] == 0
    edit(leaf1, "mtu 1500", "mtu 9216")
    commit(repo)
    names = ("sarif", "junit", "github", "gitlab", "markdown", "json")
    outputs = [word for name in names for word in ("--output", f"{name}=../{name}")]
    status, out, _ = run("check", "fabric", "--base", "HEAD~1", *outputs)
    assert status == 1
    assert "against HEAD~1: 0 fixed, 0 unchanged\n1 new error, 0 new warnings" in out.replace("errors", "error")
    texts = {name: (repo.parent / name).read_text() for name in names}
    results = json.loads(texts["sarif"])["runs"][0]["results"]
    assert [(r["ruleId"], r["baselineState"]) for r in results] == [("MTU001", "new")]
    place = results[0]["locations"][0]["physicalLocation"]
    assert (place["artifactLocation"]["uri"], place["region"]["startLine"]) == ("fabric/leaf2.cfg", 5)
    assert junitparser.JUnitXml.fromstring(texts["junit"].encode()).failures == 1
    assert texts["github"].count("::error ") == 1
    assert [issue["check_name"] for issue in json.loads(texts["gitlab"])] == ["MTU001 peer-mtu-too-small"]
    for name in ("github", "markdown", "junit", "sarif", "gitlab"):
        assert "of RDMA goodput on leaf2" in texts[name]
    assert of_state(json.loads(texts["json"]), "new") == [MTU]
    edit(leaf1, "mtu 9216", "mtu 1500")
    status, report = compared(run, "check", "fabric", "--base", "HEAD")
    assert (status, of_state(report, "new"), gone(report, "fixed")) == (0, [], [MTU])


def broken(repo: Path) -> None:
    edit(repo / "fabric" / "leaf1.cfg", "mtu 1500", "mtu 9216")
    edit(repo / "fabric" / "leaf1.cfg", "  no shutdown\n", f"  no shutdown\n{NOWHERE}")
    commit(repo)


def test_old_findings_stay_old_where_files_are_renamed_and_lines_move(run: Run, repo: Path) -> None:
    broken(repo)
    (repo / "fabric" / "pod1").mkdir()
    git(repo, "mv", "fabric/leaf1.cfg", "fabric/pod1/edge-1.cfg")
    edit(repo / "fabric" / "pod1" / "edge-1.cfg", "feature lldp\n", "feature lldp\nntp server 10.9.9.9\n\n!\n")
    status, report = against_main(run)
    assert (status, of_state(report, "new"), gone(report, "fixed"), gone(report, "lost")) == (0, [], [], [])
    assert sorted(of_state(report, "unchanged")) == sorted([DANGLING, MTU])


@pytest.mark.parametrize("more", ["", NOWHERE.replace("NOWHERE", "MISSING").replace("input", "output")])
def test_a_dump_without_a_hostname_is_known_under_its_new_name(run: Run, repo: Path, more: str) -> None:
    path = repo / "fabric" / "leaf1.cfg"
    edit(path, "hostname leaf1\n", "")
    edit(path, "  no shutdown\n", f"  no shutdown\n{NOWHERE}")
    commit(repo)
    git(repo, "mv", "fabric/leaf1.cfg", "fabric/edge9.cfg")
    with (repo / "fabric" / "edge9.cfg").open("a") as file:
        file.write(more)
    _, report = against_main(run)
    assert of_state(report, "unchanged") == [("CLS004", "edge9")]
    assert of_state(report, "new") == ([("CLS004", "edge9")] if more else [])


def test_neither_work_tree_nor_index_is_touched(run: Run, repo: Path) -> None:
    broken(repo)
    (repo / "fabric" / "untracked.cfg").write_text(LEAF.format(name="leaf9"))

    def state() -> dict[str, tuple[str, int]]:
        files = (path for path in repo.rglob("*") if path.is_file())
        return {str(p): (hashlib.sha256(p.read_bytes()).hexdigest(), p.stat().st_mtime_ns) for p in files}

    before = state()
    run("check", "fabric", "--base", "HEAD~1")
    assert state() == before


def test_a_dump_that_goes_away_fixes_nothing(run: Run, repo: Path) -> None:
    broken(repo)
    (repo / "fabric" / "leaf1.cfg").unlink()
    _, report = against_main(run)
    assert gone(report, "fixed") == []
    assert sorted(gone(report, "lost")) == sorted([DANGLING, MTU])


COMMENT = "! roce-audit: ignore[CLS004] not now\ninterface Ethernet1/1"


def test_what_the_change_ignores_by_itself_is_told_and_can_be_ignored(run: Run, repo: Path) -> None:
    path = repo / "fabric" / "leaf1.cfg"
    edit(path, "  no shutdown\n", f"  no shutdown\n{NOWHERE}")
    edit(path, "interface Ethernet1/1", COMMENT)
    status, report = against_main(run, "--config-from", "head")
    told = " ".join(edit["message"] for edit in report["compared"]["edits"])
    assert (status, of_state(report, "new")) == (0, [])
    assert "the change ignores CLS004: not now" in told
    assert "is new and is ignored now: not now" in told
    status, report = against_main(run)
    assert (status, of_state(report, "new")) == (1, [DANGLING])
    (told,) = (edit["message"] for edit in report["compared"]["edits"])
    assert told == "the change ignores CLS004: not now; without effect until it is merged"
    commit(repo)
    status, report = against_main(run)
    assert (status, of_state(report, "new"), report["compared"]["edits"]) == (0, [], [])
    assert report["summary"]["ignored"] == 1


def test_an_edited_intent_is_told_and_judges_only_if_asked_to(run: Run, repo: Path) -> None:
    broken(repo)
    config = repo / "fabric" / "roce-audit.yaml"
    with config.open("a") as file:
        file.write("rules: {MTU001: {enabled: false}}\nignore: [{rule: CLS004, reason: we like it so}]\n")
    status, report = against_main(run, "--config-from", "head")
    told = [edit["message"] for edit in report["compared"]["edits"]]
    assert (status, of_state(report, "new"), gone(report, "fixed")) == (0, [], [])
    assert len(told) == 3
    assert told[0] == "the change edits the intent, links or rules"
    status, report = against_main(run)
    assert sorted(of_state(report, "unchanged")) == sorted([DANGLING, MTU])
    assert all(edit["message"].endswith("without effect until it is merged") for edit in report["compared"]["edits"])
    commit(repo)
    config.unlink()
    _, report = against_main(run)
    assert any("removes the intent" in edit["message"] for edit in report["compared"]["edits"])
    config.write_text("schema: [\n")
    assert run("check", "fabric", "--base", "main")[0] == 2
    assert run("check", "fabric", "--base", "main", "--config-from", "head")[0] == 2
    commit(repo)
    config.write_text(INTENT)
    status, _, err = run("check", "fabric", "--base", "main")
    assert (status, "at main: fabric/roce-audit.yaml:2" in err, "--config-from head" in err) == (2, True, True)
    assert run("check", "fabric", "--base", "main", "--config-from", "head")[0] == 0


def test_the_first_intent_judges_after_its_merge(run: Run, repo: Path) -> None:
    config = repo / "fabric" / "roce-audit.yaml"
    config.unlink()
    commit(repo)
    config.write_text(INTENT)
    _, report = against_main(run)
    assert not report["intent"]["declared"]
    (told,) = report["compared"]["edits"]
    assert told["message"] == "the change declares the intent, links or rules; without effect until it is merged"
    assert told["file"] == "fabric/roce-audit.yaml"
    assert against_main(run, "--config-from", "head")[1]["intent"]["declared"]


@pytest.mark.parametrize("target", ["/etc/hostname", "../elsewhere.yaml", "../../repo/fabric/leaf1.cfg"])
def test_a_symlink_for_the_intent_takes_no_say_from_the_base(run: Run, repo: Path, target: str) -> None:
    """The change turns the file of --config into a symlink: the base's own file judges."""
    broken(repo)
    config = repo / "intent.yaml"
    config.write_text(INTENT)
    commit(repo)
    (repo.parent / "elsewhere.yaml").write_text(f"{INTENT}ignore: [{{rule: CLS004, reason: we like it so}}]\n")
    config.unlink()
    config.symlink_to(target)
    status, out, err = run("check", "fabric", "--base", "main", "--config", "intent.yaml", "--format", "json")
    if target == "../elsewhere.yaml":
        assert out, err
        assert sorted(of_state(json.loads(out), "unchanged")) == sorted([DANGLING, MTU])
    else:
        assert (status, "intent.yaml" in err) == (2, True)


RULE = """\
schema: roce-audit/custom-rule/1
id: OUR001
name: our-mtu
level: error
summary: The MTU of a port is not ours.
why: It differs from what we order.
for: port
require: {properties: {mtu_bytes: {const: 1500}}}
remedy: {cisco_nxos: mtu 1500}
references: [https://example.org/mtu]
"""


def test_rules_of_the_site_come_from_the_base(run: Run, repo: Path) -> None:
    (repo / "rules").mkdir()
    rule = repo / "rules" / "mtu.yaml"
    rule.write_text(RULE)
    commit(repo)
    rule.write_text(RULE.replace("1500}", "9216}"))
    edit(repo / "fabric" / "leaf1.cfg", "mtu 1500", "mtu 9216")
    edit(repo / "fabric" / "leaf2.cfg", "mtu 1500", "mtu 9216")
    for more, new in (((), [("OUR001", "leaf1"), ("OUR001", "leaf2")]), (("--config-from", "head"), [])):
        _, report = against_main(run, "--rules", "rules", *more)
        assert [found for found in of_state(report, "new") if found[0] == "OUR001"] == new
        assert [each["file"] for each in report["compared"]["edits"]] == ["rules"]
    shutil.rmtree(repo / "rules")
    assert ("OUR001", "leaf1") in of_state(against_main(run, "--rules", "rules")[1], "new")
    rule.parent.mkdir()
    rule.write_text("id: [\n")
    commit(repo)
    rule.write_text(RULE)
    status, _, err = run("check", "fabric", "--base", "main", "--rules", "rules")
    assert (status, err.startswith("roce-audit: rules/mtu.yaml:")) == (2, True)
    assert run("check", "fabric", "--base", "main", "--rules", "nowhere")[0] == 2


def test_edited_links_are_told(run: Run, repo: Path) -> None:
    links = repo / "cables.yaml"
    links.write_text("schema: roce-audit/links/1\nlinks: []\n")
    commit(repo)
    assert against_main(run, "--links", links)[1]["compared"]["edits"] == []
    links.write_text("schema: roce-audit/links/1\n\nlinks: []\n")
    (told,) = against_main(run, "--links", "cables.yaml")[1]["compared"]["edits"]
    assert (told["message"], told["file"]) == (
        "the change edits the links file; without effect until it is merged",
        "cables.yaml",
    )
    assert run("check", "fabric", "--base", "main", "--links", "nowhere.yaml")[0] == 2


def test_cables_come_from_the_base(run: Run, repo: Path) -> None:
    cable = INTENT.partition("links:\n")[2]
    (repo / "fabric" / "roce-audit.yaml").write_text(INTENT.partition("links:\n")[0])
    links = repo / "cables.yaml"
    links.write_text(f"schema: roce-audit/links/1\nlinks:\n{cable}")
    commit(repo)
    edit(repo / "fabric" / "leaf1.cfg", "mtu 1500", "mtu 9216")
    links.write_text("schema: roce-audit/links/1\nlinks: []\n")
    assert of_state(against_main(run, "--links", "cables.yaml")[1], "new") == [MTU]
    assert of_state(against_main(run, "--links", "cables.yaml", "--config-from", "head")[1], "new") == []
    links.unlink()
    assert of_state(against_main(run, "--links", "cables.yaml")[1], "new") == [MTU]


def test_a_comment_in_the_intent_is_no_edit(run: Run, repo: Path) -> None:
    edit(repo / "fabric" / "roce-audit.yaml", "traffic:", "# what we mean\n\ntraffic:")
    assert against_main(run)[1]["compared"]["edits"] == []


def test_without_an_intent_the_base_says_what_is_meant(run: Run, repo: Path) -> None:
    (repo / "fabric" / "roce-audit.yaml").unlink()
    commit(repo)
    paused = "policy-map type network-qos L\n  class type network-qos c-8q-nq3\n    pause pfc-cos 3\n"
    paused += "system qos\n  service-policy type network-qos L\n"
    for name in ("leaf1", "leaf2"):
        path = repo / "fabric" / f"{name}.cfg"
        path.write_text(path.read_text() + "  priority-flow-control mode on\n" + paused)
    commit(repo)
    for name in ("leaf1", "leaf2"):
        edit(repo / "fabric" / f"{name}.cfg", "pfc-cos 3", "pfc-cos 4")
    _, report = against_main(run)
    assert report["intent"]["lossless_priorities"] == [3]


@pytest.mark.parametrize("path", [".", "fabric", "./fabric/", "fabric/../fabric", "ABSOLUTE"])
def test_paths_as_they_are_typed(run: Run, repo: Path, path: str) -> None:
    broken(repo)
    status, report = compared(run, "check", repo / "fabric" if path == "ABSOLUTE" else path, "--base", "main")
    assert (status, of_state(report, "new"), gone(report, "lost")) == (0, [], [])
    assert len(of_state(report, "unchanged")) >= 1


def test_from_a_folder_below_and_inside_a_hook(run: Run, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken(repo)
    monkeypatch.setenv("GIT_DIR", ".git")
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/index")
    monkeypatch.chdir(repo / "fabric")
    status, report = compared(run, "check", "leaf1.cfg", "../fabric/leaf2.cfg", "--base", "main")
    assert (status, of_state(report, "new")) == (0, [])
    assert report["findings"][0]["file"] in {"leaf1.cfg", "../fabric/leaf2.cfg"}


@pytest.mark.parametrize("here", [".", "fabric", "fabric/deep", "..", "/"])
@pytest.mark.parametrize("more", [(), ("--base", "main")])
def test_code_hosts_get_paths_from_the_top_of_the_checkout(
    run: Run, repo: Path, monkeypatch: pytest.MonkeyPatch, here: str, more: tuple[str, ...]
) -> None:
    """From each folder, by a relative, an absolute and a symlinked path; people get the path from where they are."""
    (repo / "fabric" / "deep").mkdir()
    (repo / "linked").symlink_to("fabric")
    (repo.parent / "checkout").symlink_to(repo)
    broken(repo)
    monkeypatch.chdir(repo / here)
    if here in {"..", "/"}:
        more = (*more, "--repo", str(repo))
    for path in (os.path.relpath(repo / "fabric"), str(repo / "fabric"), str(repo.parent / "checkout" / "fabric")):
        outputs = [word for name in ("sarif", "gitlab", "github") for word in ("--output", f"{name}={repo}/../{name}")]
        status, out, _ = run("check", path, *more, *outputs, "--format", "json")
        assert status == (0 if "main" in more else 1)
        texts = {name: (repo.parent / name).read_text() for name in ("sarif", "gitlab", "github")}
        root, *places = (each.partition('"')[0] for each in texts["sarif"].split('"uri": "')[1:])
        uris = set(places)
        assert root == f"{repo.resolve().as_uri()}/"
        assert '"id": "roce-audit/fabric/"' in texts["sarif"]
        assert uris == {"fabric/leaf1.cfg", "fabric/leaf2.cfg"}
        issues = {issue["location"]["path"] for issue in json.loads(texts["gitlab"])}
        assert issues <= uris
        assert len(issues) == 2
        assert all(f"file=fabric/leaf{n}.cfg," in texts["github"] for n in (1, 2) if "main" not in more)
        place = json.loads(out)["findings"][0]["file"]
        assert Path(place).samefile(repo / "fabric" / Path(place).name)
    _, out, _ = run("check", os.path.relpath(repo / "linked"), *more, "--format", "gitlab")
    assert {issue["location"]["path"] for issue in json.loads(out)} == {"fabric/leaf1.cfg", "fabric/leaf2.cfg"}


def test_a_symlinked_folder_is_compared_with_itself(run: Run, repo: Path) -> None:
    (repo / "current").symlink_to("fabric")
    broken(repo)
    status, report = compared(run, "check", "current", "--base", "HEAD")
    assert (status, of_state(report, "new")) == (0, [])
    assert sorted(of_state(report, "unchanged")) == sorted([DANGLING, MTU])
    edit(repo / "fabric" / "leaf2.cfg", "  no shutdown\n", f"  no shutdown\n{NOWHERE}")
    status, report = compared(run, "check", "current", "--base", "HEAD")
    assert (status, of_state(report, "new")) == (1, [("CLS004", "leaf2")])


def test_a_folder_that_became_a_symlink_is_no_clean_one(run: Run, repo: Path) -> None:
    broken(repo)
    shutil.copytree(repo / "fabric", repo / "clean")
    (repo / "clean" / "leaf1.cfg").write_text(LEAF.format(name="leaf1"))
    commit(repo)
    shutil.rmtree(repo / "fabric")
    (repo / "fabric").symlink_to("clean")
    _, report = compared(run, "check", "fabric", "--base", "HEAD")
    assert sorted(gone(report, "fixed")) == sorted([DANGLING, MTU])  # compared with what `fabric` held


def test_a_shallow_clone_without_the_base(run: Run, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = git(repo, "rev-parse", "HEAD").strip()
    broken(repo)
    git(repo.parent, "clone", "-q", "--depth", "1", f"file://{repo}", "clone")
    monkeypatch.chdir(repo.parent / "clone")
    for base in (first, "HEAD~1"):
        status, out, err = run("check", "fabric", "--base", base)
        assert (status, out) == (2, "")
        assert "this shallow clone lacks the commit" in err


@pytest.mark.parametrize("base", ["nope", "", "--output=/tmp/x", "-h", "HEAD:fabric", "main^{tree}", "a\nb"])
def test_a_revision_that_is_none(run: Run, repo: Path, base: str) -> None:
    assert repo.exists()
    status, out, err = run("check", "fabric", f"--base={base}")
    assert (status, out) == (2, "")
    assert err.startswith("roce-audit: --base")
    assert err.count("\n") == 1


def test_no_repository_and_another_one(run: Run, repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outside = tmp_path / "outside"
    shutil.copytree(repo / "fabric", outside)
    for paths, said in (([outside], "outside of the repository"), (["fabric", outside], "outside of the repository")):
        status, out, err = run("check", *paths, "--base", "main")
        assert (status, out) == (2, "")
        assert said in err
    assert run("check", "-", "--base", "main")[0] == 2
    monkeypatch.chdir(outside)
    for path in (repo / "fabric", outside):
        status, out, err = run("check", path, "--base", "main")
        assert (status, out) == (2, "")
        assert "outside: not in the work tree of a git repository" in err
    assert run("check", repo / "fabric", "--base", "main", "--repo", repo)[0] == 0
    assert run("check", "../repo/fabric", "--base", "main", "--repo", "../repo/fabric")[0] == 0
    assert run("check", outside, "--base", "main", "--repo", repo)[0] == 2


def test_what_git_does_not_hold_is_told(run: Run, repo: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-q")
    (other / "x.cfg").write_text(LEAF.format(name="leaf8"))
    commit(other)
    git(repo, "submodule", "add", "-q", str(other), "fabric/sub")
    (repo / "fabric" / "big.cfg").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")
    (repo / "fabric" / "out").symlink_to("/etc")
    commit(repo)
    (repo / "fabric" / "big.cfg").write_text(LEAF.format(name="leaf7"))
    (repo / "fabric" / "out").unlink()
    status, out, _ = run("check", "fabric", "--base", "HEAD")
    assert "Git LFS" in out
    assert "a submodule" in out
    assert "symlink to /etc" in out
    assert status == 0


def test_folders_and_archives(run: Run, repo: Path, tmp_path: Path) -> None:
    old = tmp_path / "old.tgz"
    with tarfile.open(old, "w:gz") as tar:
        for path in (repo / "fabric").iterdir():
            tar.add(path, path.name)
    broken(repo)
    new = shutil.copytree(repo / "fabric", tmp_path / "new")
    status, report = compared(run, "diff", old, new)
    assert (status, sorted(of_state(report, "new"))) == (1, sorted([DANGLING, MTU]))
    status, report = compared(run, "diff", new, repo / "fabric")
    assert (status, of_state(report, "new"), len(of_state(report, "unchanged"))) == (0, [], 2)
    status, report = compared(run, "diff", new, old, "--config", repo / "fabric" / "roce-audit.yaml")
    assert (status, sorted(gone(report, "fixed"))) == (0, sorted([DANGLING, MTU]))
    assert report["compared"]["fixed"][0]["file"].startswith(str(new))


def test_devices_of_one_name_are_told_apart_alike_on_both_sides(run: Run, repo: Path, tmp_path: Path) -> None:
    broken(repo)
    shutil.copytree(repo / "fabric", repo / "fabric" / "pod2", ignore=shutil.ignore_patterns("*.yaml"))
    commit(repo)
    assert of_state(against_main(run)[1], "new") == []
    copy = shutil.copytree(repo / "fabric", tmp_path / "copy")
    assert of_state(compared(run, "diff", "fabric", copy)[1], "new") == []


def test_a_baseline_for_those_without_history(run: Run, repo: Path, tmp_path: Path) -> None:
    broken(repo)
    baseline = tmp_path / "baseline.json"
    assert run("check", "fabric", "--write-baseline", baseline)[0] == 0
    form = json.loads(run("schema", "baseline")[1])
    Draft202012Validator(form).validate(json.loads(baseline.read_text()))
    status, report = compared(run, "check", "fabric", "--baseline", baseline)
    assert (status, of_state(report, "new"), len(of_state(report, "unchanged"))) == (0, [], 2)
    edit(repo / "fabric" / "leaf2.cfg", "  no shutdown\n", f"  no shutdown\n{NOWHERE}")
    edit(repo / "fabric" / "leaf1.cfg", "9216", "1500")
    status, report = compared(run, "check", "fabric", "--baseline", baseline)
    assert (status, of_state(report, "new"), gone(report, "fixed")) == (1, [("CLS004", "leaf2")], [MTU])


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", "[" * 100_000, '{"schema": "roce-audit/baseline/1"}', '{"schema": "x", "findings": []}', "1"],
)
def test_a_baseline_that_is_none(run: Run, repo: Path, text: str) -> None:
    path = repo / "b.json"
    path.write_text(text)
    status, out, err = run("check", "fabric", "--baseline", path)
    assert (status, out) == (2, "")
    assert str(path) in err
    assert err.count("\n") == 1


def test_a_path_that_the_base_has_not_is_told(run: Run, repo: Path) -> None:
    broken(repo)
    git(repo, "mv", "fabric", "net")
    status, report = compared(run, "check", "net", "--base", "main", "--config-from", "head")
    assert (status, len(of_state(report, "new"))) == (1, 2)
    assert any("absent at the base: all its files count as new" in warning["message"] for warning in report["warnings"])
    assert compared(run, "check", ".", "--base", "main", "--config", "net/roce-audit.yaml")[0] == 0


@pytest.mark.parametrize("name", ["..", ".git"])
def test_a_tree_that_no_git_writes(run: Run, repo: Path, tmp_path: Path, name: str) -> None:
    blob = git(repo, "hash-object", "-w", "fabric/leaf1.cfg").strip()
    raw = tmp_path / "raw"
    raw.write_bytes(f"100644 {name}".encode() + b"\0" + bytes.fromhex(blob))
    tree = git(repo, "hash-object", "-t", "tree", "--literally", "-w", str(raw)).strip()
    hostile = git(repo, "commit-tree", "-m", "x", tree).strip()
    status, out, err = run("check", ".", "--base", hostile)
    assert (status, out) == (2, "")
    assert "a path that no file may have" in err


def test_a_lost_object_ends_clearly(run: Run, repo: Path) -> None:
    blob = git(repo, "rev-parse", "HEAD:fabric/leaf1.cfg").strip()
    (repo / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    status, out, err = run("check", "fabric", "--base", "HEAD")
    assert (status, out) == (2, "")
    assert "git lacks the content of this file" in err


def test_options_that_need_each_other(run: Run, repo: Path) -> None:
    assert repo.exists()
    assert run("check", "fabric", "--config-from", "base")[0] == 2
    assert run("check", "fabric", "--base", "main", "--baseline", "x")[0] == 2
    assert run("diff", "-", "fabric")[0] == 2
    assert run("diff", "fabric", "nowhere")[0] == 2
