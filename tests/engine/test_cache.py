"""What is kept between runs: never believed unless it is our own, never in the way, and never seen in a report."""

import contextlib
import hmac
import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import auditor
from auditor.engine import cache
from auditor.engine.cache import KEY, Cache, UnusableCache, compute_digest, open_cache
from auditor.engine.child import Bounds
from auditor.engine.result import Notice
from auditor.engine.workers import Work
from auditor.inputs.filenames import CACHE_FOLDER
from auditor.inputs.snapshot import DeviceUnit
from auditor.report.formats import FORMATS

from .settings import INTENT, make_rule

Run = Callable[..., tuple[int, str, str]]
ROOT = Path(__file__).parents[2]
FABRIC = ROOT / "fixtures" / "fabric-mixed"
SECRET = b"k" * 32
NAME, OTHER = compute_digest("a"), compute_digest("b")
LEAF = """\
hostname leaf{number}
feature lldp
snmp-server community hunter2community group network-operator
username admin password 5 $5$hunter2hash$x role network-admin
interface Ethernet1/1
  description spine1
  no switchport
  mtu 9100
  service-policy type qos input NOWHERE
  no shutdown
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a working folder with two switches in `configs`, and let there be a cache and a key of one's own."""
    folder = tmp_path / "work"
    (folder / "configs").mkdir(parents=True)
    for number in (1, 2):
        (folder / "configs" / f"leaf{number}.cfg").write_text(LEAF.format(number=number))
    monkeypatch.chdir(folder)
    monkeypatch.delenv(KEY)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return folder


def stores(here: Path) -> list[Path]:
    return sorted((here / CACHE_FOLDER).glob("results-*.sqlite3"))


def entries(here: Path) -> dict[str, bytes]:
    """Return the rows of the cache, each with its signature in front."""
    found: dict[str, bytes] = {}
    for path in stores(here):
        with contextlib.closing(sqlite3.connect(path)) as store:
            found |= dict(store.execute("SELECT name, signed FROM results"))
    return found


def texts(here: Path) -> dict[str, str]:
    return {name: zlib.decompress(signed[32:]).decode() for name, signed in entries(here).items()}


def get(kept: Cache, name: str) -> str | None:
    return dict(kept.recall([name])).get(name)


def store_all(kept: Cache, told: Mapping[str, str]) -> None:
    for name, text in told.items():
        kept.put(name, text)
    kept.close()


def git(folder: Path, *arguments: str) -> None:
    who = ["-c", "user.name=n", "-c", "user.email=e@example.org"]
    subprocess.run(["git", *who, *arguments], cwd=folder, capture_output=True, check=True)


