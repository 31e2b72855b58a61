"""Cases of archives and of manifests."""

import bz2
import gzip
import io
import json
import lzma
import tarfile
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

from case import Case
from mutators import CHARACTERS, mutate, mutate_bytes
from pipeline import audit_snapshot, render_report
from seeds import Material, choose
from trees import mutate_tree

from auditor.inputs.snapshot import find

KINDS = ("zip", "tar", "tar.gz", "tar.xz", "tar.bz2", "tgz", "txz", "tbz")
_PATHS = (
    "leaf1/{}",
    "{}",
    "a/b/c/{}",
    "../{}",
    "/{}",
    "./{}",
    "leaf1/../{}",
    "a\\{}",
    "CON/{}",
    "{}/",
    "x" * 300 + "{}",
    " /{}",
)


def make_archive(chance: Random, material: Material) -> Case:
    """Return an archive of a few dumps, with damage, odd members or mutants in it."""
    members = {}
    for number in range(chance.choice((0, 1, 2, 4))):
        seed = choose(chance, material.all_dumps)
        data = seed.text.encode("utf-8", "surrogatepass")[:40_000]
        name = chance.choice(_PATHS if chance.random() < 0.3 else _PATHS[:1]).format(f"{number}{seed.name}")
        odd = chance.choice(CHARACTERS).replace("/", "_").replace("\0", "_")
        members[name + (odd if chance.random() < 0.05 else "")] = (
            mutate(chance, seed.text, material)[:100_000] if chance.random() < 0.3 else data
        )
    kind = chance.choice(KINDS)
    data = _pack_zip(chance, members) if kind == "zip" else _pack_tar(chance, members, kind)
    if chance.random() < 0.1:
        data = _pack_zip(chance, {f"inner.{kind}": data})
    for _ in range(chance.choice((0, 1, 1, 3))):
        data = mutate_bytes(chance, data)
    wrong = chance.choice(KINDS) if chance.random() < 0.1 else kind
    return Case("archive", {f"dumps.{wrong}": data}, {"given": "yes" if chance.random() < 0.5 else ""})


def _pack_zip(chance: Random, members: Mapping[str, bytes]) -> bytes:
    packed = io.BytesIO()
    method = chance.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2))
    with zipfile.ZipFile(packed, "w", method) as archive:
        for name, data in members.items():
            info = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            info.compress_type = method
            info.external_attr = chance.choice((0, 0, 0, 0o120777 << 16, 0o100644 << 16, 0o010644 << 16, 2**31))
            archive.writestr(info, data)
        if chance.random() < 0.1:
            archive.comment = bytes(chance.randrange(256) for _ in range(20))
    return packed.getvalue()


def _pack_tar(chance: Random, members: Mapping[str, bytes], kind: str) -> bytes:
    packed = io.BytesIO()
    form = chance.choice((tarfile.PAX_FORMAT, tarfile.GNU_FORMAT, tarfile.USTAR_FORMAT))
    with tarfile.open(fileobj=packed, mode="w", format=form, errors="surrogateescape") as archive:
        for name, data in members.items():
            info = tarfile.TarInfo(name[:90] if form == tarfile.USTAR_FORMAT else name)
            info.size = len(data)
            types = (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE, tarfile.DIRTYPE, b"Z")
            if chance.random() < 0.15:
                info.type, info.linkname, info.size = chance.choice(types), chance.choice(("/etc/passwd", name, "")), 0
            if form == tarfile.PAX_FORMAT and chance.random() < 0.2:
                keys = ("size", "path", "mtime", "uid", "GNU.sparse.major", "GNU.sparse.map", "hdrcharset", "linkpath")
                info.pax_headers = {
                    chance.choice(keys): chance.choice(("1", "-1", "9" * 30, "x", "", "0,5,\u00b2", "1e400"))
                }
            try:
                archive.addfile(info, io.BytesIO(data))
            except (ValueError, UnicodeError):  # a name or number that this form cannot hold
                continue
    pack: Mapping[str, Any] = {"gz": gzip.compress, "xz": lzma.compress, "bz": bz2.compress}
    found = next((pack[key] for key in pack if key in kind), None)
    return found(packed.getvalue()) if found else packed.getvalue()


def run_archive(case: Case) -> None:
    """Open the archive, by its own path or within a folder, and audit what is in it."""
    with tempfile.TemporaryDirectory() as folder:
        case.write(Path(folder))
        paths = [str(Path(folder, name)) for name in case.files] if case.told["given"] else [folder]
        snapshot = find(paths)
        if len(snapshot.units) < 5:
            render_report(audit_snapshot(snapshot), ("json", "terminal"))


def make_manifest(chance: Random, material: Material) -> dict[str, bytes]:
    """Return the folder of a pull: captures, and a mutant of the manifest that lists them."""
    seed = choose(chance, material.all_dumps)
    listed = [
        {"command": seed.command, "file": "a.txt"},
        {"command": "show version", "file": chance.choice(("b", "a.txt"))},
    ]
    schema = chance.choice(("device", "pull"))
    data = {"schema": f"roce-audit/{schema}/1", "device": "leaf9", "os": seed.os, "captures": listed}
    data |= {"devices": [{"device": "x", "why": "y", "captures": 0}]} if schema == "pull" else {}
    text = json.dumps(data, indent=2)
    return {
        "leaf9/manifest.json": (mutate_tree(chance, text) or text).encode("utf-8", "surrogatepass"),
        "leaf9/a.txt": seed.text.encode("utf-8", "surrogatepass"),
    }
