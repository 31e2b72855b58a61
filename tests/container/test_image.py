"""The image, built by buildah upon a small Debian, and run: not root, its root file system read-only."""

import json
import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

Done = subprocess.CompletedProcess[str]
ROOT = Path(__file__).parents[2]
PROGRAMS = ("buildah", "mmdebstrap", "unshare", "chroot")
ENVIRONMENT = {**os.environ, "BUILDAH_ISOLATION": "chroot"}
PACKAGES = "python3,python3-venv,python3-pip,ca-certificates,bash,dash,coreutils,sed,grep,libc-bin,libstdc++6"
MERGED_USR = "/usr/share/mmdebstrap/hooks/merged-usr"
IN_MEMORY = Path("/dev/shm")  # noqa: S108  a fresh folder in it
NEEDED_BYTES = 2**31
"""Room for the base and the image; in memory the build takes half as long."""
pytestmark = pytest.mark.container

RUN = """
mount --bind {root} {root}
mkdir -p {root}/reports
mount --bind {dumps} {root}/dumps
mount -o remount,ro,bind {root}/dumps
mount --bind {reports} {root}/reports
mount --rbind /dev {root}/dev
mount -o remount,ro,bind {root}
cd {root}
exec chroot --userspec={user} . /usr/bin/env -i --chdir={folder} {variables} {command}
"""
"""The mounts of the how-to page, in a namespace of their own."""


@dataclass(frozen=True, slots=True)
class Image:
    """A built image: its root file system, and how its configuration starts a process."""

    root: Path
    user: str
    folder: str
    variables: tuple[str, ...]
    entry: tuple[str, ...]

    def run(self, reports: Path, *words: str, entry: tuple[str, ...] | None = None) -> Done:
        """Run *words* in the image on the faulty fabric; *entry* takes the place of the program."""
        script = RUN.format(
            root=self.root,
            dumps=ROOT / "fixtures" / "fabric",
            reports=reports,
            user=self.user,
            folder=self.folder,
            variables=shlex.join(self.variables),
            command=shlex.join((*(self.entry if entry is None else entry), *words)),
        )
        command = ["unshare", "--mount", "sh", "-ec", script]
        return subprocess.run(command, check=False, capture_output=True, text=True)


@pytest.fixture(scope="module")
def image() -> Iterator[Image]:
    """Yield the image, built from the checkout.

    Its Debian is unpacked and not configured, which takes a third of the time; the build needs no more of it.
    """
    missing = [name for name in PROGRAMS if shutil.which(name) is None]
    if missing:
        told = f"needs {', '.join(missing)}, which .ci/run installs"
        pytest.fail(told) if os.environ.get("CI") else pytest.skip(told)
    if os.geteuid() or subprocess.run(["unshare", "--mount", "true"], check=False, capture_output=True).returncode:
        pytest.skip("no image can be built here: that needs root and mounts; hadolint holds the file")
    has_room = IN_MEMORY.is_dir() and shutil.disk_usage(IN_MEMORY).free > NEEDED_BYTES
    with tempfile.TemporaryDirectory(dir=IN_MEMORY if has_room else None, ignore_cleanup_errors=True) as folder:
        store = ("--root", f"{folder}/store", "--runroot", f"{folder}/run")

        def buildah(*words: str) -> str:
            return run("buildah", *store, *words)

        try:
            yield build(buildah)
        finally:
            buildah("umount", "--all")


def build(buildah: Callable[..., str]) -> Image:
    """Return the image, mounted, which *buildah* builds upon a Debian."""
    empty = buildah("from", "scratch")
    options = ("--quiet", "--variant=extract", f"--include={PACKAGES}", f"--hook-dir={MERGED_USR}")
    run("mmdebstrap", *options, "bookworm", buildah("mount", empty))
    buildah("umount", empty)
    buildah("commit", "-q", "--rm", empty, "localhost/base")
    certificates = "/etc/ssl/certs:/etc/ssl/certs:ro"  # of the machine, whose registry may have its own
    file = str(ROOT / "docs" / "container" / "Dockerfile")
    buildah("bud", "-q", "-v", certificates, "--build-arg", "BASE=localhost/base", "-f", file, "-t", "built", str(ROOT))
    container = buildah("from", "localhost/built")
    config = json.loads(buildah("inspect", container))["OCIv1"]["config"]
    root = Path(buildah("mount", container))
    return Image(root, config["User"], config["WorkingDir"], tuple(config["Env"]), tuple(config["Entrypoint"]))


def run(*command: str) -> str:
    """Return the output of a *command*, which must succeed."""
    done = subprocess.run(command, env=ENVIRONMENT, check=False, capture_output=True, text=True)
    assert done.returncode == 0, f"{command[0]}: {done.stderr[-2000:]}"
    return done.stdout.strip()


@pytest.fixture
def reports(image: Image, tmp_path: Path) -> Path:
    """Return a folder that the user of the image may write to."""
    user = int(image.user.partition(":")[0])
    assert user
    folder = tmp_path / "reports"
    folder.mkdir()
    os.chown(folder, user, user)
    return folder


def test_an_audit_finds_the_faults_and_writes_its_report(image: Image, reports: Path) -> None:
    done = image.run(reports, "check", ".", "-q", "--output", "terminal=-", "--output", "sarif=/reports/a.sarif")
    assert (done.returncode, done.stderr) == (1, "")
    assert "error[MTU002] leaf3 Ethernet1/31" in done.stdout
    assert json.loads((reports / "a.sarif").read_text())["runs"][0]["results"]
    assert image.run(reports, "--version").returncode == 0


@pytest.mark.parametrize("place", ["/dumps", "/tmp", "/opt/roce-audit", "/"])  # noqa: S108  inside of the image
def test_the_image_writes_nowhere_else(image: Image, reports: Path, place: str) -> None:
    done = image.run(reports, f"{place}/x", entry=("touch",))
    assert (done.returncode, "Read-only file system" in done.stderr) == (1, True)