def nothing_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make whatever parses or judges a dump fail."""

    def never(*_: object, **__: object) -> None:
        raise AssertionError("worked out again")

    for name in (
        "engine.load.read_device",
        "inputs.detection.identify_file",
        "engine.check.check_device",
        "engine.check.check_whole",
    ):
        monkeypatch.setattr(f"auditor.{name}", never)


@pytest.mark.children
def test_what_did_not_change_is_not_read_again(run: Run, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = run("check", "configs", "--jobs", "1")
    assert first[0] == 1
    assert len(entries(here)) == 11
    nothing_is_read(monkeypatch)
    assert run("check", "configs", "--jobs", "1") == first
    assert run("check", "configs", "--jobs", "7") == first


def test_another_process_adds_nothing(here: Path) -> None:
    """An address in memory, which another process does not have, would make each key new."""
    command = [sys.executable, "-m", "auditor.cli", "check", "configs"]
    first = subprocess.run(command, capture_output=True, env=python_path(), check=False)
    before = entries(here)
    for more in ([], ["--jobs", "2"]):
        again = subprocess.run([*command, *more], capture_output=True, env=python_path(), check=False)
        assert (again.stdout, again.returncode) == (first.stdout, first.returncode)
        assert entries(here) == before


def test_what_changed_alone_is_read_again(run: Run, here: Path) -> None:
    run("check", "configs", "--jobs", "1")
    before = entries(here)
    leaf = here / "configs" / "leaf1.cfg"
    leaf.write_text(leaf.read_text().replace("NOWHERE", "ELSEWHERE"))
    status, out, _ = run("check", "configs", "--jobs", "1")
    assert (status, "ELSEWHERE" in out, "NOWHERE" in out) == (1, True, True)
    assert len(entries(here)) == len(before) + 8
    assert run("check", "configs", "--jobs", "1", "--no-cache")[1] == out


@pytest.mark.parametrize(
    "change",
    [
        {"configs/roce-audit.yaml": INTENT},
        {"configs/roce-audit.yaml": INTENT + "rules: {CLS004: {level: note}}\n"},
        {"configs/roce-audit.yaml": INTENT + "cable_length_m: 70\n"},
        {"configs/roce-audit.yaml": INTENT + "ignore: [{rule: CLS004, reason: not now}]\n"},
        {"configs/roce-audit.yaml": INTENT + 'cables: [{between: ["leaf*", "leaf*"], length_m: 7}]\n'},
        {"rules/own.yaml": make_rule(9214)},
        {"configs/leaf3.cfg": LEAF.format(number=1)},
        {"configs/leaf1.cfg": "! roce-audit: ignore[CLS004] not now\n" + LEAF.format(number=1)},
    ],
)
def test_whatever_else_the_result_depends_on_counts(run: Run, here: Path, change: dict[str, str]) -> None:
    (here / "rules").mkdir()
    (here / "rules" / "own.yaml").write_text(make_rule(1000))
    command = ("check", "configs", "--rules", "rules", "--format", "json", "--open", "--ignored")
    run(*command)
    for name, text in change.items():
        (here / name).write_text(text)
    kept, again, anew = run(*command), run(*command), run(*command, "--no-cache")
    assert kept == again == anew


def test_another_program_believes_nothing(run: Run, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("check", "configs")
    before = len(entries(here))
    monkeypatch.setattr("auditor.util.build_id.fingerprint", lambda: "another")
    run("check", "configs")
    assert len(entries(here)) == 2 * before


def test_no_cache_keeps_nothing(run: Run, here: Path, tmp_path: Path) -> None:
    kept = run("check", "configs", "--no-cache")
    assert not (here / CACHE_FOLDER).exists()
    assert not (tmp_path / "state").exists()
    assert run("check", "configs") == kept


@pytest.mark.usefixtures("here")
def test_other_commands_share_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    anew = [run(command, "configs", "--no-cache") for command in ("show", "intent")]
    run("check", "configs")
    nothing_is_read(monkeypatch)
    assert [run(command, "configs") for command in ("show", "intent")] == anew


def test_the_folder_is_private_and_nothing_for_git(run: Run, here: Path, tmp_path: Path) -> None:
    git(here, "init", "-q")
    run("check", "configs")
    assert {path.stat().st_mode & 0o777 for path in (here / CACHE_FOLDER).iterdir()} == {0o600}
    assert (here / CACHE_FOLDER).stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "state" / "roce-audit" / "cache-key").stat().st_mode & 0o777 == 0o600
    git(here, "add", "-A")
    tracked = subprocess.run(["git", "ls-files"], cwd=here, capture_output=True, text=True, check=True).stdout
    assert tracked.split() == ["configs/leaf1.cfg", "configs/leaf2.cfg"]


def test_it_is_no_part_of_what_is_audited(run: Run, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(here / "configs")
    first = run("check", ".")
    assert entries(here / "configs")
    assert CACHE_FOLDER not in first[1]
    assert run("check", ".") == first == run("check", ".", "--no-cache")


def test_secrets_are_not_kept(run: Run, here: Path) -> None:
    run("check", "configs")
    told = "".join(texts(here).values())
    assert "leaf1" in told
    assert "hunter2" not in told


def test_a_result_that_shows_a_secret_is_not_kept(tmp_path: Path) -> None:
    """Messages are redacted where they are shown, so that a report may hold one."""
    kept = Cache(tmp_path, SECRET)
    work = Work(Bounds(1, 64), cache=kept)
    work.keep(NAME, Notice("snmp-server community hunter2community"), Notice)
    work.keep(OTHER, Notice("no fault"), Notice)
    work.close()
    assert dict(kept.recall([NAME, OTHER])).keys() == {OTHER}
    assert work.recall(OTHER, Notice) == Notice("no fault")


def truncated(_: str, signed: bytes) -> bytes:
    return signed[:-1]


def emptied(_: str, signed: bytes) -> bytes:
    return signed[:0]


def flipped(_: str, signed: bytes) -> bytes:
    return signed[:-1] + bytes([signed[-1] ^ 1])


def foreign(name: str, signed: bytes) -> bytes:
    return hmac.digest(b"x" * 32, name.encode() + b"\0" + signed[32:], "sha256") + signed[32:]


def of_another_name(_: str, signed: bytes) -> bytes:
    return hmac.digest(SECRET, OTHER.encode() + b"\0" + signed[32:], "sha256") + signed[32:]


def not_packed(name: str, _: bytes) -> bytes:
    return hmac.digest(SECRET, name.encode() + b"\0plain", "sha256") + b"plain"


def a_number(*_: object) -> int:
    return 7


def a_text(*_: object) -> str:
    return "text"


def too_long(_: str, signed: bytes) -> bytes:
    return signed + bytes(cache.MAX_ENTRY_BYTES + 2**20)


Change = Callable[[str, bytes], object]
CHANGES = (truncated, emptied, flipped, foreign, of_another_name, not_packed, a_number, a_text, too_long)


def change_rows(folder: Path, change: Change) -> None:
    for path in folder.glob("results-*.sqlite3"):
        with contextlib.closing(sqlite3.connect(path)) as store, store:
            for name, signed in store.execute("SELECT name, signed FROM results").fetchall():
                store.execute("UPDATE results SET signed = ? WHERE name = ?", (change(name, signed), name))


@pytest.mark.parametrize("change", CHANGES)
def test_a_row_that_is_not_our_own_is_none(change: Change, tmp_path: Path) -> None:
    kept = Cache(tmp_path, SECRET)
    store_all(kept, {NAME: "text"})
    assert get(kept, NAME) == "text"
    kept.close()
    change_rows(tmp_path, change)
    assert get(kept, NAME) is None
    store_all(kept, {NAME: "text"})
    assert get(kept, NAME) == "text"


@pytest.mark.parametrize("change", CHANGES)
def test_the_result_is_right_whatever_became_of_the_rows(run: Run, here: Path, change: Change) -> None:
    right = run("check", "configs")
    change_rows(here / CACHE_FOLDER, change)
    assert run("check", "configs") == right
    assert run("check", "configs") == right


def test_what_is_signed_and_makes_no_sense_is_read_again(run: Run, here: Path, tmp_path: Path) -> None:
    right = run("check", "configs")
    key = (tmp_path / "state" / "roce-audit" / "cache-key").read_bytes()
    store_all(Cache(here / CACHE_FOLDER, key), dict.fromkeys(entries(here), "[[],[],[],0]"))
    assert run("check", "configs") == right


OUTCOME, REPORT = "PartOutcome", "Report"


def of_kind(here: Path, kind: str) -> dict[str, str]:
    """Return the entries that hold the findings on a device, or a report."""
    return {
        name: text
        for name, text in texts(here).items()
        if kind in {each.split()[0] for each in json.loads(text.partition("\n")[0])[0]}
    }


@pytest.mark.parametrize("kind", [OUTCOME, REPORT])
def test_a_change_cannot_bring_its_own_results(run: Run, here: Path, tmp_path: Path, kind: str) -> None:
    """Whoever has the program can make entries that call a bad configuration good; without the key they are none."""
    right = run("check", "configs")
    bad, reports = of_kind(here, kind), of_kind(here, REPORT)
    for path in (here / "configs").iterdir():
        path.write_text(path.read_text().replace("  service-policy type qos input NOWHERE\n", ""))
    assert run("check", "configs")[0] == 0
    new = [text for name, text in of_kind(here, kind).items() if name not in bad]
    good = max(new, key=len)  # of a device, not of links
    for number in (1, 2):
        (here / "configs" / f"leaf{number}.cfg").write_text(LEAF.format(number=number))
    key = (tmp_path / "state" / "roce-audit" / "cache-key").read_bytes()
    store_all(Cache(here / CACHE_FOLDER, key), dict.fromkeys(reports, "damaged") | dict.fromkeys(bad, good))
    assert run("check", "configs")[0] == 0
    change_rows(here / CACHE_FOLDER, foreign)
    assert run("check", "configs")[0] == 1
    assert run("check", "configs") == right


IGNORE = "ignore: [{rule: CLS004, reason: not now, expires: 2026-06-30}]\n"


@pytest.mark.parametrize(
    ("options", "others"),
    [
        ((), ("--infer",)),
        ((), ("--os", "cisco_nxos")),
        ((), ("--links", "links.yaml")),
        ((), ("--config", "other.yaml")),
        ((), ("--baseline", "known.json")),
        (("--baseline", "known.json"), ("--baseline", "none.json")),
        ((), ("--earlier", "before")),
        ((), ("--suggest",)),
        ((), ("--config-from", "head")),
    ],
)
def test_a_report_is_that_of_its_options(run: Run, here: Path, options: Sequence[str], others: Sequence[str]) -> None:
    (here / "configs" / "roce-audit.yaml").write_text(INTENT)
    (here / "other.yaml").write_text(INTENT + "rules: {CLS004: {level: note}}\n")
    (here / "links.yaml").write_text("links:\n  - [leaf1 Ethernet1/1, leaf2 Ethernet1/1]\n")
    (here / "before").mkdir()
    (here / "before" / "leaf1.cfg").write_text(LEAF.format(number=1))
    run("check", "configs", "--write-baseline", "known.json", "--no-cache")
    text = json.loads((here / "known.json").read_text())
    (here / "none.json").write_text(json.dumps(text | {"findings": []}))
    both = [("check", "configs", "--format", "json", "--open", "--ignored", *each) for each in (options, others)]
    right = [run(*each, "--no-cache") for each in both]
    assert [run(*each) for each in (*both, *both)] == [*right, *right]


def test_a_report_is_that_of_its_day(run: Run, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "configs" / "roce-audit.yaml").write_text(INTENT + IGNORE)
    for day, status in ((date(2026, 6, 30), 0), (date(2026, 7, 1), 1), (date(2026, 6, 30), 0)):
        for module in ("sides", "rehearsal", "audit"):
            monkeypatch.setattr(f"auditor.engine.{module}.today", lambda day=day: day)
        assert run("check", "configs")[0] == status


@pytest.mark.parametrize("kind", FORMATS)
def test_a_report_that_was_kept_reads_the_same(run: Run, here: Path, kind: str) -> None:
    """Findings, causes with remedies, costs and counters are those of the first run, and are not worked out again."""
    options = ("check", FABRIC, ROOT / "fixtures" / "fabric", "--format", kind, "--all", "--statistics", "--open")
    anew = run(*options, "--no-cache")
    assert run(*options) == anew
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("auditor.engine.rehearsal.judge_joined", None)
        patch.setattr("auditor.engine.audit.add_causes", None)
        assert run(*options) == anew
    assert here.is_dir()


@pytest.mark.children
@pytest.mark.parametrize("step", ["engine.load.read_device", "engine.check.check_device", "engine.check.check_whole"])
def test_a_report_that_lacks_something_is_not_kept(run: Run, here: Path, step: str) -> None:
    """A device that is lost to a slow machine is there the next time."""
    right = run("check", "configs", "--no-cache")

    def lose(*_: object) -> None:
        os._exit(7)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(f"auditor.{step}", lose)
        assert run("check", "configs")[0] == 2
    assert not of_kind(here, REPORT)
    assert run("check", "configs") == right


def test_a_report_without_a_step_is_not_kept(run: Run, here: Path) -> None:
    right = run("check", "configs", "--no-cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("auditor.engine.build.list_unseen", None)
        assert run("check", "configs")[0] == 2
    assert run("check", "configs") == right
    assert here.is_dir()


def test_who_runs_a_command_counts(run: Run, here: Path) -> None:
    """The prompt is no line of an output."""
    host = here / "configs" / "host.txt"
    for name in ("gpu1", "gpu2"):
        host.write_text(f"root@{name}:~# ibdev2netdev\nmlx5_0 port 1 ==> eth0 (Up)\n")
        assert run("show", "configs") == run("show", "configs", "--no-cache")


@pytest.mark.parametrize("tracked", ["an entry", "a symlink"])
def test_a_cache_that_git_tracks_is_not_used(
    run: Run, here: Path, tmp_path: Path, tracked: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = run("check", "configs")
    git(here, "init", "-q")
    if tracked == "a symlink":
        (here / CACHE_FOLDER).rename(tmp_path / "elsewhere")
        (here / CACHE_FOLDER).symlink_to(tmp_path / "elsewhere")
    git(here, "add", "-Af", CACHE_FOLDER)
    monkeypatch.setattr(Cache, "recall", None)
    monkeypatch.setattr(Cache, "put", None)
    status, out, err = run("check", "configs")
    assert (status, out) == right[:2]
    assert err.startswith(f"roce-audit: {CACHE_FOLDER} is unused: ")
    assert err.count("\n") == 1


def test_a_file_in_the_place_of_the_folder(run: Run, here: Path) -> None:
    right = run("check", "configs", "--no-cache")
    (here / CACHE_FOLDER).write_text("")
    status, out, err = run("check", "configs")
    assert (status, out) == right[:2]
    assert "not a folder" in err


def environment(tmp_path: Path) -> dict[str, str]:
    return {"XDG_STATE_HOME": str(tmp_path / "state")}


def test_the_key(here: Path, tmp_path: Path) -> None:
    path = tmp_path / "state" / "roce-audit" / "cache-key"
    assert open_cache(environment(tmp_path))
    made = path.read_bytes()
    assert len(made) == 32
    assert open_cache(environment(tmp_path))
    assert path.read_bytes() == made
    path.chmod(0o644)
    assert open_cache(environment(tmp_path)) is None
    path.chmod(0o600)
    path.write_bytes(made[:16])
    assert open_cache(environment(tmp_path)) is None
    path.unlink()
    path.symlink_to(here / "configs" / "leaf1.cfg")
    assert open_cache(environment(tmp_path)) is None


def test_a_key_inside_of_the_repository_is_none(here: Path) -> None:
    assert open_cache({"HOME": str(here)})
    git(here, "init", "-q")
    assert open_cache({"HOME": str(here)}) is None
    (here / "way").symlink_to(here)
    assert open_cache({"HOME": str(here / "way")}) is None


@pytest.mark.parametrize("given", [{}, {"HOME": ""}, {"HOME": "home"}, {"XDG_STATE_HOME": "/proc"}, {KEY: "x" * 31}])
def test_without_a_key_nothing_is_kept(here: Path, given: dict[str, str]) -> None:
    assert here.is_dir()
    assert open_cache(given) is None


def test_a_key_from_the_environment(here: Path) -> None:
    one, other = open_cache({KEY: "x" * 32}), open_cache({KEY: "y" * 32})
    assert one
    assert other
    store_all(one, {NAME: "text"})
    assert (get(one, NAME), get(other, NAME)) == ("text", None)
    store_all(other, {NAME: "other"})
    assert (get(one, NAME), get(other, NAME)) == ("text", "other")
    assert len(stores(here)) == 2


def test_digests() -> None:
    many = [("ab",), ("a", "b"), (["a", "b"],), (["a\r", "b"],), (["a"], ["b"]), ("",), ([],), ([""],), ("", ""), ()]
    assert len({compute_digest(*parts) for parts in many}) == len(many)
    assert compute_digest("\ud800") != compute_digest("?")


def make_old(folder: Path, ages: Mapping[str, int]) -> None:
    for path in folder.glob("results-*.sqlite3"):
        with contextlib.closing(sqlite3.connect(path)) as store, store:
            for name, age in ages.items():
                store.execute("UPDATE results SET used = ? WHERE name = ?", (int(time.time()) - age, name))


def test_the_oldest_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MAX_BYTES", 40_000)
    kept = Cache(tmp_path, SECRET)
    names = [compute_digest(str(number)) for number in range(8)]
    store_all(kept, {name: os.urandom(1000).hex() for name in names[:6]})
    make_old(tmp_path, {name: 100 * age for age, name in enumerate(names)})
    store_all(kept, {name: os.urandom(1000).hex() for name in names[6:]})
    found = dict(kept.recall(names))
    assert found.keys() == {*names[:4], *names[6:]}


def test_what_is_no_longer_of_use_is_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MAX_BYTES", 50_000)
    store_all(Cache(tmp_path, b"o" * 32), {NAME: os.urandom(40_000).hex()})
    (other,) = tmp_path.glob("results-*")
    former = compute_digest("of a release with a file for each entry")
    for name, age in (("writing-" + "0" * 16, 4000), ("writing-" + "1" * 16, 60), ("notes.txt", 9000), (former, 5)):
        (tmp_path / name).write_text("x" * 6000)
        os.utime(tmp_path / name, (time.time() - age,) * 2)
    kept = Cache(tmp_path, SECRET)
    store_all(kept, {NAME: "text"})
    left = {path.name for path in tmp_path.iterdir()}
    assert left >= {"notes.txt", "writing-" + "1" * 16}
    assert not left & {other.name, former, "writing-" + "0" * 16}
    assert get(kept, NAME) == "text"


def test_what_is_used_is_not_among_the_oldest(tmp_path: Path) -> None:
    kept = Cache(tmp_path, SECRET)
    store_all(kept, {NAME: "text"})
    make_old(tmp_path, {NAME: 10**6})
    assert get(kept, NAME) == "text"
    kept.close()
    (path,) = tmp_path.glob("results-*.sqlite3")
    with contextlib.closing(sqlite3.connect(path)) as store:
        ((used,),) = store.execute("SELECT used FROM results")
    assert time.time() - used < 60


def test_a_folder_that_cannot_be_written(run: Run, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even root makes folders in /proc."""
    configs = here / "configs"
    right = run("check", configs, "--no-cache")
    monkeypatch.chdir("/proc")
    assert run("check", configs) == right
    monkeypatch.setenv("XDG_STATE_HOME", "/proc/1")
    assert run("check", configs) == right


