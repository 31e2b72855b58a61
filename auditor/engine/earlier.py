"""The earlier state of a fabric: a git revision, or an old folder or archive."""

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from auditor.engine.dumps import Dumps
from auditor.engine.errors import CannotAudit
from auditor.engine.inventory import BESIDE, name_inventory
from auditor.engine.options import Options
from auditor.engine.result import Notice
from auditor.engine.settings import CONFIG, MAX_SETTINGS_BYTES, is_inside, read_declared
from auditor.inputs.filenames import URL
from auditor.util.filesystem import is_file, is_folder, is_there
from auditor.util.values import dataclass

if TYPE_CHECKING:
    from auditor.inputs.gittree import Tree
    from auditor.inputs.snapshot import Snapshot
    from auditor.intent import Expectation, Intents


@dataclass(frozen=True, slots=True)
class Copies:
    """The earlier state of settings beside the intent, as copies that may be absent; None: the present file counts."""

    links: Path | None = None
    rules: Path | None = None


@dataclass(frozen=True, slots=True)
class Earlier:
    """The earlier state of a fabric: its dumps under their present paths, and its declared intent.

    `config` is the present path of the intent; `left` are files that cannot be read, each with the reason.
    `edits`: other settings that differ now.
    """

    name: str
    snapshot: "Snapshot"
    declared: "Intents | None"
    config: str
    left: tuple[tuple[str, str], ...] = ()
    copies: Copies = Copies()
    edits: tuple[Notice, ...] = ()


def find_earlier(paths: Sequence[str], options: Options, dumps: Dumps, stack: ExitStack) -> Earlier:
    """Return the earlier state that *options* name, a folder or else a revision; its files live as long as *stack*."""
    if options.old is not None:
        return _read_folder(options.old, paths, options, dumps)
    return _read_revision(str(options.base), paths, options, dumps, stack)


def _read_folder(old: str, paths: Sequence[str], options: Options, dumps: Dumps) -> Earlier:
    """Return the state in the folder *old*; its places are shown as they are, its devices known by the new path."""
    from auditor.engine.compare import relabel

    if len(paths) > 1:
        raise CannotAudit("diff: expected one older and one newer folder, archive or file")
    (new,) = paths
    if "-" in {old, new}:
        raise CannotAudit("diff: expected two folders, archives or files, not standard input")
    config = Path(old, CONFIG)
    snapshot = dumps.finder.find([old], {str(config)})
    for problem in snapshot.list_problems(old):
        raise CannotAudit(f"{problem.name}: {problem.message}")
    names = [(_shorten(old), _shorten(new))]
    kept = config if is_file(config) and is_inside(Path(old), config) else None
    declared = read_declared(kept, str(kept)) if kept else None
    if options.config:
        declared = read_declared(Path(options.config), options.config)
    if options.infer:
        declared = None
    return Earlier(old, relabel(snapshot, names, places=False), declared, options.config or str(Path(new, CONFIG)))


def _shorten(path: str) -> str:
    """Return *path* as the names of its files begin."""
    return path.rstrip("/") if URL.match(path) else str(Path(path))


