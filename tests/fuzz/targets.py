"""What is fuzzed: for each part of the program, what makes a case, and what runs it."""

import contextlib
import io
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import fix_cases
import packed
import settings_cases
from case import Broken, Case
from mutators import CHARACTERS, mutate
from pipeline import audit_snapshot, make_unit, read_unit, redact_text, render_report, render_views
from plan_texts import get_text
from seeds import FOLDER, Material, choose

from auditor.cli import main
from auditor.inputs.cable_plans import FORMATS, MAX_NAME, find_plan
from auditor.inputs.detection import identify_file
from auditor.inputs.rawtext import Problem, Raw, parse_text
from auditor.inputs.sessions import split_captures
from auditor.inputs.snapshot import Snapshot, find
from auditor.model.dump import Capture
from auditor.systems import systems
from auditor.systems.linux.show import SCRIPTED

COMMANDS = (
    ("check",),
    ("check", "--format", "json", "--open"),
    ("show",),
    ("show", "--state"),
    ("show", "--coverage"),
    ("path", "host1", "host2"),
    ("intent",),
    ("check", "--infer"),
)


@dataclass(frozen=True, slots=True)
class Target:
    """A part of the program: *share* of the cases, what makes one, and what runs it (raises what is wrong)."""

    share: int
    make: Callable[[Random, Material], Case]
    run: Callable[[Case], None]


def _make_dump(chance: Random, material: Material) -> Case:
    """Return a mutant of a whole dump of each system in turn, read as that system or as another."""
    os = chance.choice(list(material.dumps))
    seed = choose(chance, material.dumps[os])
    told = {"os": os if chance.random() < 0.85 else chance.choice(list(systems()))}
    return Case("dump", {seed.name: mutate(chance, seed.text, material)}, told)


def _run_dump(case: Case) -> None:
    name, data = next(iter(case.files.items()))
    raw = parse_text(data, name, given=True)
    if isinstance(raw, Raw):
        captures = split_captures(raw, identify_file(raw, None).heads)
        unit = make_unit(case.told["os"], captures)
        device, _ = read_unit(unit)
        report = audit_snapshot(Snapshot((unit,)))
        render_report(report, ("json",))
        if len(raw.lines) % 3 == 0:  # the same of a case however often it runs, and of a third of the cases
            render_report(report)
            render_views([device])
        redact_text(raw.lines)


def _make_capture(chance: Random, material: Material) -> Case:
    """Return a mutant of a capture for each reader in turn, beside a configuration of its system."""
    os, command = chance.choice(material.readers)
    own = [seed for (system, _), seeds in material.captures.items() if system == os for seed in seeds]
    fitting = material.captures.get((os, command)) or [seed for seed in own if seed.command == command] or own
    seed = choose(chance, fitting if chance.random() < 0.9 and fitting else material.all_dumps)
    if os == "linux":
        command = seed.command if chance.random() < 0.5 else command or chance.choice(SCRIPTED).pull.command
    files = {"capture.txt": mutate(chance, seed.text, material)}
    if os in material.dumps and chance.random() < 0.7:
        files["config.txt"] = choose(chance, material.dumps[os]).text.encode("utf-8", "surrogatepass")
    return Case("capture", files, {"os": os, "command": command})


def _run_capture(case: Case) -> None:
    captures = []
    for name, data in case.files.items():
        raw = parse_text(data, name, given=True)
        if isinstance(raw, Raw):
            command = case.told["command"] if name == "capture.txt" else ""
            captures.append(Capture(name, raw.lines, command, ends_mid_line=not raw.ends_with_newline))
    for capture in captures:
        for system in systems().values():
            system.recognise(capture)
    if captures:
        device, _ = read_unit(make_unit(case.told["os"], captures))
        if len(captures[0].lines) % 4 == 0:
            render_views([device])


def _make_fabric(chance: Random, material: Material) -> Case:
    """Return a small fabric with one or two mutated files, sometimes under an odd name."""
    folder = chance.choice(material.fabrics)
    files = {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "expected.txt"
    }
    for name in chance.choices(list(files), k=chance.choice((1, 1, 2))) if files else ():
        if name in files:
            data = mutate(chance, files.pop(name).decode("utf-8", "replace"), material)
            files[_rename(chance, name) if chance.random() < 0.15 else name] = data
    if chance.random() < 0.1:
        files |= packed.make_manifest(chance, material)
    return Case("fabric", files)


def _rename(chance: Random, name: str) -> str:
    """Return an odd name in place of that of a file."""
    stem, _, suffix = name.rpartition("/")[2].rpartition(".")
    odd = [character for character in CHARACTERS if character not in {"\0", "/", "../.."}]
    kind = chance.randrange(4)
    made = (
        f"{stem}{chance.choice(odd)}.{suffix}",
        f"{chance.choice(odd)}{stem}",
        f"{stem}{chance.choice(('.json', '.yaml', '.zip', '.tar.gz', '.md', '.txt.txt', '.', '.CFG', '.xz'))}",
        f"{stem * 60}"[:200],
    )[kind]
    return made.replace("/", "_").encode("utf-8", "surrogatepass")[:200].decode("utf-8", "ignore") or "x"