def program(*options: str) -> list[str]:
    return [sys.executable, "-m", "auditor.cli", "check", str(FABRIC), *options]


def python_path() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}


@pytest.mark.parametrize("most", [64, 3000])  # a library makes a semaphore, which takes 32 bytes
def test_a_disk_that_is_full(here: Path, most: int) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    def checked(*options: str, preexec: Callable[[], None] | None = None) -> tuple[int, bytes, bytes]:
        done = subprocess.run(
            program(*options),
            capture_output=True,
            env={**python_path(), KEY: "k" * 32, "PYTHONDONTWRITEBYTECODE": "1"},
            preexec_fn=preexec,
            check=False,
        )
        return done.returncode, done.stdout, done.stderr

    assert checked(preexec=limit) == checked("--no-cache")
    assert not list((here / CACHE_FOLDER).glob("writing-*"))


def test_two_gates_at_once(here: Path) -> None:
    right = subprocess.run(program("--no-cache"), capture_output=True, env=python_path(), check=False)
    options = ("1", "2", "2", "1")
    started = [
        subprocess.Popen(program("--jobs", n), stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=python_path())
        for n in options
    ]
    for each in started:
        assert each.communicate() == (right.stdout, right.stderr)
    assert entries(here)
    assert not list((here / CACHE_FOLDER).glob("writing-*"))


