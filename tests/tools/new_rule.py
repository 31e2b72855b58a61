"""Write the skeleton of a rule: seven files that pass the tests as they are, to be turned into the rule that is meant.

    python tests/tools/new_rule.py MTU004 mtu-not-jumbo "The MTU of a port is below that of Ethernet."

The skeleton judges the MTU of ports. Change the check first, then the dumps, then the texts; then write the golden
files anew with `python tests/tools/rewrite_golden.py rules evidence`.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "auditor" / "checks" / "__init__.py"
CHECK = '''"""{summary}"""

from collections.abc import Iterator

from auditor.checks.base import Context, Params
from auditor.model.finding import Finding
from auditor.model.port import PortConfig

LEAST_BYTES = 1500


def {check}(port: PortConfig, _params: Params, _context: Context) -> Iterator[Finding]:
    """{summary}"""
    mtu = port.ethernet.mtu_bytes.known()
    if mtu.value < LEAST_BYTES:
        yield Finding(f"MTU {{mtu.value}} is below {{LEAST_BYTES}}", mtu.where)
'''
RULE = """id: {id}
name: {name}
level: warning
scope: port
check: {check}
summary: {summary}
why: >-
  Say what the fault costs, and how it shows.
decided: >-
  Say how it is decided, with the formula if there is one.
rests_on:
  - configuration
example:
  bad: |
    interface Ethernet1/1
      mtu 1400
  good: |
    interface Ethernet1/1
      mtu 9216
remedy:
  any: Set the MTU of the port to that of its neighbour; a maintenance window is not needed.
references:
  - IEEE Std 802.3-2022, clause 3.2.7
"""
HEAD = "hostname leaf1\nfeature lldp\ninterface Ethernet1/1\n"
DUMPS = {
    "bad": HEAD + "  mtu 1400\n",
    "good": HEAD + "  mtu 9216\n",
    "open": "!Command: show running-config ipqos\ninterface Ethernet1/1\n  priority-flow-control mode on\n",
}


def write_rule(number: str, name: str, summary: str) -> list[Path]:
    """Write the rule's files and its row in the table of checks; return their paths. Exits where one is there."""
    known = [(path, re.match(r"id: ([A-Z]{3}\d{3})\n", path.read_text())) for path in (ROOT / "rules").glob("*/*.yaml")]
    ids = {match[1]: path for path, match in known if match}
    names = {path.stem for path in ids.values()}
    pack = next((path.parent for each, path in ids.items() if each[:3] == number[:3]), None)
    if not re.fullmatch(r"[A-Z]{3}\d{3}", number) or number in ids or pack is None:
        sys.exit(f"{number}: expected a number that is free, of one of {', '.join(sorted({i[:3] for i in ids}))}")
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", name) or name in names:
        sys.exit(f"{name}: expected a name of two or more words joined by `-` that no rule has")
    check = name.replace("-", "_")
    files = {
        pack / f"{name}.yaml": RULE.format(id=number, name=name, check=check, summary=summary),
        ROOT / "auditor" / "checks" / f"{check}.py": CHECK.format(check=check, summary=summary),
        **{ROOT / "fixtures" / "rules" / name / case / "leaf1.cfg": dump for case, dump in DUMPS.items()},
    }
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    bind_check(check)
    return [*files, TABLE]


def bind_check(check: str) -> None:
    """Add the check's module and its row to the table in `auditor/checks/__init__.py`."""
    text = TABLE.read_text(encoding="utf-8")
    row = f'    "{check}": Check(Scope.PORT, {check}.{check}, base.list_switch_ports),\n}}\n'
    text = text.replace("from auditor.checks import (\n", f"from auditor.checks import (\n    {check},\n", 1)
    TABLE.write_text(text.rstrip().removesuffix("}") + row, encoding="utf-8")
    subprocess.run([sys.executable, "-m", "ruff", "check", "-q", "--select", "I", "--fix", TABLE], check=True)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    for path in write_rule(*sys.argv[1:]):
        print(path.relative_to(ROOT))
    golden = [sys.executable, str(ROOT / "tests" / "tools" / "rewrite_golden.py"), "rules"]
    subprocess.run(golden, check=True, cwd=ROOT)
