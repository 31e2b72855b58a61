"""Settings files of a run: intent, links, rules, baselines."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from auditor.engine.errors import CannotAudit
from auditor.engine.options import Options
from auditor.util.filesystem import explain_encoding, is_file, is_there

if TYPE_CHECKING:
    from auditor.checks.catalogue import Rule
    from auditor.engine.baseline import Baseline
    from auditor.intent import Intents
    from auditor.model.fabric import End

T = TypeVar("T")
CONFIG = "roce-audit.yaml"
MAX_SETTINGS_BYTES = 2**20
MAX_BASELINE_BYTES = 2**26


def read_intent(paths: Sequence[str], options: Options) -> "Intents | None":
    """Return the declared intent from --config or the first path; None without a declaration."""
    if options.infer:
        return None
    if options.config:
        return read_declared(Path(options.config), options.config)
    folder = Path(paths[0])
    path = folder / CONFIG
    if not is_file(path):
        return None
    if not is_inside(folder, path):
        raise CannotAudit(f"{path}: symlink to {path.resolve()}; expected a target inside the given folder")
    return read_declared(path, str(path))


def read_cables(
    options: Options, declared: "Intents | None", copy: Path | None = None
) -> "tuple[tuple[End, End], ...]":
    """Return the cables of the intent and of the links file; *copy* replaces that file, or its absence does."""
    from auditor.fabric.topology import read_links

    own = declared.links if declared else ()
    path = _choose(options.links, copy) if options.links else None
    return own if path is None else (*own, *read_yaml(read_links, path, str(options.links)))


def tune_rules(declared: "Intents | None") -> "tuple[Rule, ...]":
    """Return the built-in rules with the site's changes; raises CannotAudit."""
    from auditor.checks.catalogue import load_rules
    from auditor.util.yamlfile import YamlError

    try:
        return load_rules(declared.tuning) if declared else load_rules()
    except YamlError as error:
        raise CannotAudit(str(error)) from None


def read_site_rules(paths: Sequence[str], options: Options, copy: Path | None = None) -> "tuple[Rule, ...]":
    """Return the site's own rules; refuse Python functions from audited paths.

    *copy* replaces their folder, or its absence does.
    """
    if not options.rules:
        if options.allow_python:
            raise CannotAudit("--allow-python: no rules are given; add --rules DIR")
        return ()
    from auditor.custom.python import load_check, shut_out
    from auditor.custom.rules import read_rules
    from auditor.util.yamlfile import YamlError

    audited = [Path(path) for path in (*paths, options.old or "-") if path != "-"]
    if options.allow_python:
        shut_out(audited)
    folder = _choose(options.rules, copy)
    if folder is None:
        return ()
    try:
        return read_rules(folder, partial(load_check, allowed=options.allow_python, audited=audited))
    except YamlError as error:
        raise CannotAudit(str(error).replace(str(folder), options.rules)) from None
    except OSError as error:
        raise CannotAudit(f"{options.rules}: cannot be read: {error.strerror}") from None


def _choose(given: str, copy: Path | None) -> Path | None:
    """Return the *copy* of the *given* file or folder, where there is one; None if the copy alone is absent."""
    if copy is None or is_there(copy):
        return copy or Path(given)
    return None if is_there(given) else Path(given)


def read_baseline(file: str) -> "Baseline":
    """Return the content of a baseline; raises CannotAudit."""
    from auditor.engine.baseline import BadBaseline, parse_baseline

    try:
        return parse_baseline(file, read_text(file, MAX_BASELINE_BYTES))
    except BadBaseline as error:
        raise CannotAudit(str(error)) from None


def is_inside(folder: Path, path: Path) -> bool:
    """Return whether *path* leads to a file in *folder*; an untrusted folder may hold symlinks."""
    return path.resolve().is_relative_to(folder.resolve())


def read_declared(path: Path, name: str) -> "Intents":
    """Return the intent that the file at *path* declares; messages call the file *name*."""
    from auditor.intent import parse_intent

    declared = read_yaml(parse_intent, path, name)
    if declared.expected is None:
        return declared
    return replace(declared, expected=replace(declared.expected, folder=str(path.parent)))


def read_yaml(reader: Callable[[str, str], T], path: Path, name: str) -> T:
    """Return the result of *reader* on a YAML file, called *name* in messages; raises CannotAudit."""
    from auditor.util.yamlfile import YamlError

    try:
        return reader(name, read_text(path))
    except YamlError as error:
        raise CannotAudit(str(error)) from None


def read_text(path: str | Path, most: int = MAX_SETTINGS_BYTES) -> str:
    """Return the text of a file that the user names; raises CannotAudit."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(most + 1)
        if len(data) > most:
            raise CannotAudit(f"{path}: too large, expected at most {most} bytes")
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CannotAudit(f"{path}: cannot be read: {explain_encoding(error)}") from None
    except OSError as error:
        raise CannotAudit(f"{path}: cannot be read: {error.strerror or error}") from None