WRITER = """
import sys
from pathlib import Path
from auditor.engine.cache import Cache, compute_digest
kept = Cache(Path("."), b"k" * 32)
print("on", flush=True)
for round in range(10**9):
    for number in range(4):
        kept.put(compute_digest(str(number)), f"{number} {round} " * 200_000)
        kept.flush()
"""


def test_killed_while_it_writes(tmp_path: Path) -> None:
    kept = Cache(tmp_path, SECRET)
    names = {compute_digest(str(number)): str(number) for number in range(4)}
    found = 0
    for turn in range(6):
        with subprocess.Popen(
            [sys.executable, "-c", WRITER], cwd=tmp_path, env=python_path(), stdout=subprocess.PIPE
        ) as writer:
            assert writer.stdout
            assert writer.stdout.readline().strip() == b"on"
            time.sleep(0.05 + 0.05 * turn)
            writer.send_signal(signal.SIGKILL)
        for name, text in kept.recall(names):
            assert text == " ".join([names[name], text.split(maxsplit=2)[1]] * 200_000) + " "
            found += 1
        kept.close()
    assert found
    store_all(kept, {NAME: "text"})
    assert get(kept, NAME) == "text"


def test_killed_before_a_commit(here: Path, run: Run) -> None:
    """The rows are written, and not committed, when the gate dies; the next one is none the worse."""
    right = run("check", "configs", "--no-cache")
    stop = "import os, signal, sqlite3, auditor.engine.store as s\n"
    stop += "class Dying(sqlite3.Connection):\n    def execute(self, statement, *more):\n"
    stop += "        if statement == 'COMMIT':\n            os.kill(os.getpid(), signal.SIGKILL)\n"
    stop += "        return super().execute(statement, *more)\n"
    stop += "connect = sqlite3.connect\n"
    stop += "s.sqlite3.connect = lambda *a, **b: connect(*a, **b, factory=Dying)\n"
    stop += "from auditor.cli import main\nmain(['check', 'configs'])\n"
    done = subprocess.run([sys.executable, "-c", stop], env={**python_path(), KEY: "k" * 32}, check=False)
    assert done.returncode == -signal.SIGKILL
    assert not entries(here)
    assert run("check", "configs") == right
    assert entries(here)


