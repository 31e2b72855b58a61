"""What every operating system's folder holds, and the lists that are derived from the folders."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from auditor.checks.catalogue import ANY, make_schema
from auditor.cli import main
from auditor.collect.platforms import list_platforms
from auditor.grammar.show import Deferred
from auditor.systems import find_system, systems
from auditor.systems.effective import load_defaults
from auditor.systems.enterprise_sonic import show as enterprise_sonic
from auditor.systems.eos import show as eos
from auditor.systems.sonic import show as sonic

FIXTURES = Path(__file__).parents[2] / "fixtures"
FOLDERS = Path(__file__).parents[2] / "auditor" / "systems"


def test_every_folder_is_a_system() -> None:
    folders = {path.parent.name for path in FOLDERS.glob("*/__init__.py")}
    assert {each.folder for each in systems().values()} == folders


def test_every_name_finds_one_system() -> None:
    names = [name for each in systems().values() for name in (each.os, *each.aliases)]
    assert len(names) == len(set(names))
    assert all(name == name.lower() for name in names)
    assert all(find_system(name.upper()) is find_system(name) for name in names)
    assert find_system("no such system") is None


def test_ranks_differ() -> None:
    ranks = [each.rank for each in systems().values()]
    assert ranks == sorted(set(ranks))


@pytest.mark.parametrize("os", systems())
def test_a_system_loads(os: str) -> None:
    """The lazy references to signs, parser and defaults resolve."""
    system = systems()[os]
    assert system.relative is None or system.relative in systems()
    device = system.parse("x", "x", ())
    assert (device.os, device.kind) == (os, system.kind)
    assert bool(system.login) == bool(system.pulls())
    assert (FOLDERS / system.folder / "defaults.yaml").is_file() == bool(load_defaults(os).mtu_reference)


@pytest.mark.parametrize("os", ["huawei_vrp", "hp_comware", "aruba_aoscx"])
def test_what_is_kept_before_a_change_is_compared_and_put_back(os: str) -> None:
    remedies = systems()[os].remedies
    assert remedies
    assert remedies.control
    control = remedies.control
    kept = control.keep.split()[-1]
    assert kept in control.look.split()
    assert control.undo.split()[-1] == kept
    assert kept not in control.save


def test_deferred_readers_are_there() -> None:
    readers = [each.read for each in sonic.SHOWS] + [each.read and each.read.read for each in enterprise_sonic.SHOWS]
    deferred = [reader for reader in readers if isinstance(reader, Deferred)]
    assert len(deferred) > 2
    assert all(callable(reader.resolve()) for reader in deferred)


def test_the_lists_are_the_folders() -> None:
    listed = make_schema()["properties"]["remedy"]["propertyNames"]["enum"]
    written = {os: each.remedies for os, each in systems().items() if each.remedies}
    makers = {f"{os}/{maker.key}" for os, syntax in written.items() for maker in syntax.makers}
    assert set(listed) == {*written, *makers, ANY}
    assert set(list_platforms()) == {os for os, each in systems().items() if each.login}


_RUN = """
import sys
from auditor.cli import main
try:
    main(sys.argv[1:])
finally:
    print(*sys.modules, sep="\\n", file=sys.stderr)
"""


def _modules(*arguments: str) -> set[str]:
    """Return the modules that a command imports."""
    done = subprocess.run([sys.executable, "-c", _RUN, *arguments], capture_output=True, text=True, check=False)
    return set(done.stderr.splitlines())


def _readers(modules: set[str]) -> set[str]:
    """Return the systems of which *modules* parse configurations."""
    parts = [module.split(".") for module in modules]
    return {part[2] for part in parts if len(part) > 3 and part[1] == "systems" and part[3] == "parse"}


@pytest.mark.parametrize("arguments", [("os",), ("rules",), ("explain", "PFC001")])
def test_a_list_imports_no_parser(arguments: tuple[str, ...]) -> None:
    found = _modules(*arguments)
    assert "auditor.systems.nxos.system" in found
    assert {name for name in found if re.fullmatch(r"auditor\.systems\.\w+\.\w+", name)} <= {
        "auditor.systems.jobs.signs",  # the table that a rule explains
        *(f"auditor.systems.{each.folder}.system" for each in systems().values()),
    }


def test_a_check_imports_the_parser_that_its_file_needs() -> None:
    config = next(path for path in FIXTURES.rglob("*.cfg") if "feature lldp" in path.read_text(encoding="utf-8"))
    found = _modules("check", "--no-cache", "--jobs", "1", str(config))
    assert _readers(found) == {"nxos"}
    assert not {"auditor.systems.junos.config", "auditor.systems.linux.host", "auditor.systems.eos.config"} & found


def test_os_lists_the_entries_of_one_system(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["os", "arista.eos.eos", "--format", "json"]) == 0
    listed = {each["command"]: each["for"] for each in json.loads(capsys.readouterr().out)}
    assert listed == {each.command: each.why for each in eos.SHOWS}
    assert main(["os", "no such system"]) == 2
    assert "roce-audit os" in capsys.readouterr().err


def test_os_option_takes_an_alias(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    dump = tmp_path / "leaf1.cfg"
    dump.write_text("hostname leaf1\ninterface Ethernet1\n   mtu 9214\n", encoding="utf-8")
    main(["show", "--os", "Arista.EOS.eos", str(dump)])
    assert '"os": "arista_eos"' in capsys.readouterr().out
