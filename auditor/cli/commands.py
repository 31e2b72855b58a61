"""The table of commands."""

import argparse
import io
import sys
from collections.abc import Mapping, Sequence

from auditor import __version__
from auditor.cli import (
    accept,
    browse,
    check,
    diff,
    drift,
    estimate,
    fix,
    helping,
    init,
    intent,
    lists,
    path,
    pull,
    show,
    status,
    verify,
)
from auditor.cli.common import CANNOT_AUDIT
from auditor.cli.usage import Parser
from auditor.engine.errors import CannotAudit
from auditor.util.printable import printable

COMMANDS = (
    ("check", "audit files, folders and archives of dumps", check.add_check),
    ("diff", "audit two folders or archives, and report the new findings of the second", diff.add_diff),
    ("drift", "list settings that changed between captures, and what explains them", drift.add_drift),
    ("accept", "hold new devices against a specification, or a peer that runs well", accept.add_accept),
    ("fix", "plan what to type for each cause, audited again with these lines", fix.add_fix),
    ("verify", "verify that each step of a change took effect, by captures before and after it", verify.add_verify),
    ("status", "hand over: what is new, open, fixed, ignored and not known after many captures", status.add_status),
    ("show", "print the port view as JSON, or draw a device or port", show.add_show),
    ("browse", "turn the pages of a report in the terminal: causes, devices, ports, quoted lines", browse.add_browse),
    ("path", "trace RDMA packets and CNPs from host to host, hop by hop", path.add_path),
    ("intent", "print the intent of the fabric, and the nearest preset", intent.add_intent),
    ("estimate", "estimate the cost of a fault on one link, or for a table of scenarios", estimate.add_estimate),
    ("init", "write a roce-audit.yaml inferred from dumps, and print the commands for CI", init.add_init),
    ("explain", "explain a rule and how to fix it", lists.add_explain),
    ("rules", "list the rules", lists.add_rules),
    ("os", "list the supported operating systems, their depth, and their inputs", lists.add_os),
    ("pull", "fetch dumps from devices over SSH, read-only", pull.add_pull),
    ("collect-script", "print a shell script that collects the dump of a host", lists.add_collect_script),
    ("schema", "print a JSON Schema, or write all of them", lists.add_schema),
    ("completion", "print a script that completes commands and options in a shell", helping.add_completion),
    ("help", "print the help of a command", helping.add_help),
)
"""Commands: name, purpose, and the function that adds the arguments."""
EXAMPLES: Mapping[str, Sequence[str]] = {
    "check": ("dumps", "dumps --device 'leaf*' --select pfc", "dumps --output sarif=report.sarif"),
    "diff": ("monday friday", "monday friday --format markdown"),
    "drift": ("monday friday", "monday friday --fail-on-drift"),
    "accept": ("rack.yaml dumps", "--like host1 dumps", "rack.yaml dumps --device host2 --format junit"),
    "fix": ("dumps -o plan", "dumps --device leaf1"),
    "verify": ("plan/plan.json monday friday", "changes.yaml monday friday --format junit"),
    "status": ("monday friday", "monday friday --format tickets"),
    "show": ("dumps", "dumps --device leaf1 --port Eth1/1"),
    "browse": ("dumps", "dumps --config intent.yaml"),
    "path": ("host1 host2 dumps", "host1:ens1f0np0 host5 dumps"),
    "intent": ("dumps", "dumps --preset nvidia-spectrum-x"),
    "estimate": ("--speed 400G --incast 64 --pfc off", "--scenarios links.csv"),
    "init": ("dumps", "dumps --force"),
    "explain": ("PFC001", "PFC001 --os nxos", "3f2a91c04b77 --report report.json"),
    "rules": ("", "--format json"),
    "os": ("", "nxos"),
    "pull": ("inventory.yaml -o dumps", "inventory.yaml -o dumps --dry-run"),
    "collect-script": ("> collect.sh", "| ssh host1 sh > host1.txt"),
    "schema": ("intent", "--all schemas"),
    "completion": ("bash > ~/.local/share/bash-completion/completions/roce-audit", "fish | source"),
    "help": ("", "check"),
}
"""Arguments of each command, as its help shows them; `>` and `|` are for the shell."""


def run_command(argv: Sequence[str] | None = None) -> int:
    """Run the command of *argv* (default: the process's own arguments); return its exit status."""
    arguments = parse(sys.argv[1:] if argv is None else argv)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal without Unicode must not end the run
            stream.reconfigure(errors="backslashreplace")
    try:
        status: int = arguments.run(arguments)
    except CannotAudit as error:
        print(printable(f"roce-audit: {error}"), file=sys.stderr)
        return CANNOT_AUDIT
    return status


def parse(words: Sequence[str]) -> argparse.Namespace:
    """Return the arguments in *words*; a command that stands first is parsed alone, which spares the others' parsers.

    Ends the program after help or a version, and with status 2 for wrong usage.
    """
    for name, purpose, add in COMMANDS:
        if words and words[0] == name:
            description, examples = _describe(name, purpose)
            parser = Parser(prog=f"roce-audit {name}", description=description, epilog=examples)
            add(parser)
            return parser.parse_args(words[1:])
    return build_parser().parse_args(words)


def build_parser() -> Parser:
    """Return the parser of all commands."""
    parser = Parser(prog="roce-audit", description="Audit a RoCEv2 fabric from its configurations.")
    parser.add_argument("--version", action="version", version=f"roce-audit {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, purpose, add in COMMANDS:
        description, examples = _describe(name, purpose)
        add(commands.add_parser(name, help=purpose, description=description, epilog=examples))
    return parser


def _describe(name: str, purpose: str) -> tuple[str, str]:
    """Return what the help of a command says above its arguments, and the examples below."""
    examples = "".join(f"\n  $ roce-audit {name} {words}".rstrip() for words in EXAMPLES[name])
    return f"{purpose}.".capitalize(), f"examples:{examples}\n"