def test_many_write_and_read_at_once(tmp_path: Path) -> None:
    """No row is ever half of one and half of another, and what was stored last is there."""
    code = WRITER.replace("10**9", "12") + "kept.close()\n"
    command = [sys.executable, "-c", code]
    started = [subprocess.Popen(command, cwd=tmp_path, env=python_path(), stdout=subprocess.DEVNULL) for _ in range(4)]
    kept = Cache(tmp_path, SECRET)
    names = {compute_digest(str(number)): str(number) for number in range(4)}
    while any(each.poll() is None for each in started):
        for name, text in kept.recall(names):
            assert text == " ".join([names[name], text.split(maxsplit=2)[1]] * 200_000) + " "
    assert [each.wait() for each in started] == [0] * 4
    assert {name: text.split(maxsplit=2)[1] for name, text in kept.recall(names)} == dict.fromkeys(names, "11")
    kept.close()
    assert {path.suffix for path in tmp_path.iterdir()} == {".sqlite3", ""}


def test_of_two_that_make_a_key_one_is_first(here: Path, tmp_path: Path) -> None:
    make = "import os; from auditor.engine.cache import open_cache; print(open_cache(os.environ)._key.hex())"
    command = [sys.executable, "-c", make]
    started = [subprocess.Popen(command, env=python_path(), stdout=subprocess.PIPE, cwd=here) for _ in range(4)]
    keys = {each.communicate()[0] for each in started}
    assert len(keys) == 1
    assert [path.name for path in (tmp_path / "state" / "roce-audit").iterdir()] == ["cache-key"]


