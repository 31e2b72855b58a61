"""The earlier state that a fabric is compared with: a git revision, or an old folder or archive."""

import argparse
import os
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from auditor.engine.dumps import Dumps
from auditor.engine.errors import CannotAudit
from auditor.engine.settings import CONFIG, declared_in, inside

if TYPE_CHECKING:
    from auditor.engine.snapshot import Snapshot
    from auditor.inputs.git import Tree
    from auditor.intent import Intents


@dataclass(frozen=True, slots=True)
class Earlier:
    """What the fabric was: its dumps, told by their present paths, and what it declared.

    `config` is the settings file as it is called now; `left` are files that could not be had, each with why.
    `other_links`: the file that --links names was another one then.
    """

    name: str
    snapshot: "Snapshot"
    declared: "Intents | None"
    config: str
    left: tuple[tuple[str, str], ...] = ()
    other_links: bool = False


def before(arguments: argparse.Namespace, dumps: Dumps) -> Earlier:
    """Return what OLD of `diff` holds; its places are shown as they are, its devices known by the paths of NEW."""
    from auditor.engine.compare import relabelled

    old, new = arguments.old, arguments.new
    if "-" in {old, new}:
        raise CannotAudit("diff: expected two folders, archives or files, not standard input")
    config = Path(old, CONFIG)
    snapshot = dumps.find([old], {str(config)})
    names = [(str(Path(old)), str(Path(new)))]
    kept = config if config.is_file() and inside(Path(old), config) else None
    declared = declared_in(kept, str(kept)) if kept else None
    if arguments.config:
        declared = declared_in(Path(arguments.config), arguments.config)
    return Earlier(old, relabelled(snapshot, names, places=False), declared, arguments.config or str(Path(new, CONFIG)))


def at_revision(arguments: argparse.Namespace, dumps: Dumps, stack: ExitStack) -> Earlier:
    """Return what the paths hold at the git revision --base, from git's objects; its files live as long as *stack*."""
    from auditor.engine.compare import relabelled
    from auditor.inputs.git import NoTree, tree, write_files

    if "-" in arguments.paths:
        raise CannotAudit("--base: expected paths in a git repository, not standard input")
    try:
        found = tree(arguments.paths, arguments.base)
        wanted = [found.inside(path) for path in arguments.paths]
        config = arguments.config or str(Path(arguments.paths[0], CONFIG))
        is_kept = Path(os.path.realpath(config)).is_relative_to(found.top)
        config_inside = found.inside(config) if is_kept else None
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="roce-audit-")))
        folder = Path(os.path.realpath(scratch)) / (found.top.name or "root")  # a device may be called after it
        folder.mkdir()
        links_inside = _links_inside(arguments, found)
        some = [path for path in (arguments.config and config_inside, links_inside) if path]
        left = write_files(found, [*wanted, *some], folder)
    except NoTree as error:
        raise CannotAudit(str(error)) from None
    except OSError as error:
        raise CannotAudit(f"--base: its files cannot be written to a folder of their own: {error.strerror}") from None
    names = [
        (str(folder / path) if path != "." else str(folder), str(Path(given)))
        for path, given in _pairs(wanted, arguments)
    ]
    there = folder / config_inside if config_inside else Path(config)
    declared = None
    if there.is_file() and (not config_inside or inside(folder, there)):
        try:
            declared = declared_in(there, config)
        except CannotAudit as error:
            if arguments.config_from == "base":
                raise CannotAudit(f"at {arguments.base}: {error}") from None
            left.append((config_inside or config, f"not used: {error}"))
    paths = [old for old, _ in names if Path(old).exists()]
    missing = "not there: all in it is new; where it was renamed, name the folder that holds both"
    left.extend((given, missing) for old, given in names if old not in paths)
    snapshot = dumps.find(paths, {str(there)})
    return Earlier(
        arguments.base,
        relabelled(snapshot, names, places=True),
        declared,
        config,
        tuple((str(Path(path)), why) for path, why in left),
        links_inside is not None and _bytes(folder / links_inside) != _bytes(Path(arguments.links)),
    )


def _links_inside(arguments: argparse.Namespace, found: "Tree") -> str | None:
    """Return where the file that --links names is in the repository, None where it is not in it."""
    if not arguments.links or not Path(os.path.realpath(arguments.links)).is_relative_to(found.top):
        return None
    return found.inside(arguments.links)


def _bytes(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def _pairs(wanted: list[str], arguments: argparse.Namespace) -> list[tuple[str, str]]:
    """Return each path in the repository with the path as given, the longest first: one may lie in another."""
    return sorted(zip(wanted, arguments.paths, strict=True), key=lambda pair: -len(pair[0]))