def _run_fabric(case: Case) -> None:
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
        case.write(Path(folder))
        declared, cables = settings_cases.read_beside(Path(folder))
        snapshot = find([folder])
        report = audit_snapshot(snapshot, declared, cables)
        render_report(report)


def _make_command(chance: Random, material: Material) -> Case:
    case = _make_fabric(chance, material)
    return Case("command", case.files, {"command": "\n".join(chance.choice(COMMANDS))})


def _run_command(case: Case) -> None:
    words = case.told["command"].split("\n")
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
        case.write(Path(folder))
        status, out, err = run_program([*words, "--jobs", "1", "--no-cache", folder])
    if "Traceback (most recent call last)" in err + out:
        raise Broken(f"command {words[0]}: a traceback is printed: {err[-600:]}")
    if status not in {0, 1, 2}:
        raise Broken(f"command {words[0]}: exit status {status}")


def run_program(words: Sequence[str]) -> tuple[int, str, str]:
    """Return exit status, standard output and standard error of a command within this process."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status = main(words)
        except SystemExit as end:  # argparse leaves so
            status = end.code if isinstance(end.code, int) else 2
    return status, out.getvalue(), err.getvalue()


def _make_plan(chance: Random, material: Material) -> Case:
    """Return a mutant of a file with cables of each format in turn, beside a switch."""
    text = get_text(chance.choice(FORMATS))
    data = mutate(chance, text.make(chance.choice((0, 1, 3, 20))), material)
    switch = "version 10.4(5)\nhostname leaf1\ninterface Ethernet1/1\n  mtu 9216\n  priority-flow-control mode on\n"
    return Case("plan", {text.file: data, "leaf1": switch.encode()})


def _run_plan(case: Case) -> None:
    """Run `_run_fabric`; a plan that is read has names alone."""
    for name, data in case.files.items():
        raw = parse_text(data, name, given=False)
        plan = find_plan(raw) if isinstance(raw, Raw) else None
        if plan and plan.line is not None and plan.line < 1:
            raise Broken(f"plan: line {plan.line}")
        if plan and not all(0 < len(part) <= MAX_NAME for cable in plan.cables for end in cable for part in end):
            raise Broken("plan: a cable without a name")
    _run_fabric(case)


def _make_bytes(chance: Random, material: Material) -> Case:
    """Return any file, read and identified as it comes."""
    seeds = material.all_dumps if chance.random() < 0.8 else material.unknown or material.all_dumps
    seed = choose(chance, seeds)
    return Case("identify", {seed.name: mutate(chance, seed.text, material)})


def _run_bytes(case: Case) -> None:
    name, data = next(iter(case.files.items()))
    for given in (True, False):
        raw = parse_text(data, name, given=given)
        if isinstance(raw, Problem) and raw.line is not None and raw.line < 1:
            raise Broken(f"problem: line {raw.line}")
        if isinstance(raw, Raw):
            identify_file(raw, None)
            redact_text(raw.lines)


TARGETS: dict[str, Target] = {
    "dump": Target(10, _make_dump, _run_dump),
    "capture": Target(14, _make_capture, _run_capture),
    "identify": Target(4, _make_bytes, _run_bytes),
    "fabric": Target(3, _make_fabric, _run_fabric),
    "plan": Target(1, _make_plan, _run_plan),
    "command": Target(1, _make_command, _run_command),
    "remedy": Target(3, fix_cases.make_remedy, fix_cases.run_remedy),
    "fix": Target(1, fix_cases.make_plan, fix_cases.run_plan),
    "suggest": Target(1, fix_cases.make_suggestion, fix_cases.run_suggestion),
    "archive": Target(3, packed.make_archive, packed.run_archive),
    **{
        name: Target(settings_cases.SHARES.get(name, 1), make, run)
        for name, (make, run) in settings_cases.KINDS.items()
    },
}
"""All targets by name; a new reader or kind of settings is fuzzed by being in the tables of the program."""


def make_case(seed: str, number: int, material: Material, only: Sequence[str] = ()) -> Case:
    """Return the case of a number: the same for the same seed, number and material."""
    chance = Random(f"{seed}/{number}")
    names = [name for name in TARGETS if not only or name in only]
    name = chance.choices(names, [TARGETS[each].share for each in names])[0]
    return TARGETS[name].make(chance, material)


def name_reader(case: Case) -> str:
    """Return the reader that a case is for: its target, and its system."""
    return " ".join(filter(None, (case.target, case.told.get("os", ""))))
