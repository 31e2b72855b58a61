"""Undefined profiles, and profiles without a port."""

from collections.abc import Iterator

from auditor.model.device import NamedObject, unite_uses
from auditor.model.setting import Where
from auditor.systems.cumulus.objects import ObjectNode

_KINDS = ("mapping", "remark", "pfc", "link-pause", "congestion-control", "egress-scheduler", "egress-shaper")
_GLOBAL = "default-global"
_SUPPLIED = frozenset({"lossy-multi-tc-host-group", "lossy-multi-tc-network-group"})
"""Profiles that a RoCE mode brings along."""


def list_undefined(root: ObjectNode) -> tuple[NamedObject, ...]:
    """Return the undefined profiles that ports refer to."""
    return unite_uses(
        NamedObject(f"{kind} profile", name, where)
        for kind, name, where in _uses(root)
        if root.at("qos", kind, name) is None and name not in {_GLOBAL, *_SUPPLIED}
    )


def list_unattached(root: ObjectNode) -> tuple[NamedObject, ...]:
    """Return the profiles that no port uses."""
    used = {(kind, name) for kind, name, _ in _uses(root)}
    return tuple(
        NamedObject(f"{kind} profile", name, profile.proof.where)
        for kind in _KINDS
        for name, profile in ((root.at("qos", kind) or ObjectNode(root.proof)).children).items()
        if (kind, name) not in used and name != _GLOBAL
    )


def _uses(root: ObjectNode) -> Iterator[tuple[str, str, Where]]:
    for interface in (root.at("interface") or ObjectNode(root.proof)).children.values():
        for kind in _KINDS:
            holder = interface.at("qos", kind, "profile") or interface.at("qos", kind)
            for name, leaf in (holder.children if holder else {}).items():
                yield kind, name, leaf.proof.where
