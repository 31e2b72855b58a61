"""Names that lead nowhere: profiles that a port uses and nothing defines, and profiles that no port uses."""

from collections.abc import Iterator

from auditor.model.device import NamedObject
from auditor.model.setting import Where
from auditor.systems.cumulus.objects import Node

_KINDS = ("mapping", "remark", "pfc", "link-pause", "congestion-control", "egress-scheduler", "egress-shaper")
_GLOBAL = "default-global"
_SUPPLIED = frozenset({"lossy-multi-tc-host-group", "lossy-multi-tc-network-group"})
"""Profiles that a RoCE mode brings along."""


def undefined(root: Node) -> tuple[NamedObject, ...]:
    """Return the profiles that ports refer to and that nothing defines."""
    found: dict[tuple[str, str], NamedObject] = {}
    for kind, name, where in _uses(root):
        if root.at("qos", kind, name) is None and name not in {_GLOBAL, *_SUPPLIED}:
            found.setdefault((kind, name), NamedObject(f"{kind} profile", name, where))
    return tuple(found.values())


def unattached(root: Node) -> tuple[NamedObject, ...]:
    """Return the profiles that no port uses."""
    used = {(kind, name) for kind, name, _ in _uses(root)}
    return tuple(
        NamedObject(f"{kind} profile", name, profile.proof.where)
        for kind in _KINDS
        for name, profile in ((root.at("qos", kind) or Node(root.proof)).children).items()
        if (kind, name) not in used and name != _GLOBAL
    )


def _uses(root: Node) -> Iterator[tuple[str, str, Where]]:
    for interface in (root.at("interface") or Node(root.proof)).children.values():
        for kind in _KINDS:
            holder = interface.at("qos", kind, "profile") or interface.at("qos", kind)
            for name, leaf in (holder.children if holder else {}).items():
                yield kind, name, leaf.proof.where
