"""Nokia SR Linux: its names, and how it is read and pulled."""

from auditor.grammar.entry import make_applier, type_plain
from auditor.grammar.show import Deferred
from auditor.systems.system import ALL, ChangeControl, Login, RemedySyntax, System

# Commands around a change: https://learn.srlinux.dev/kb/cfgmgmt/,
# https://github.com/srl-labs/learn-srlinux/blob/main/docs/blog/posts/2024/navigating-srl.md, and to save it
# https://github.com/srl-labs/containerlab/blob/main/lab-examples/clos02/setup.sh
SYSTEM = System(
    os="nokia_srlinux",
    folder="srlinux",
    name="Nokia SR Linux (7220 IXR, 7250 IXR)",
    rank=75,
    models=ALL,
    give=(
        "info [flat] [from running] [| as json], or config.json",
        "info from state interface *",
        "info from state qos interfaces",
        "info from state system lldp",
        "show version",
    ),
    aliases=("srlinux", "nokia_srl", "srl", "nokia-srlinux", "nokia.srlinux", "nokia.srlinux.srlinux"),
    remedies=RemedySyntax(
        "ethernet-1/1",
        make_applier(type_plain),
        ChangeControl(
            "info flat",
            "diff; commit validate; commit stay",
            "discard stay before the commit",
            "save startup",
        ),
        read_names=Deferred("auditor.systems.srlinux.quotes", "read_own_names"),
        list_quoted=Deferred("auditor.systems.srlinux.quotes", "list_quoted"),
        ends_open=True,
    ),
    login=Login(
        "nokia_srl",
        (
            ("environment cli-engine type basic", "no colours and no toolbar"),
            ("environment complete-on-space false", "blanks are blanks"),
            ("quit", "logging out"),
        ),
    ),
)
