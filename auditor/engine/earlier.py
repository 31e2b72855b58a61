"""The earlier state of a fabric: a git revision, or an old folder or archive."""

import os
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from auditor.engine.dumps import Dumps
from auditor.engine.errors import CannotAudit
from auditor.engine.options import Options
from auditor.engine.settings import CONFIG, is_inside, read_declared
from auditor.util.filesystem import is_file, is_there

if TYPE_CHECKING:
    from auditor.inputs.git import Tree
    from auditor.inputs.snapshot import Snapshot
    from auditor.intent import Intents


@dataclass(frozen=True, slots=True)
class Earlier:
    """The earlier state of a fabric: its dumps under their present paths, and its declared intent.

    `config` is the present path of the intent; `left` are files that cannot be read, each with the reason.
    `other_links`: the content of the links file was another one.
    """

    name: str
    snapshot: "Snapshot"
    declared: "Intents | None"
    config: str
    left: tuple[tuple[str, str], ...] = ()
    other_links: bool = False


def find_earlier(paths: Sequence[str], options: Options, dumps: Dumps, stack: ExitStack) -> Earlier | None:
    """Return the earlier state that *options* name, None if they name none; its files live as long as *stack*."""
    if options.old is not None:
        return _read_folder(options.old, paths, options, dumps)
    if options.base is not None:
        return _read_revision(options.base, paths, options, dumps, stack)
    return None


def _read_folder(old: str, paths: Sequence[str], options: Options, dumps: Dumps) -> Earlier:
    """Return the state in the folder *old*; its places are shown as they are, its devices known by the new path."""
    from auditor.engine.compare import relabel

    if len(paths) > 1:
        raise CannotAudit("diff: expected one older and one newer folder, archive or file")
    (new,) = paths
    if "-" in {old, new}:
        raise CannotAudit("diff: expected two folders, archives or files, not standard input")
    config = Path(old, CONFIG)
    snapshot = dumps.find([old], {str(config)})
    names = [(str(Path(old)), str(Path(new)))]
    kept = config if is_file(config) and is_inside(Path(old), config) else None
    declared = read_declared(kept, str(kept)) if kept else None
    if options.config:
        declared = read_declared(Path(options.config), options.config)
    return Earlier(old, relabel(snapshot, names, places=False), declared, options.config or str(Path(new, CONFIG)))


def _read_revision(base: str, paths: Sequence[str], options: Options, dumps: Dumps, stack: ExitStack) -> Earlier:
    """Return what the paths hold at the git revision *base*, from git's objects."""
    from auditor.engine.compare import relabel
    from auditor.inputs.git import NoTree, find_tree, write_files

    if "-" in paths:
        raise CannotAudit("--base: expected paths in a git repository, not standard input")
    try:
        found = find_tree(paths, base)
        wanted = [found.locate(path) for path in paths]
        config = options.config or str(Path(paths[0], CONFIG))
        is_kept = Path(os.path.realpath(config)).is_relative_to(found.top)
        config_inside = found.locate(config) if is_kept else None
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="roce-audit-")))
        folder = Path(os.path.realpath(scratch)) / (found.top.name or "root")  # a device may be called after it
        folder.mkdir()
        links_inside = _locate_links(options, found)
        some = [path for path in (options.config and config_inside, links_inside) if path]
        left = write_files(found, [*wanted, *some], folder)
    except NoTree as error:
        raise CannotAudit(str(error)) from None
    except OSError as error:
        raise CannotAudit(
            f"--base: cannot write the files of the base to a temporary folder: {error.strerror}"
        ) from None
    pairs = sorted(zip(wanted, paths, strict=True), key=lambda pair: -len(pair[0]))  # one may lie in another
    names = [(str(folder / path) if path != "." else str(folder), str(Path(given))) for path, given in pairs]
    there = folder / config_inside if config_inside else Path(config)
    declared = None
    if is_file(there) and (not config_inside or is_inside(folder, there)):
        try:
            declared = read_declared(there, config)
        except CannotAudit as error:
            if options.config_from == "base":
                raise CannotAudit(f"at {base}: {error}") from None
            left.append((config_inside or config, f"not used: {error}"))
    there_then = [old for old, _ in names if is_there(old)]
    missing = "absent at the base: all its files count as new; after a rename, give a folder with both names"
    left.extend((given, missing) for old, given in names if old not in there_then)
    snapshot = dumps.find(there_then, {str(there)})
    links = options.links
    return Earlier(
        base,
        relabel(snapshot, names, places=True),
        declared,
        config,
        tuple((str(Path(path)), why) for path, why in left),
        bool(links and links_inside and _read_bytes(folder / links_inside) != _read_bytes(Path(links))),
    )


def _locate_links(options: Options, found: "Tree") -> str | None:
    """Return the place of the links file in the repository, None if it is outside."""
    if not options.links or not Path(os.path.realpath(options.links)).is_relative_to(found.top):
        return None
    return found.locate(options.links)


def _read_bytes(path: Path) -> bytes | None:
    return path.read_bytes() if is_file(path) else None
