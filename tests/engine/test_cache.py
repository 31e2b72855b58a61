"""What is kept between runs: never believed unless it is our own, never in the way, and never seen in a report."""

import contextlib
import os
import resource
import signal
import subprocess
import sys
import time
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from auditor.engine import cache
from auditor.engine.cache import KEY, Cache, UnusableCache, compute_digest, open_cache
from auditor.inputs.filenames import CACHE_FOLDER
from auditor.inputs.snapshot import DeviceUnit

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


def entries(here: Path) -> list[Path]:
    return sorted(path for path in (here / CACHE_FOLDER).glob("*") if len(path.name) == 64)


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
        "engine.check.check_fabric",
    ):
        monkeypatch.setattr(f"auditor.{name}", never)


@pytest.mark.children
def test_what_did_not_change_is_not_read_again(run: Run, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = run("check", "configs", "--jobs", "1")
    assert first[0] == 1
    assert len(entries(here)) == 7
    nothing_is_read(monkeypatch)
    assert run("check", "configs", "--jobs", "1") == first
    assert run("check", "configs", "--jobs", "7") == first


def test_what_changed_alone_is_read_again(run: Run, here: Path) -> None:
    run("check", "configs", "--jobs", "1")
    before = entries(here)
    leaf = here / "configs" / "leaf1.cfg"
    leaf.write_text(leaf.read_text().replace("NOWHERE", "ELSEWHERE"))
    status, out, _ = run("check", "configs", "--jobs", "1")
    assert (status, "ELSEWHERE" in out, "NOWHERE" in out) == (1, True, True)
    assert len(entries(here)) == len(before) + 4
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
    told = b"".join(zlib.decompress(path.read_bytes()[32:]) for path in entries(here))
    assert b"leaf1" in told
    assert b"hunter2" not in told


def truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def flipped(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))


def foreign(path: Path) -> None:
    Cache(path.parent, b"x" * 32).put(path.name, zlib.decompress(path.read_bytes()[32:]).decode())


def not_packed(path: Path) -> None:
    path.write_bytes(Cache(path.parent, SECRET)._sign(path.name, b"plain") + b"plain")


