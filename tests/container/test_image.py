"""The image, built by buildah upon a small Debian, and run: not root, its root file system read-only."""

import json
import os
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

Done = subprocess.CompletedProcess[str]
ROOT = Path(__file__).parents[2]
PROGRAMS = ("buildah", "mmdebstrap", "unshare", "chroot")
ENVIRONMENT = {**os.environ, "STORAGE_DRIVER": "vfs", "BUILDAH_ISOLATION": "chroot"}
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
def image(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Image]:
    """Yield the image, built from the checkout."""
    missing = [name for name in PROGRAMS if shutil.which(name) is None]
    if missing or os.geteuid():
        told = f"needs root and {', '.join(missing) or 'nothing else'}: .ci/run installs programs"
        pytest.fail(told) if os.environ.get("CI") else pytest.skip(told)
    made = tmp_path_factory.mktemp("container")
    base = made / "base.tar"
    debian = [
        "mmdebstrap",
        "--quiet",
        "--variant=minbase",
        "--include=python3,python3-venv,ca-certificates",
        "bookworm",
    ]
    subprocess.run([*debian, base], check=True, capture_output=True)
    store = ("--root", str(made / "store"), "--runroot", str(made / "run"))

    def buildah(*words: str) -> str:
        done = subprocess.run(["buildah", *store, *words], env=ENVIRONMENT, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    empty = buildah("from", "scratch")
    buildah("add", "-q", empty, str(base), "/")
    buildah("commit", "-q", "--rm", empty, "localhost/base")
    base.unlink()
    certificates = "/etc/ssl/certs:/etc/ssl/certs:ro"  # of the machine, whose registry may have its own
    file = str(ROOT / "docs" / "container" / "Dockerfile")
    buildah("bud", "-q", "-v", certificates, "--build-arg", "BASE=localhost/base", "-f", file, "-t", "built", str(ROOT))
    container = buildah("from", "localhost/built")
    config = json.loads(buildah("inspect", container))["OCIv1"]["config"]
    root = Path(buildah("mount", container))
    yield Image(root, config["User"], config["WorkingDir"], tuple(config["Env"]), tuple(config["Entrypoint"]))
    buildah("umount", container)
    shutil.rmtree(made, ignore_errors=True)


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
