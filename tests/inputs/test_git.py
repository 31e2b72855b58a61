"""The base of a comparison: hostile repositories, trees and environments forge, run and fill nothing."""

import ast
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from auditor.inputs import git as git_module
from auditor.inputs import gittree
from auditor.inputs.git import NoTree, Objects, TooLarge, find_top, is_tracked, open_repository
from auditor.inputs.gittree import find_tree, write_files

Run = Callable[..., tuple[int, str, str]]
SOUND, BROKEN = b"mtu 9216\n", b"mtu 1500\n"
WHO = ["-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "protocol.file.allow=always"]


def git(folder: Path, *arguments: str, data: bytes = b"") -> str:
    done = subprocess.run(["git", *WHO, *arguments], cwd=folder, capture_output=True, check=True, input=data)
    return os.fsdecode(done.stdout).strip()


def commit(folder: Path) -> str:
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "change")
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the working folder, a repository: `main` is sound, and the commit after it, checked out, is broken."""
    root = tmp_path / "repo"
    (root / "fabric").mkdir(parents=True)
    (root / "fabric" / "leaf1.cfg").write_bytes(SOUND)
    git(root, "init", "-q", "-b", "main")
    commit(root)
    git(root, "checkout", "-q", "-b", "change")
    (root / "fabric" / "leaf1.cfg").write_bytes(BROKEN)
    commit(root)
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def base(tmp_path: Path) -> Callable[..., dict[str, bytes]]:
    """Return what gives the files of a revision, as the audit gets them, by their paths."""
    folders = iter(range(1_000))

    def read(revision: str = "main", path: str = "fabric", repo: str | None = None) -> dict[str, bytes]:
        folder = tmp_path / f"base{next(folders)}"
        folder.mkdir()
        tree = find_tree(revision, repo)
        left = write_files(tree, [tree.locate(path)], folder)
        found = {str(f.relative_to(folder)): f.read_bytes() for f in folder.rglob("*") if f.is_file()}
        return found | {name: f"left: {why}".encode() for name, why in left}

    return read


Base = Callable[..., dict[str, bytes]]
EXPECTED = {"fabric/leaf1.cfg": SOUND}


class Canary:
    """A program that leaves a trace when it runs."""

    def __init__(self, folder: Path) -> None:
        self.trace = folder / "trace"
        self.program = folder / "canary"
        self.program.write_text(f"#!/bin/sh\necho ran >> '{self.trace}'\nexit 1\n")
        self.program.chmod(0o755)

    def has_run(self) -> bool:
        """Return whether the program ran, and forget it."""
        ran = self.trace.exists()
        self.trace.unlink(missing_ok=True)
        return ran


@pytest.fixture
def canary(tmp_path: Path) -> Iterator[Canary]:
    """Return the canary; no test ends with its trace."""
    made = Canary(tmp_path)
    yield made
    assert not made.has_run()


def embed(repo: Path, folder: Path, program: Path) -> None:
    """Lay a repository out in *folder* as five names that git lets anybody commit; its `main` is the broken state."""
    made = repo.parent / "embedded"
    git(repo.parent, "clone", "-q", "--bare", str(repo), str(made))
    git(made, "update-ref", "refs/heads/main", "refs/heads/change")
    for name in ("HEAD", "packed-refs"):
        shutil.copy(made / name, folder)
    for name in ("objects", "refs"):
        shutil.copytree(made / name, folder / name)
    (folder / "refs" / ".keep").touch()
    (folder / "config").write_text(
        "[core]\nrepositoryformatversion = 1\nbare = false\nworktree = ..\n"
        f"fsmonitor = {program}\n[extensions]\npartialClone = evil\n"
        f'[remote "evil"]\nurl = {made}\npromisor = true\nuploadpack = {program}\n'
    )


def test_no_repository_is_found_among_the_audited_files(
    repo: Path, base: Base, canary: Canary, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repo.parent / "control").mkdir()
    control = Canary(repo.parent / "control")
    embed(repo, repo / "fabric", control.program)
    plain = ["git", "-C", str(repo / "fabric"), "cat-file", "-e", "0" * 39 + "1"]
    subprocess.run(plain, check=False, capture_output=True)
    assert control.has_run()  # so would the canary, were that folder the repository
    config = repo / "fabric" / "config"
    config.write_text(config.read_text().replace(str(control.program), str(canary.program)))
    for here in (repo, repo / "fabric", repo / "fabric" / "objects"):
        monkeypatch.chdir(here)
        assert find_tree("main").top == repo
        for path in (repo, repo / "fabric", repo / "fabric" / "leaf1.cfg"):
            for path_given in (str(path), os.path.relpath(path)):
                assert base("main", path_given) == EXPECTED


def test_a_bare_repository_is_none(
    repo: Path, base: Base, canary: Canary, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    embed(repo, repo / "fabric", canary.program)
    alone = repo.parent / "alone"
    shutil.move(repo / "fabric", alone)
    monkeypatch.chdir(alone)
    with pytest.raises(NoTree, match=r"alone: not in the work tree of a git repository.*--repo DIR"):
        base("main", ".")
    assert run("check", ".", "--base", "main")[0] == 2
    git(repo, "config", "core.bare", "true")
    with pytest.raises(NoTree, match="work tree"):
        base("main", str(repo / "fabric"), str(repo))


def list_settings() -> list[str]:
    """Return git's settings that may name a program, a place, or content to believe."""
    listed = subprocess.run(["git", "help", "--config"], capture_output=True, text=True, check=True).stdout.split()
    words = "cmd command program path hook helper editor pager fsmonitor proxy tool filter driver textconv process "
    words += "external gpg ssh askpass pack vcs url worktree include attributes excludes alias remote graph index sign "
    words += "credential template alternate object partialclone promisor trace protocol allow"
    named = [key.replace("<", "").replace(">", "").replace("*", "x") for key in listed if key.count(".") in {1, 2}]
    own = ["filter.x.smudge", "filter.x.clean", "filter.x.process", "diff.x.textconv", "diff.x.command"]
    own += ["extensions.partialClone", "remote.x.promisor", "core.gitProxy", "core.alternateRefsCommand"]
    return sorted({*own, *(key for key in named if any(word in key.lower() for word in words.split()))})


