"""Wrong usages: the error first, in one line, with the name that was meant; exit status 2, and no file by mistake."""

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from auditor.cli.commands import COMMANDS, build_parser, parse
from auditor.cli.completion import FILES, FOLDERS, complete
from auditor.cli.helping import SHELLS

Run = Callable[..., tuple[int, str, str]]
CLEAN = Path(__file__).parents[2] / "fixtures" / "fabric-clean"
CAUSES = '{"schema": "roce-audit/report/2"}'
INTENT, PRESET = "schema: roce-audit/intent/1\n", "preset: nvidia-spectrum-x\n"
USAGES = {
    # arguments, of which DUMPS is a clean fabric and DIR a folder: the first line on standard error
    "chek DUMPS": "COMMAND: no such value: 'chek'; did you mean check or schema?",
    "": "COMMAND: missing",
    "-x": "-x: no such option; expected -h, --help or --version",
    "--verison": "--verison: no such option; did you mean --version?",
    "check": "PATH: missing",
    "check --stat": "--stat: no such option; did you mean --statistics, --simulate or --os?",
    "check DUMPS -z": "-z: no such option",
    "diff DUMPS": "NEW: missing",
    "diff DIR/gone DUMPS": "DIR/gone: no such file or directory, expected a file, a folder or an archive",
    "check DUMPS --output sraif=x": "--output sraif=x: no format is named sraif; a file of this name is written as "
    "./sraif=x; did you mean sarif?",
    "check DUMPS --output json=a --output json=a": "--output a: two outputs have this file; expected a file for each "
    "output",
    "check DUMPS --output a.b=x": "--output a.b=x: no format is named a.b; a file of this name is written as ./a.b=x; "
    "expected terminal, json, sarif, junit, github, github-review, gitlab, markdown, html, csv or prometheus",
    "check DUMPS --output =x": "--output =x: the format is missing; a file of this name is written as ./=x; expected "
    "terminal, json, sarif, junit, github, github-review, gitlab, markdown, html, csv or prometheus",
    "check DUMPS --output json=": "--output json=: the file is missing; expected FILE or FORMAT=FILE",
    "check DUMPS --output": "--output: its value is missing",
    "show DUMPS --output json=x": "--output: json=x: expected --format json --output x; a file of this name is written "
    "as ./json=x",
    "estimate --speed 400G --output =x": "--output: =x: expected FILE; a file of this name is written as ./=x",
    "check DUMPS --format sraif": "--format: no such value: 'sraif'; did you mean sarif?",
    "check DUMPS --form json": "--form: no such option; did you mean --format, --port or --color?",
    "check DUMPS --stat": "--stat: no such option; did you mean --statistics, --simulate or --os?",
    "check DUMPS --fail-on errors": "--fail-on: no such value: 'errors'; did you mean error?",
    "check DUMPS --fail-on x": "--fail-on: no such value: 'x'; expected error, warning, note or never",
    "check DUMPS --color sometimes": "--color: no such value: 'sometimes'; expected auto, always or never",
    "check DUMPS --group-by rules": "--group-by: no such value: 'rules'; did you mean rule?",
    "check DUMPS --jobs zero": "--jobs: 'zero' is no number from 1",
    "check DUMPS --jobs 0": "--jobs: '0' is no number from 1",
    "check DUMPS --device-seconds -1": "--device-seconds: '-1' is no number from 1",
    "check DUMPS --base": "--base: its value is missing",
    "check DUMPS --base HEAD --baseline x": "--baseline: not allowed with argument --base",
    "check DUMPS --baseline DIR/gone.json": "DIR/gone.json: cannot be read: No such file or directory",
    "check DUMPS --config DIR/gone.yaml": "DIR/gone.yaml: cannot be read: No such file or directory",
    "check DUMPS --config DIR/latin": "DIR/latin: cannot be read: wrong encoding at byte 7, expected UTF-8",
    "check DUMPS --config DIR": "DIR: cannot be read: Is a directory",
    "check DUMPS --links DIR/gone.yaml": "DIR/gone.yaml: cannot be read: No such file or directory",
    "check DUMPS --rules DIR/gone": "DIR/gone: cannot be read: No such file or directory",
    "check DUMPS --os nxso": "--os nxso: no operating system has this name (`roce-audit os` lists all); did you mean "
    "nxos or nx-os?",
    "check DUMPS --device laef1": "--device laef1: no device has this name; did you mean leaf1, leaf4 or leaf3?",
    "check DUMPS --port Ethernt1/1": "--port Ethernt1/1: no port has this name; did you mean Ethernet1/1, "
    "Ethernet1/31 or Ethernet1/21?",
    "check DUMPS --select PFC0001": "--select PFC0001: no rule, pack or level has this name; did you mean PFC001, "
    "PFC008 or PFC007?",
    "check DUMPS --ignore eror": "--ignore eror: no rule, pack or level has this name; did you mean error?",
    "check DUMPS --select pfc --write-baseline DIR/b": "--write-baseline: a baseline holds all findings; leave out "
    "what selects a part of them",
    "check DIR/key": "DIR/key/roce-audit.yaml:2: no key is named 'trafic' here; did you mean traffic?",
    "check DIR/preset": "DIR/preset/roce-audit.yaml:2: preset: no such value: 'spectrumx'; did you mean "
    "nvidia-spectrum-x?",
    "check DIR/pack": "DIR/pack/roce-audit.yaml:2: no pack is named 'pfcc'; did you mean pfc?",
    "check DIR/rule": "DIR/rule/roce-audit.yaml:2: no rule is named 'PFC0001' (`roce-audit rules` lists all); did you "
    "mean PFC001, PFC008 or PFC007?",
    "check DIR/params": "DIR/params/roce-audit.yaml:2: JOB001: params: no parameter is named 'least_gb'; did you mean "
    "least_gib?",
    "check DIR/expect": "DIR/expect/roce-audit.yaml:2: expect: no key is named 'devcies' here; did you mean devices?",
    "check DUMPS --earlier DIR/gone": "DIR/gone: earlier sample: no such file or directory, expected a file, a folder "
    "or an archive",
    "check DUMPS DIR/dangling": "DIR/dangling/link: dangling symlink; expected a file or a folder",
    "check DIR/gone": "DIR/gone: no such file or directory, expected a file, a folder or an archive",
    "explain PFC0001": "no rule is named 'PFC0001' (`roce-audit rules` lists all); did you mean PFC001, PFC008 or "
    "PFC007?",
    "explain pfc-off-on-losless-port": "no rule is named 'pfc-off-on-losless-port' (`roce-audit rules` lists all); did "
    "you mean pfc-off-on-lossless-port?",
    "explain PFC001 --os nxso": "--os nxso: no operating system has this name; did you mean nxos or nx-os?",
    "explain PFC001 --report DIR/gone": "DIR/gone: cannot be read: No such file or directory",
    "explain PFC001 --report DIR/old.json": "DIR/old.json: no report of this version; write it anew with `roce-audit "
    "check --format json`",
    "os nxso": "no operating system is named 'nxso' (`roce-audit os` lists all); did you mean nxos or nx-os?",
    "schema reprot": "NAME: no such value: 'reprot'; did you mean report?",
    "completion tcsh": "SHELL: no such value: 'tcsh'; expected bash, zsh or fish",
    "help chek": "COMMAND: no such value: 'chek'; did you mean check or schema?",
    "show DUMPS --device laef1": "--device laef1: no device of the dumps has this name; did you mean leaf1, leaf4 or "
    "leaf3?",
    "show DUMPS --device leaf1 --port Eth1/99": "--port Eth1/99: leaf1 has no port of this name; did you mean "
    "Ethernet1/9, Ethernet1/29 or Ethernet1/19?",
    "show DUMPS --port Ethernet1/1": "--port: the device is missing; add --device D",
    "show DIR/gone": "DIR/gone: no such file or directory, expected a file, a folder or an archive",
    "path host1:ens1f0np1 host2 DUMPS": "no RoCE NIC ens1f0np1 at host1; did you mean ens1f0np0 or ens2f0np0?",
    "path host1 hots2 DUMPS": "no host 'hots2' among the dumps; did you mean host2, host8 or host7?",
    "fix DUMPS --device laef1": "--device laef1: no device of the dumps has this name; did you mean leaf1, leaf4 or "
    "leaf3?",
    "intent DUMPS --preset spectrumx": "--preset spectrumx: no preset has this name; did you mean nvidia-spectrum-x?",
    "estimate --spede 400G": "--spede: no such option; did you mean --speed, --seeds or --exposed?",
    "estimate --speed 400Q": "--speed: '400Q', expected a speed above 0, such as 400G or 100Gb/s",
    "estimate --speed 400G --asic tomahwk5": "no ASIC 'tomahwk5' is known; did you mean Tomahawk 5, Tomahawk or "
    "Tomahawk+?",
    "estimate --scenarios DIR/gone.csv": "DIR/gone.csv: cannot be read: No such file or directory",
    "init DIR/gone": "DIR/gone: no such file or directory, expected a folder of dumps",
    "init DIR/latin": "DIR/latin: no folder, expected a folder of dumps",
    "pull": "INVENTORY: missing",
    "pull --dryrun": "--dryrun: no such option; did you mean --dry-run?",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("usage")
    for name, line in (
        ("key", "trafic: []\n"),
        ("preset", "preset: spectrumx\n"),
        ("pack", "packs: {pfcc: false}\n" + PRESET),
        ("rule", "rules: {PFC0001: {level: note}}\n" + PRESET),
        ("params", "rules: {locked-memory-limited: {params: {least_gb: 4}}}\n" + PRESET),
        ("expect", "expect: {devcies: []}\n"),
    ):
        (made / name).mkdir()
        (made / name / "roce-audit.yaml").write_text(INTENT + line, encoding="utf-8")
    (made / "dangling").mkdir()
    (made / "dangling" / "link").symlink_to(made / "gone")
    (made / "latin").write_bytes(b"name: \xe9")
    (made / "old.json").write_text(CAUSES, encoding="utf-8")
    return made


@pytest.mark.read_once
@pytest.mark.parametrize("usage", USAGES)
def test_the_error_stands_first_in_one_line(
    run: Run, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, usage: str
) -> None:
    monkeypatch.chdir(tmp_path)
    words = [word.replace("DUMPS", str(CLEAN)).replace("DIR", str(folder)) for word in shlex.split(usage)]
    status, _, err = run(*words)
    first, *rest = err.splitlines()
    expected = USAGES[usage].replace("DIR", str(folder))
    assert first.removeprefix("roce-audit: ") == expected
    assert status == 2
    assert all(
        re.fullmatch(r"help: roce-audit(?: [a-z-]+)? --help|roce-audit: nothing to audit.*", line) for line in rest
    )
    assert "Errno" not in err
    assert list(tmp_path.iterdir()) == []


def test_an_ignore_of_no_rule_names_the_rule_that_was_meant(run: Run, tmp_path: Path) -> None:
    config = tmp_path / "intent.yaml"
    declared = (CLEAN / "roce-audit.yaml").read_text(encoding="utf-8")
    config.write_text(f"{declared}ignore: [{{rule: PFC0001, reason: a typing mistake}}]\n", encoding="utf-8")
    _, out, _ = run("check", CLEAN, "--config", config, "--format", "json")
    assert "ignore of PFC0001: no rule is named PFC0001; did you mean PFC001, PFC008 or PFC007?" in out


def test_a_file_with_the_name_of_an_output_is_written_by_its_path(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("check", CLEAN, "--output", "./sraif=x")[0] == 0
    assert [path.name for path in tmp_path.iterdir()] == ["sraif=x"]


@pytest.mark.parametrize("name", [name for name, _, _ in COMMANDS])
def test_help_is_that_of_the_command(capsys: pytest.CaptureFixture[str], name: str) -> None:
    texts = []
    for words in ((name, "--help"), ("help", name)):
        with pytest.raises(SystemExit) as end:
            build_parser().parse_args(words).run(build_parser().parse_args(words))
        assert end.value.code == 0
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1]
    assert "examples:\n  $ roce-audit" in texts[0]


@pytest.mark.parametrize("name", [name for name, _, _ in COMMANDS])
def test_a_command_is_parsed_alone_as_it_is_among_all(capsys: pytest.CaptureFixture[str], name: str) -> None:
    def read(parser: Callable[[list[str]], argparse.Namespace], words: list[str]) -> object:
        try:
            return vars(parser(words)), *capsys.readouterr()
        except SystemExit as end:
            return end.code, *capsys.readouterr()

    tails = (
        "",
        "x",
        "x y",
        "x y z w",
        "--help",
        "-h",
        "--nope x",
        "x --format",
        "x --format json",
        "-- -x",
        "--jobs=2 x",
    )
    lines = [[name, *tail.split()] for tail in tails] + [["--version", name], ["-h", name], ["-x", name]]
    for words in lines:
        assert read(parse, words) == read(build_parser().parse_args, words), words


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_of_completions_names_each_command(shell: str) -> None:
    script = complete(shell, build_parser())
    assert all(re.search(rf"\b{re.escape(name)}\b", script) for name, _, _ in COMMANDS)


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_takes_its_script(shell: str, tmp_path: Path) -> None:
    program = shutil.which(shell)
    if program is None:
        assert "CI" not in os.environ, f"{shell} is missing; .ci/run installs it"
        pytest.skip(f"no {shell}")
    script = tmp_path / "script"
    script.write_text(complete(shell, build_parser()), encoding="utf-8")
    option = "--no-execute" if shell == "fish" else "-n"
    subprocess.run([program, option, str(script)], check=True)


def test_bash_completes_commands_formats_and_paths(tmp_path: Path) -> None:
    (tmp_path / "dumps").mkdir()
    (tmp_path / "dump.yaml").touch()
    script = tmp_path / "script"
    script.write_text(complete("bash", build_parser()), encoding="utf-8")
    expected = {
        "roce-audit che": {"check"},
        "roce-audit check --format sa": {"sarif"},
        "roce-audit check du": {"dumps", "dump.yaml"},
        "roce-audit check dumps du": {"dumps", "dump.yaml"},
        "roce-audit check --config du": {"dumps", "dump.yaml"},
        "roce-audit check --rules du": {"dumps"},
        "roce-audit check --jobs du": set(),
        "roce-audit help expl": {"explain"},
    }
    asked = "; ".join(
        f"COMP_WORDS=({words}); COMP_CWORD={len(words.split()) - 1}; COMPREPLY=(); _shtab_roce_audit; "
        'echo "${COMPREPLY[@]}"'
        for words in expected
    )
    command = ["bash", "-c", f"source {script}; {asked}"]
    found = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert {
        words: {word.rstrip("/") for word in line.split()}
        for words, line in zip(expected, found.stdout.splitlines(), strict=True)
    } == expected


def test_fish_completes_paths_where_an_argument_is_one(tmp_path: Path) -> None:
    if shutil.which("fish") is None:
        assert "CI" not in os.environ, "fish is missing; .ci/run installs it"
        pytest.skip("no fish")
    (tmp_path / "dumps").mkdir()
    (tmp_path / "dump.yaml").touch()
    script = tmp_path / "script"
    script.write_text(complete("fish", build_parser()), encoding="utf-8")
    expected = {
        "roce-audit check du": {"dumps/", "dump.yaml"},
        "roce-audit check --config du": {"dumps/", "dump.yaml"},
        "roce-audit check --rules du": {"dumps/"},
        "roce-audit check --jobs du": set(),
        "roce-audit explain du": set(),
        "roce-audit help expl": {"explain"},
    }
    asked = "; ".join(f"echo '= {words}'; complete -C '{words}'" for words in expected)
    command = ["fish", "--no-config", "-c", f"source {script}; {asked}"]
    found = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    parts = [part.splitlines() for part in found.stdout.split("= ")[1:]]
    assert {words: {line.split("\t")[0] for line in lines} for words, *lines in parts} == expected


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_holds_no_placeholder_of_a_default(shell: str) -> None:
    assert "%(" not in complete(shell, build_parser())


def test_each_name_of_a_path_is_that_of_an_argument() -> None:
    commands = next(action for action in build_parser()._actions if isinstance(action, argparse._SubParsersAction))
    named = {action.metavar for own in commands.choices.values() for action in own._actions}
    assert named >= (FILES | FOLDERS)
    assert not {name for name in named if name and re.search("FILE|DIR|PATH|FOLDER", name)} - FILES - FOLDERS


def test_what_completes_is_imported_by_that_command_alone() -> None:
    code = "import sys, auditor.cli.commands; auditor.cli.commands.build_parser(); print('shtab' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"