@pytest.mark.children
@pytest.mark.parametrize("jobs", [2, 3])
def test_workers_change_nothing(run: Run, jobs: int) -> None:
    options = ("check", FABRIC, "--format", "json", "--jobs")
    assert run(*options, jobs) == run(*options, 1)


def test_unusable_is_told_with_its_reason(here: Path) -> None:
    (here / CACHE_FOLDER).symlink_to(here)
    with pytest.raises(UnusableCache, match="not a folder"), contextlib.suppress(OSError):
        open_cache({KEY: "k" * 32})


def test_both_sides_of_a_comparison_are_read_once(run: Run, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from auditor.engine import load  # noqa: PLC0415  what is replaced

    git(here, "init", "-q")
    git(here, "add", "-A")
    git(here, "commit", "-qm", "base")
    leaf = here / "configs" / "leaf1.cfg"
    leaf.write_text(leaf.read_text().replace("NOWHERE", "ELSEWHERE"))
    read, names = load.read_device, here / "names"  # a file: devices are read in child processes

    def counted(unit: DeviceUnit) -> load.DeviceReading:
        with names.open("a") as file:
            file.write(f"{unit.name}\n")
        return read(unit)

    monkeypatch.setattr("auditor.engine.load.read_device", counted)
    told = [run("check", "configs", "--base", "HEAD", "--jobs", "1", *options) for options in (["--no-cache"], [], [])]
    assert told[0] == told[1] == told[2]
    assert told[0][0] == 1
    assert sorted(names.read_text().split()) == sorted(["leaf1", "leaf2", "leaf1"] * 2)


TEXTS = st.text("ab\n 1", max_size=3)
LINES = st.lists(st.text("ab 1", max_size=3), max_size=3)
PARTS = st.lists(TEXTS | LINES, max_size=4)


@given(PARTS, PARTS)
def test_no_two_sequences_of_parts_have_one_digest(one: list[str | list[str]], other: list[str | list[str]]) -> None:
    assert (compute_digest(*one) == compute_digest(*other)) is (one == other)
    assert compute_digest(*one) == compute_digest(*(each if isinstance(each, str) else tuple(each) for each in one))


def test_the_dumps_of_a_report_that_was_kept_are_there_with_their_days(here: Path) -> None:
    """Files that say when they were captured, a manifest, and a file that no device has."""
    configs = here / "configs"
    head = "# gathered with roce-audit 0.1 by user 0 on 2026-11-23 20:05:00 UTC\n"
    (configs / "gpu1.txt").write_text(f"{head}$ ibdev2netdev\nmlx5_0 port 1 ==> a (Up)\n")
    (configs / "notes.md").write_text("# To do\n")
    (configs / "pulled").mkdir()
    captures = [{"command": "show running-config", "file": "a.txt"}]
    manifest = {"device": "leaf3", "os": "cisco_nxos", "seen": "2026-11-20T10:00:00+00:00", "captures": captures}
    (configs / "pulled" / "manifest.json").write_text(json.dumps(manifest))
    (configs / "pulled" / "a.txt").write_text(LEAF.format(number=3))
    kept = open_cache(os.environ)
    assert kept
    first = auditor.audit("configs", auditor.Options(cache=kept, jobs=1))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("auditor.engine.rehearsal.judge_joined", None)
        again = auditor.audit("configs", auditor.Options(cache=kept, jobs=1))
    assert again == first
    assert [*again.inputs.units] == [*first.inputs.units]
    assert len(again.inputs.units) == 4
    assert (again.inputs.dates, again.inputs.skipped) == (first.inputs.dates, first.inputs.skipped)
    assert {*first.inputs.dates} == {"configs/gpu1.txt", "configs/pulled/a.txt"}
    lines, before = again.inputs.index_lines(), first.inputs.index_lines()
    assert [lines("configs/pulled/a.txt", number) for number in range(12)] == [
        before("configs/pulled/a.txt", number) for number in range(12)
    ]