def _read_revision(base: str, paths: Sequence[str], options: Options, dumps: Dumps, stack: ExitStack) -> Earlier:
    """Return what the paths hold at the git revision *base*, from git's objects."""
    from auditor.engine.compare import relabel
    from auditor.inputs.git import NoTree
    from auditor.inputs.gittree import find_tree, write_files

    if "-" in paths:
        raise CannotAudit("--base: expected paths in a git repository, not standard input")
    if any(map(URL.match, paths)):
        raise CannotAudit("--base: expected paths in a git repository, not URLs; compare two folders by `diff`")
    try:
        found = find_tree(base, options.repo)
        wanted = [found.locate(path) for path in paths]
        config = options.config or str(Path(paths[0], CONFIG))
        own = {name: found.find_name(name) for name in (config, options.links, options.rules) if name}
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="roce-audit-")))
        folder = Path(os.path.realpath(scratch)) / (found.top.name or "root")  # a device may be called after it
        folder.mkdir()
        left = write_files(found, [*wanted, *(inside for inside in own.values() if inside)], folder)
    except NoTree as error:
        raise CannotAudit(str(error)) from None
    except OSError as error:
        raise CannotAudit(
            f"--base: cannot write the files of the base to a temporary folder: {error.strerror}"
        ) from None
    left = [(os.path.relpath(found.top / path), why) for path, why in left]
    pairs = sorted(zip(wanted, paths, strict=True), key=lambda pair: -len(pair[0]))  # one may lie in another
    names = [(str(folder / path) if path != "." else str(folder), str(Path(given))) for path, given in pairs]
    copies = {name: folder / inside for name, inside in own.items() if inside}
    there = copies.get(config, Path(config))
    declared = None
    if not options.infer and is_file(there):
        try:
            declared = read_declared(_keep_inside(config, folder, there) if config in copies else there, config)
        except CannotAudit as error:
            if options.side == "base":
                raise CannotAudit(f"at {base}: {error}; judge by the present one with --config-from head") from None
            left.append((config, f"not used: {error}"))
    expected = declared.expected if declared else None
    if expected and expected.inventory and config in copies:
        left += [(config, why) for _, why in _write_inventory(found, expected, folder)]
    there_then = [old for old, _ in names if is_there(old)]
    missing = "absent at the base: all its files count as new; after a rename, give a folder with both names"
    left.extend((given, missing) for old, given in names if old not in there_then)
    snapshot = dumps.finder.find(there_then, {str(there), *_list_inventories(expected)})
    return Earlier(
        base,
        relabel(snapshot, names, places=True),
        declared,
        config,
        tuple((str(Path(path)), why) for path, why in left),
        Copies(copies.get(options.links or ""), copies.get(options.rules or "")),
        (*_list_edits(copies, folder, options), *_list_inventory_edits(expected)),
    )


def _write_inventory(found: "Tree", expected: "Expectation", folder: Path) -> list[tuple[str, str]]:
    """Write the inventory of the base and the files beside it, which may lie outside of the audited paths."""
    from auditor.inputs.filenames import format_reason
    from auditor.inputs.git import NoTree
    from auditor.inputs.gittree import write_files

    path = Path(os.path.normpath(Path(expected.folder, expected.inventory)))
    if not path.is_relative_to(folder) or path == folder:
        return []  # refused when it is read
    wanted = [each for each in (path, *(path.with_name(name) for name in BESIDE)) if not is_there(each)]
    try:
        return write_files(found, [each.relative_to(folder).as_posix() for each in wanted], folder)
    except (NoTree, OSError) as error:
        raise CannotAudit(f"--base: cannot read the inventory of the base: {format_reason(error)}") from None


def _list_inventories(expected: "Expectation | None") -> list[str]:
    return [str(Path(expected.folder, expected.inventory))] if expected and expected.inventory else []


def _list_inventory_edits(expected: "Expectation | None") -> Iterator[Notice]:
    """Yield a notice where the inventory that the base expects differs now."""
    if expected is None or not expected.inventory:
        return
    name = name_inventory(expected)
    if _read_settings(Path(expected.folder, expected.inventory)) != _read_settings(Path(name)):
        yield Notice("the change edits the inventory that `expect:` names", name)


def _list_edits(copies: Mapping[str, Path], folder: Path, options: Options) -> Iterator[Notice]:
    """Yield a notice for the links file and for the folder of rules if its earlier copy differs; raises CannotAudit."""
    for name, kind in ((options.links, "links file"), (options.rules, "rules of the site")):
        copy = copies.get(name or "")
        if not name or copy is None:
            continue
        if _read_settings(_keep_inside(name, folder, copy)) != _read_settings(Path(name)):
            yield Notice(f"the change edits the {kind}", name)


def _keep_inside(name: str, folder: Path, copy: Path) -> Path:
    """Return *copy*; raises CannotAudit where it leads out of *folder*."""
    if is_there(copy) and not is_inside(folder, copy):
        raise CannotAudit(f"{name}: a symlink out of the repository; expected a target inside")
    return copy


def _read_settings(path: Path) -> dict[str, bytes]:
    """Return the content of a settings file, or of all those in a folder, by name."""
    entries = sorted(path.iterdir()) if is_folder(path) else [path]
    files = [entry for entry in entries if is_file(entry)]
    return {entry.name if is_folder(path) else "": _read_start(entry) for entry in files}


def _read_start(path: Path) -> bytes:
    """Return the content of a file up to the limit of settings, beyond which none is read."""
    with path.open("rb") as file:
        return file.read(MAX_SETTINGS_BYTES + 1)