@pytest.mark.long
def test_no_setting_of_the_repository_runs_a_program_or_changes_the_base(
    repo: Path, base: Base, canary: Canary
) -> None:
    """Each setting that names a program or a place names the canary: git may refuse, and never runs or misreads."""
    settings = list_settings()
    assert len(settings) > 150
    (repo / ".gitattributes").write_text("* filter=x diff=x\n")
    commit(repo)
    (repo / CACHE).mkdir()
    config = repo / ".git" / "config"
    before, refused = config.read_text(), []
    for key in settings:
        section, _, name = key.rpartition(".")
        first, _, second = section.partition(".")
        title = f'{first} "{second}"' if second else first
        config.write_text(f"{before}[{title}]\n{name} = {canary.program}\n")
        try:
            assert base() == EXPECTED, key
            is_tracked(Path(), CACHE)
        except NoTree:
            refused.append(key)
        assert not canary.has_run(), key
    config.write_text(before)
    assert len(refused) < len(settings) / 5, refused


CACHE = ".roce-audit-cache"


@pytest.mark.parametrize("ignored", ["", "GIT_NO_LAZY_FETCH", "GIT_ALLOW_PROTOCOL"])
def test_a_missing_object_is_not_fetched(
    repo: Path, base: Base, canary: Canary, monkeypatch: pytest.MonkeyPatch, ignored: str
) -> None:
    """The promisor remote of a partial clone, with each protocol that its configuration allows.

    Each of two variables is enough: an older git ignores the first one.
    """
    known = git_module._ENVIRONMENT
    monkeypatch.setattr(git_module, "_ENVIRONMENT", {name: known[name] for name in known if name != ignored})
    blob = git(repo, "rev-parse", "main:fabric/leaf1.cfg")
    (repo / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    config = repo / ".git" / "config"
    before = config.read_text()
    (repo.parent / "control").mkdir()
    control = Canary(repo.parent / "control")  # its own, as a program may outlive the git that started it

    def configure(url: str, program: Path) -> None:
        config.write_text(
            before.replace("repositoryformatversion = 0", "repositoryformatversion = 1")
            + f"[core]\nsshCommand = {program}\n[extensions]\npartialClone = x\n[protocol]\nallow = always\n"
            + "".join(f'[protocol "{name}"]\nallow = always\n' for name in ("file", "ext", "ssh", "evil"))
            + f'[remote "x"]\nurl = {url}\npromisor = true\nuploadpack = {program}\n'
        )

    for url in (str(repo), f"file://{repo}", "ext::PROGRAM", "ssh://example.invalid/x", "evil::x"):
        configure(url.replace("PROGRAM", str(control.program)), control.program)
        subprocess.run(["git", "cat-file", "-e", blob], check=False, capture_output=True)
        assert control.has_run() or url == "evil::x"
        configure(url.replace("PROGRAM", str(canary.program)), canary.program)
        with pytest.raises(NoTree, match=r"leaf1\.cfg: .*git (lacks the content of this file|cannot read it)"):
            base()
        assert not canary.has_run(), url


def test_replaced_objects_count_for_nothing(repo: Path, base: Base) -> None:
    pairs = [
        [git(repo, "rev-parse", side + what) for side in ("main", "change")]
        for what in ("", "^{tree}", ":fabric", ":fabric/leaf1.cfg")
    ]
    for pair in pairs:
        git(repo, "--no-replace-objects", "replace", *pair)
    assert git(repo, "show", "main:fabric/leaf1.cfg") == BROKEN.decode().strip()
    assert base() == EXPECTED


def test_grafts_count_for_nothing(repo: Path, base: Base) -> None:
    head = git(repo, "rev-parse", "HEAD")
    forged = git(repo, "commit-tree", "-m", "x", "HEAD^{tree}")
    (repo / ".git" / "info").mkdir(exist_ok=True)
    (repo / ".git" / "info" / "grafts").write_text(f"{head} {forged}\n")
    assert git(repo, "rev-parse", "HEAD~1") == forged
    assert base("HEAD~1") == EXPECTED
    assert base("main...") == EXPECTED


def forge(repo: Path, name: str, kind: str, content: bytes, store: Path) -> None:
    """Put an object of other content under the name of one of the repository, which goes."""
    made = git(repo, "hash-object", "-w", "-t", kind, "--literally", "--stdin", data=content)
    objects = repo / ".git" / "objects"
    (objects / name[:2] / name[2:]).unlink()
    (store / name[:2]).mkdir(parents=True, exist_ok=True)
    shutil.move(objects / made[:2] / made[2:], store / name[:2] / name[2:])


@pytest.mark.parametrize("kind", ["commit", "tree", "blob"])
@pytest.mark.parametrize("place", ["own", "alternate", "among the audited files"])
def test_forged_objects_are_refused(repo: Path, base: Base, kind: str, place: str) -> None:
    """An object store, be it the repository's or another one that it borrows from, is believed by the hashes alone."""
    own = repo / ".git" / "objects"
    store = {"own": own, "alternate": repo.parent / "store", "among the audited files": repo / "fabric" / "x"}[place]
    what = {"commit": "main", "tree": "main^{tree}", "blob": "main:fabric/leaf1.cfg"}[kind]
    name, other = git(repo, "rev-parse", what), git(repo, "rev-parse", what.replace("main", "change"))
    content = subprocess.run(["git", "cat-file", kind, other], capture_output=True, check=True).stdout
    forge(repo, name, kind, content, store)
    if store != own:
        (own / "info" / "alternates").write_text(f"{store}\n")
    refusal = "damaged or forged, its content has another hash"
    with pytest.raises(NoTree, match="unknown revision" if kind == "commit" else refusal):  # git reads a commit itself
        base()


def test_borrowed_objects_and_other_checkouts_work(
    repo: Path, base: Base, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What runners and people make of a repository: shared, referenced, shallow, linked and nested checkouts."""
    git(tmp_path, "clone", "-q", "--shared", str(repo), "shared")
    git(tmp_path, "clone", "-q", "--reference", str(repo), f"file://{repo}", "referenced")
    git(tmp_path, "clone", "-q", "--depth", "2", f"file://{repo}", "shallow")
    git(tmp_path, "clone", "-q", "--no-local", "--separate-git-dir", str(tmp_path / "away"), str(repo), "separate")
    git(repo, "worktree", "add", "-q", str(tmp_path / "linked"), "main")
    (tmp_path / "linked" / "fabric" / "leaf2.cfg").write_bytes(BROKEN)
    git(tmp_path, "init", "-q", "outer")
    git(tmp_path / "outer", "submodule", "add", "-q", str(repo), "inner")
    (tmp_path / "link").symlink_to(repo)
    for name in ("shared", "referenced", "shallow", "separate", "linked", "outer/inner", "link", "link/fabric"):
        monkeypatch.chdir(tmp_path / name)
        assert base("main" if name == "linked" else "HEAD~1", str(find_top(Path())) + "/fabric") == EXPECTED, name
        if name != "linked":
            assert base("origin/change..." if "link" not in name else "HEAD...", str(find_top(Path())) + "/fabric") == {
                "fabric/leaf1.cfg": BROKEN
            }
    assert base("HEAD~1", str(tmp_path / "link" / "fabric"), str(tmp_path / "link")) == EXPECTED


def test_a_repository_of_the_other_hash(tmp_path: Path, base: Base, monkeypatch: pytest.MonkeyPatch) -> None:
    git(tmp_path, "init", "-q", "--object-format=sha256", "-b", "main", "r")
    (tmp_path / "r" / "a").write_bytes(SOUND)
    commit(tmp_path / "r")
    monkeypatch.chdir(tmp_path / "r")
    assert base("main", ".") == {"a": SOUND}


def test_a_git_folder_that_leads_elsewhere_is_refused(repo: Path, base: Base, tmp_path: Path) -> None:
    git(repo, "config", "core.worktree", str(tmp_path))
    with pytest.raises(NoTree, match="leads to another repository"):
        base()
    git(repo, "config", "--unset", "core.worktree")
    shutil.move(repo / ".git", repo / "moved")
    (repo / ".git").mkdir()
    with pytest.raises(NoTree, match="not a git repository"):
        base()
    git(tmp_path, "init", "-q")
    with pytest.raises(NoTree, match="leads to another repository"):  # the one around it
        base()


def list_environment(repo: Path, canary: Canary) -> dict[str, str]:
    """Return variables that lead git to another repository, or to programs."""
    made = repo.parent / "other"
    git(repo.parent, "clone", "-q", str(repo), str(made))
    git(made, "update-ref", "refs/heads/main", "HEAD")
    (repo.parent / "grafts").write_text("")
    return {
        "GIT_DIR": f"{made}/.git",
        "GIT_WORK_TREE": str(made),
        "GIT_COMMON_DIR": f"{made}/.git",
        "GIT_INDEX_FILE": f"{made}/.git/index",
        "GIT_OBJECT_DIRECTORY": str(repo / "fabric"),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": str(repo / "fabric"),
        "GIT_NAMESPACE": "x",
        "GIT_PREFIX": "x/",
        "GIT_CEILING_DIRECTORIES": str(repo),
        "GIT_SHALLOW_FILE": f"{made}/.git/HEAD",
        "GIT_GRAFT_FILE": f"{made}/.git/HEAD",
        "GIT_REPLACE_REF_BASE": "refs/heads/",
        "GIT_CONFIG": str(repo / "fabric" / "leaf1.cfg"),
        "GIT_CONFIG_GLOBAL": str(repo / "fabric" / "leaf1.cfg"),
        "GIT_CONFIG_SYSTEM": str(repo / "fabric" / "leaf1.cfg"),
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.worktree",
        "GIT_CONFIG_VALUE_0": str(made),
        "GIT_CONFIG_PARAMETERS": f"'core.worktree'='{made}'",
        "GIT_EXEC_PATH": str(canary.program.parent),
        "GIT_PAGER": str(canary.program),
        "GIT_EXTERNAL_DIFF": str(canary.program),
        "GIT_SSH_COMMAND": str(canary.program),
        "GIT_ASKPASS": str(canary.program),
        "GIT_TRACE": str(repo / "fabric" / "trace"),
        "GIT_TRACE2_EVENT": str(repo / "fabric" / "trace"),
        "GIT_REDIRECT_STDOUT": str(repo / "fabric" / "trace"),
        "LD_PRELOAD": "",
    }


def test_the_environment_decides_nothing(
    repo: Path, base: Base, canary: Canary, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in list_environment(repo, canary).items():
        monkeypatch.setenv(name, value)
    assert base() == EXPECTED
    assert base("HEAD~1", ".") == EXPECTED
    assert not (repo / "fabric" / "trace").exists()


@pytest.mark.usefixtures("repo")
def test_git_gets_a_closed_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A program in git's place prints the environment and the arguments of each call."""
    real, programs, log = shutil.which("git"), tmp_path / "programs", tmp_path / "log"
    programs.mkdir()
    (programs / "git").write_text(f'#!/bin/sh\n{{ env; echo "ARGS $*"; }} >> {log}\nexec {real} "$@"\n')
    (programs / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", "/x")
    monkeypatch.setenv("GIT_X", "x")
    folder = tmp_path / "out"
    folder.mkdir()
    write_files(find_tree("main..."), ["fabric"], folder)
    lines = log.read_text().splitlines()
    names = {line.partition("=")[0] for line in lines if not line.startswith("ARGS ")}
    assert names - {"PWD", "OLDPWD", "SHLVL", "_"} == {
        *git_module._ENVIRONMENT,
        "PATH",
        *({"SUDO_UID"} & {*os.environ}),
    }
    calls = [line for line in lines if line.startswith("ARGS ")]
    assert len(calls) > 5
    for word in (
        "safe.bareRepository=explicit",
        "core.fsmonitor=false",
        "core.hooksPath=/dev/null",
        "protocol.allow=never",
    ):
        assert all(f"-c {word} " in call for call in calls)
    assert {"GIT_NO_REPLACE_OBJECTS", "GIT_NO_LAZY_FETCH", "GIT_CONFIG_NOSYSTEM"} <= names


@pytest.mark.parametrize("path", [".", "", "bin", "ABSOLUTE"])
def test_git_is_no_file_of_the_checkout(
    repo: Path, base: Base, canary: Canary, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    (repo / "bin").mkdir()
    for folder in (repo, repo / "bin"):
        shutil.copy(canary.program, folder / "git")
    before = os.environ["PATH"]
    monkeypatch.setenv("PATH", f"{repo / 'bin' if path == 'ABSOLUTE' else path}:{before}")
    assert base() == EXPECTED
    monkeypatch.chdir(repo.parent)
    shutil.copy(canary.program, repo.parent / "git")
    assert base("main", str(repo / "fabric"), str(repo)) == EXPECTED
    monkeypatch.setenv("PATH", str(repo / "bin"))
    with pytest.raises(NoTree, match="cannot run git"):
        base("main", str(repo / "fabric"), str(repo))


def test_no_other_module_runs_git() -> None:
    root = Path(git_module.__file__).parents[1]
    found = {
        str(path.relative_to(root))
        for path in root.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant) and node.value == "git"
    }
    assert found == {"inputs/git.py"}


def test_attributes_act_on_nothing(repo: Path, base: Base, canary: Canary) -> None:
    (repo / "fabric" / ".gitattributes").write_text(
        "*.cfg filter=x diff=x ident eol=crlf working-tree-encoding=UTF-16\n"
    )
    for key in ("filter.x.smudge", "filter.x.clean", "filter.x.process", "diff.x.textconv", "diff.x.command"):
        git(repo, "config", key, str(canary.program))
    git(repo, "config", "core.autocrlf", "true")
    assert base() == EXPECTED


NAMES = [
    *("line\nend", "ca\rriage", "tab\t", "'single'", '"double"', "-dash", "--output=x", " space ", "\\back"),
    *(":(top)x", "*", "[a]", "~", "$(touch x)", "`x`", "ü", "\x1b[31m", "a" * 255, ".hidden", "HEAD", "con", "x..y"),
]


@pytest.mark.parametrize("name", [*NAMES, os.fsdecode(b"\xff\xfe")], ids=ascii)
def test_names_of_all_kinds(repo: Path, base: Base, name: str) -> None:
    folder = repo / "fabric" / name[:100]
    folder.mkdir()
    (folder / name).write_bytes(SOUND)
    commit(repo)
    expected = {f"fabric/{name[:100]}/{name}": SOUND}
    assert base("HEAD", f"fabric/{name[:100]}") == expected
    assert base("HEAD", f"fabric/{name[:100]}/{name}") == expected
    assert base("HEAD", "fabric") == {"fabric/leaf1.cfg": BROKEN, **expected}


def test_names_that_differ_in_case(repo: Path, base: Base, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of two such files is compared; where the disk takes them for one, the second is told."""
    (repo / "fabric" / "LEAF1.cfg").write_bytes(SOUND)
    commit(repo)
    assert base("HEAD") == {"fabric/leaf1.cfg": BROKEN, "fabric/LEAF1.cfg": SOUND}
    store = gittree._Writer._store
    monkeypatch.setattr(gittree._Writer, "_store", lambda self, path, data: store(self, path.lower(), data))
    assert sorted(value[:5] for value in base("HEAD").values()) == sorted([b"left:"])


def make_tree(repo: Path, *entries: tuple[str, str, str]) -> str:
    data = b"".join(
        f"{mode} ".encode() + os.fsencode(name) + b"\0" + bytes.fromhex(object_name)
        for mode, name, object_name in entries
    )
    return git(repo, "hash-object", "-t", "tree", "--literally", "-w", "--stdin", data=data)


def make_commit(repo: Path, tree: str) -> str:
    return git(repo, "commit-tree", "-m", "x", tree)


@pytest.mark.parametrize("name", ["", ".", "..", ".git", ".GIT", "a/b", "../../x", "/etc/x"])
def test_names_that_no_file_may_have(repo: Path, base: Base, name: str) -> None:
    blob = git(repo, "rev-parse", "main:fabric/leaf1.cfg")
    with pytest.raises(NoTree, match="a path that no file may have"):
        base(make_commit(repo, make_tree(repo, ("100644", name, blob))), ".")


def test_damaged_folders(repo: Path, base: Base) -> None:
    blob = git(repo, "rev-parse", "main:fabric/leaf1.cfg")
    link = git(repo, "hash-object", "-w", "--stdin", data=b"/tmp")
    twice = make_tree(repo, ("120000", "x", link), ("40000", "x", make_tree(repo, ("100644", "y", blob))))
    with pytest.raises(NoTree, match="a path that no file may have"):
        base(make_commit(repo, twice), ".")
    for damaged in (make_tree(repo, ("777", "x", blob)), make_tree(repo, ("100644", "x", blob[:-2]))):
        with pytest.raises(NoTree, match="a damaged folder"):
            base(make_commit(repo, damaged), ".")
    with pytest.raises(NoTree, match="cannot read it as a tree"):
        base(make_commit(repo, make_tree(repo, ("40000", "x", blob))), ".")


@dataclass(frozen=True)
class Store(Objects):
    """Objects by their names, without git."""

    content: dict[str, bytes]

    def read(self, name: str, kind: str, most: int) -> bytes:
        """Return the content of any kind."""
        assert kind in {"tree", "blob"}
        data = self.content.get(name)
        if data is None:
            raise NoTree("missing")
        if len(data) > most:
            raise TooLarge
        return data


MODES = st.sampled_from([b"40000", b"100644", b"120000"])
SOUND_ENTRY = st.tuples(MODES, st.sampled_from([b"a", b"b", b"c", b"A"]), st.integers(1, 5))
HOSTILE_ENTRY = st.tuples(
    st.sampled_from([b"160000", b"777", b"", b"-1", b"40000 x"]),
    st.sampled_from([b"x", b"..", b"-e"]),
    st.integers(0, 5),
) | st.tuples(
    MODES,
    st.sampled_from([b"../x", b"../../x", b"..", b"x/../../y", b".", b"", b".git", b".GiT", b"a/b", b"c\nd", b"\xff"]),
    st.integers(0, 5),
)


FLAT = [[(b"100644", b"a", 1)]] * 6


@example(FLAT, (0, (b"100644", b"../x", 1)), None, [b"a"] * 6)
@example(FLAT, (0, (b"40000", b"..", 1)), None, [b"a"] * 6)
@example(FLAT, (0, (b"120000", b"x/../../y", 1)), None, [b".."] * 6)
@given(
    trees=st.lists(st.lists(SOUND_ENTRY, min_size=1, max_size=3, unique_by=lambda e: e[1]), min_size=6, max_size=6),
    hostile=st.none() | st.tuples(st.integers(0, 1), HOSTILE_ENTRY),
    cut=st.none() | st.tuples(st.integers(0, 5), st.integers(1, 60)),
    links=st.lists(st.sampled_from([b"a", b"..", b"../..", b"/etc/passwd", b"a/b", b"", b"."]), min_size=6, max_size=6),
)
def test_any_tree_stays_in_its_folder(
    trees: list[list[tuple[bytes, bytes, int]]],
    hostile: tuple[int, tuple[bytes, bytes, int]] | None,
    cut: tuple[int, int] | None,
    links: list[bytes],
) -> None:
    """Whatever a tree holds, cut anywhere, nothing is written outside of the folder, or through a link."""
    if hostile is not None:
        trees = [[*entries, *([hostile[1]] * (n == hostile[0]))] for n, entries in enumerate(trees)]
    names = [f"{number:02x}" * 20 for number in range(6)]
    content = {
        name: b"".join(mode + b" " + part + b"\0" + bytes.fromhex(names[at]) for mode, part, at in entries)
        for name, entries in zip(names, trees, strict=True)
    }
    if cut is not None:
        content[names[cut[0]]] = content[names[cut[0]]][: -cut[1]]
    blobs = dict(zip(names, links, strict=True))

    class Mixed(Store):
        def read(self, name: str, kind: str, most: int) -> bytes:
            return blobs[name] if kind == "blob" else super().read(name, kind, most)

    with tempfile.TemporaryDirectory() as scratch, pytest.MonkeyPatch.context() as patch:
        patch.setattr(gittree, "MAX_FILES", 60)
        folder = Path(scratch, "inner", "folder")
        folder.mkdir(parents=True)
        writer = gittree._Writer(Mixed(content), folder, names[0])
        with suppress(NoTree, TooLarge):
            for path in (b"", b"a", b"a/b", b"b/a"):
                writer.add(tuple(filter(None, path.split(b"/"))))
        writer.write_links()
        outside = [path for path in Path(scratch).rglob("*") if not path.is_relative_to(folder)]
        assert outside == [folder.parent]
        assert [path for path in folder.iterdir() if path.name.lower() == ".git"] == []
        real = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
        assert all(os.path.realpath(path) == str(path) for path in real)


def test_a_bomb_of_folders_is_refused(repo: Path, base: Base, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gittree, "MAX_FILES", 2_000)
    tree = make_tree(repo, ("100644", "x", git(repo, "rev-parse", "main:fabric/leaf1.cfg")))
    for _ in range(10):
        tree = make_tree(repo, *(("40000", f"{n}", tree) for n in range(10)))
    with pytest.raises(NoTree, match="more than 2000 files and folders"):
        base(make_commit(repo, tree), ".")


def test_a_deep_folder_ends_clearly(repo: Path, run: Run) -> None:
    tree = make_tree(repo, ("100644", "x", git(repo, "rev-parse", "main:fabric/leaf1.cfg")))
    for _ in range(3_000):
        tree = _nest(repo, tree)
    status, _, err = run("check", ".", "--base", make_commit(repo, tree))
    assert status == 2
    assert "a path of more than" in err


def _nest(repo: Path, tree: str) -> str:
    """Return a folder that holds *tree*, without starting git."""
    data = b"40000 d\0" + bytes.fromhex(tree)
    whole = b"tree %d\0" % len(data) + data
    name = hashlib.sha1(whole, usedforsecurity=False).hexdigest()
    path = repo / ".git" / "objects" / name[:2] / name[2:]
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(zlib.compress(whole))
    return name


def test_size_has_limits(repo: Path, base: Base, monkeypatch: pytest.MonkeyPatch) -> None:
    (repo / "fabric" / "big.cfg").write_bytes(b"x" * 3_000_000)
    commit(repo)
    monkeypatch.setattr(gittree, "MAX_DUMP_BYTES", 2**21)
    assert base("HEAD")["fabric/big.cfg"] == b"left: larger than 2 MiB; not compared"
    monkeypatch.setattr(gittree, "MAX_TOTAL_BYTES", 2**20)
    monkeypatch.setattr(gittree, "MAX_DUMP_BYTES", 2**22)
    with pytest.raises(NoTree, match="more than 1 MiB below the given paths"):
        base("HEAD")
    monkeypatch.setattr(gittree, "MAX_TREE_BYTES", 10)
    with pytest.raises(NoTree, match="an object of more than 10 bytes"):
        base("HEAD")


@pytest.mark.usefixtures("repo")
@pytest.mark.parametrize("batch", [False, True])
def test_time_has_limits(base: Base, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *, batch: bool) -> None:
    """A git that never answers is ended, and with it what it started."""
    real, programs, log = shutil.which("git"), tmp_path / "programs", tmp_path / "pids"
    programs.mkdir()
    waits = 'case "$*" in *cat-file*) ;; *) exec REAL "$@";; esac\n' if batch else ""
    text = f"#!/bin/sh\n{waits}sleep 1000 & echo $! >> {log}\necho $$ >> {log}\nwait\n"
    (programs / "git").write_text(text.replace("REAL", str(real)))
    (programs / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    monkeypatch.setattr(git_module, "MAX_READ_S" if batch else "MAX_CALL_S", 1)
    with pytest.raises(NoTree, match="within 1 s"):
        base()
    pids = [int(line) for line in log.read_text().split()]
    assert len(pids) >= 2
    end = time.monotonic() + 20
    while any(is_running(pid) for pid in pids):
        assert time.monotonic() < end
        time.sleep(0.05)


def is_running(pid: int) -> bool:
    """Return whether a process is there that does more than wait to be forgotten."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def test_symlinked_folders(repo: Path, base: Base) -> None:
    (repo / "sites").mkdir()
    shutil.move(repo / "fabric", repo / "sites" / "a")
    (repo / "fabric").symlink_to("sites/a")
    (repo / "again").symlink_to("./sites/../fabric")
    (repo / "loop").symlink_to("loop")
    (repo / "out").symlink_to("../..")
    commit(repo)
    for path in ("fabric", "again", "fabric/leaf1.cfg", "sites/a"):
        assert base("HEAD", path)["sites/a/leaf1.cfg"] == BROKEN, path
    assert base("HEAD", "loop") == {}
    with pytest.raises(NoTree, match="outside of the repository"):
        base("HEAD", "out")


def test_a_folder_that_became_a_symlink_is_compared_with_itself(repo: Path, base: Base) -> None:
    """A change must not choose what it is compared with by a symlink in place of the audited folder."""
    (repo / "clean").mkdir()
    (repo / "clean" / "leaf2.cfg").write_bytes(SOUND)
    (repo / "fabric" / "leaf1.cfg").unlink()
    (repo / "fabric").rmdir()
    (repo / "fabric").symlink_to("clean")
    assert base("main", "fabric") == EXPECTED
    assert base("main", "./fabric/.") == EXPECTED
    assert base("main", str(repo / "fabric")) == EXPECTED


def test_nested_repositories_and_submodules(
    repo: Path, base: Base, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    git(tmp_path, "clone", "-q", str(repo), "other")
    git(repo, "submodule", "add", "-q", str(tmp_path / "other"), "fabric/sub")
    git(repo, "init", "-q", "fabric/nested")
    head = git(repo, "write-tree")
    assert base(make_commit(repo, head), "fabric") == {
        "fabric/leaf1.cfg": BROKEN,
        "fabric/sub": b"left: a submodule; its files are not compared",
    }
    for inner in ("fabric/sub", "fabric/sub/fabric", "fabric/nested"):
        with pytest.raises(NoTree, match="run in the inner one, or give it with --repo DIR"):
            base("HEAD", inner)
    assert base("HEAD", "fabric/sub/fabric", "fabric/sub") == {"fabric/leaf1.cfg": BROKEN}
    monkeypatch.chdir(repo / "fabric" / "sub")
    with pytest.raises(NoTree, match="outside of the repository"):
        base("HEAD", "..")


def test_a_name_of_several_refs_is_refused(repo: Path, base: Base) -> None:
    """A tag or a branch that anybody may push hides the branch that is meant."""
    git(repo, "update-ref", "refs/remotes/origin/main", "main")
    assert base("origin/main") == EXPECTED
    for hidden in ("refs/tags/origin/main", "refs/heads/origin/main"):
        git(repo, "update-ref", hidden, "HEAD")
        for revision in ("origin/main", "origin/main...", "origin/main~0"):
            with pytest.raises(NoTree, match="several refs have this name"):
                base(revision)
        assert base("refs/remotes/origin/main") == EXPECTED
        git(repo, "update-ref", "-d", hidden)
    name = git(repo, "rev-parse", "main")
    git(repo, "update-ref", f"refs/tags/{name}", "HEAD")
    assert base(name) == EXPECTED


def test_a_branch_point(repo: Path, base: Base) -> None:
    git(repo, "checkout", "-q", "main")
    (repo / "fabric" / "leaf9.cfg").write_bytes(SOUND)
    commit(repo)
    git(repo, "checkout", "-q", "change")
    assert base("main...") == EXPECTED
    assert len(base("main")) == 2
    git(repo, "checkout", "-q", "--orphan", "other")
    commit(repo)
    with pytest.raises(NoTree, match="no common ancestor with HEAD"):
        base("main...")
    with pytest.raises(NoTree, match="unknown revision"):
        base("nope...")
    for wrong in ("...", "-x...", "main..change", "a b..."):
        with pytest.raises(NoTree, match="--base"):
            base(wrong)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_the_checkout_of_another_user(repo: Path, base: Base, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It is refused until the user's own configuration, and no other, names the folder."""
    for path in (repo, *repo.rglob("*")):
        os.chown(path, 12_345, 12_345, follow_symlinks=False)
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.delenv("SUDO_UID", raising=False)
    with pytest.raises(NoTree, match=r"dubious ownership.*git config --global --add safe\.directory"):
        base()
    setting = f"[safe]\ndirectory = {repo}\n[core]\nworktree = /\n"
    (repo / ".gitconfig").write_text(setting)
    monkeypatch.setenv("HOME", str(repo))
    with pytest.raises(NoTree, match="dubious ownership"):
        base()
    monkeypatch.setenv("HOME", str(home))
    (home / ".gitconfig").write_text(setting)
    assert base() == EXPECTED


def test_the_question_for_the_cache_runs_nothing(repo: Path, canary: Canary) -> None:
    """`check` asks it in any folder, be it one that came with a repository of its own."""
    (repo / CACHE).mkdir()
    (repo / CACHE / "x").touch()
    git(repo, "config", "core.fsmonitor", str(canary.program))
    subprocess.run(["git", "ls-files", CACHE], check=True, capture_output=True)
    assert canary.has_run()
    assert not is_tracked(Path(), CACHE)
    git(repo, "add", "-f", CACHE)
    assert canary.has_run()
    assert is_tracked(Path(), CACHE)
    assert open_repository(Path("fabric")).top == repo


def test_a_file_or_folder_that_the_base_has_not(repo: Path, base: Base) -> None:
    (repo / "new").mkdir()
    for path in ("new", "fabric/leaf1.cfg/x", "fabric/none/x", "none"):
        assert base("main", path) == {}
    assert sys.getrecursionlimit() < 3_000  # what the deep folder shows