def of_another_name(path: Path) -> None:
    Cache(path.parent, SECRET).put(OTHER, "other")
    (path.parent / OTHER).replace(path)


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def a_fifo(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def a_symlink(path: Path) -> None:
    path.rename(path.with_name("moved"))
    path.symlink_to("moved")


def endless(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(cache.MAX_ENTRY_BYTES + 1)


DAMAGE = (
    truncated,
    emptied,
    flipped,
    foreign,
    not_packed,
    of_another_name,
    a_folder,
    a_fifo,
    a_symlink,
    endless,
    Path.unlink,
)


@pytest.mark.parametrize("damage", DAMAGE)
def test_an_entry_that_is_not_our_own_is_none(damage: Callable[[Path], None], tmp_path: Path) -> None:
    kept = Cache(tmp_path, SECRET)
    kept.put(NAME, "text")
    assert kept.get(NAME) == "text"
    damage(tmp_path / NAME)
    assert kept.get(NAME) is None
    if damage is not a_folder:
        kept.put(NAME, "text")
        assert kept.get(NAME) == "text"


@pytest.mark.parametrize("damage", [*(each for each in DAMAGE if each not in {not_packed, of_another_name})])
def test_the_result_is_right_whatever_became_of_the_cache(run: Run, here: Path, damage: Callable[[Path], None]) -> None:
    right = run("check", "configs")
    for path in entries(here):
        damage(path)
    assert run("check", "configs") == right
    assert run("check", "configs") == right


def test_what_is_signed_and_makes_no_sense_is_read_again(run: Run, here: Path, tmp_path: Path) -> None:
    right = run("check", "configs")
    key = (tmp_path / "state" / "roce-audit" / "cache-key").read_bytes()
    for path in entries(here):
        Cache(path.parent, key).put(path.name, "[[],[],[],0]")
    assert run("check", "configs") == right


def outcomes(here: Path) -> dict[str, str]:
    """Return the entries that say what is found on a device."""
    told = {path.name: zlib.decompress(path.read_bytes()[32:]).decode() for path in entries(here)}
    return {name: text for name, text in told.items() if "auditor.engine.check.Outcome" in text}


def test_a_change_cannot_bring_its_own_results(run: Run, here: Path, tmp_path: Path) -> None:
    """Whoever has the program can make entries that call a bad configuration good; without the key they are none."""
    right = run("check", "configs")
    bad = outcomes(here)
    for path in (here / "configs").iterdir():
        path.write_text(path.read_text().replace("  service-policy type qos input NOWHERE\n", ""))
    assert run("check", "configs")[0] == 0
    good = max((text for name, text in outcomes(here).items() if name not in bad), key=len)  # of a device, not of links
    for number in (1, 2):
        (here / "configs" / f"leaf{number}.cfg").write_text(LEAF.format(number=number))
    key = (tmp_path / "state" / "roce-audit" / "cache-key").read_bytes()
    for signer, status in ((key, 0), (b"theirs" * 6, 1)):
        for name in bad:
            Cache(here / CACHE_FOLDER, signer).put(name, good)
        assert run("check", "configs")[0] == status
    assert run("check", "configs") == right


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
    monkeypatch.setattr(Cache, "get", None)
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
    one.put(NAME, "text")
    assert (one.get(NAME), other.get(NAME)) == ("text", None)
    assert (here / CACHE_FOLDER / NAME).is_file()


def test_digests() -> None:
    many = [("ab",), ("a", "b"), (["a", "b"],), (["a\r", "b"],), (["a"], ["b"]), ("",), ([],), ([""],), ("", ""), ()]
    assert len({compute_digest(*parts) for parts in many}) == len(many)
    assert compute_digest("\ud800") != compute_digest("?")


def test_the_oldest_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MAX_BYTES", 5_000)
    kept = Cache(tmp_path, SECRET)
    names = [compute_digest(str(number)) for number in range(8)]
    for age, name in enumerate(names):
        kept.put(name, os.urandom(1000).hex())
        os.utime(tmp_path / name, (time.time() - 100 * age,) * 2)
    for name, age in (("writing-" + "0" * 16, 4000), ("writing-" + "1" * 16, 60), ("notes.txt", 9000)):
        (tmp_path / name).write_text("x" * 6000)
        os.utime(tmp_path / name, (time.time() - age,) * 2)
    kept.close()
    left = {path.name for path in tmp_path.iterdir()}
    assert left >= {names[0], names[1], "notes.txt", "writing-" + "1" * 16}
    assert not left & {names[6], names[7], "writing-" + "0" * 16}
    assert sum((tmp_path / name).stat().st_size for name in names if name in left) <= 5_000


def test_what_is_used_is_not_among_the_oldest(tmp_path: Path) -> None:
    kept = Cache(tmp_path, SECRET)
    kept.put(NAME, "text")
    os.utime(tmp_path / NAME, (1, 1))
    kept.get(NAME)
    assert (tmp_path / NAME).stat().st_mtime > 1


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
"""


def test_killed_while_it_writes(tmp_path: Path) -> None:
    kept = Cache(tmp_path, SECRET)
    for turn in range(6):
        with subprocess.Popen(
            [sys.executable, "-c", WRITER], cwd=tmp_path, env=python_path(), stdout=subprocess.PIPE
        ) as writer:
            assert writer.stdout
            assert writer.stdout.readline().strip() == b"on"
            time.sleep(0.05 + 0.013 * turn)
            writer.send_signal(signal.SIGKILL)
        for number in range(4):
            text = kept.get(compute_digest(str(number)))
            path = tmp_path / compute_digest(str(number))
            assert (text is None) == (not path.exists())  # what has its name is whole
            assert text is None or text == " ".join(text.split()[:2] * 200_000) + " "
    kept.put(NAME, "text")
    assert kept.get(NAME) == "text"


def test_killed_in_the_middle_of_a_file(here: Path, run: Run) -> None:
    """The first half of an entry is on disk when the gate dies; the next one is none the worse."""
    right = run("check", "configs", "--no-cache")
    stop = "import os, signal, auditor.engine.cache as c\nw = c._write_unfinished\n"
    stop += "def half(folder, data):\n    w(folder, data[: len(data) // 2])\n    os.kill(os.getpid(), signal.SIGKILL)\n"
    stop += "c._write_unfinished = half\nfrom auditor.cli import main\nmain(['check', 'configs'])\n"
    done = subprocess.run([sys.executable, "-c", stop], env={**python_path(), KEY: "k" * 32}, check=False)
    assert done.returncode == -signal.SIGKILL
    assert len(list((here / CACHE_FOLDER).glob("writing-*"))) == 1
    assert not entries(here)
    assert run("check", "configs") == right
    assert entries(here)


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
