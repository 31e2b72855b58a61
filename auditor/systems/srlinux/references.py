"""Names that nothing defines, and definitions that nothing uses."""

from collections.abc import Iterator, Sequence

from auditor.model.device import NamedObject, unite_uses
from auditor.model.setting import Known, Where
from auditor.systems.srlinux.bindings import list_bindings
from auditor.systems.srlinux.config import Config
from auditor.systems.srlinux.tree import Stanza

_DEFINED = {
    "dscp-policy classifier": ("classifiers", "dscp-policy"),
    "dscp-policy rewrite": ("rewrite-rules", "dscp-policy"),
    "pfc-mapping-profile": ("pfc-mapping-profile",),
    "queue-management-profile": ("buffer-management", "queue-management-profile"),
    "buffer-allocation-profile": ("buffer-management", "buffer-allocation-profile"),
    "scheduler-policy": ("scheduler-policies", "scheduler-policy"),
    "queue-template": ("queue-templates", "queue-template"),
}
_BOUND: Sequence[tuple[str, Sequence[str]]] = (
    *(("dscp-policy classifier", ("input", "classifiers", f"{kind}dscp-policy")) for kind in ("", "ipv4-", "ipv6-")),
    *(("dscp-policy classifier", ("input", "classifiers", f"{kind}dscp")) for kind in ("", "ipv4-", "ipv6-")),
    *(("dscp-policy rewrite", ("output", "rewrite-rules", f"{kind}dscp-policy")) for kind in ("", "ipv4-", "ipv6-")),
    *(("dscp-policy rewrite", ("output", "rewrite-rules", f"{kind}dscp")) for kind in ("", "ipv4-", "ipv6-")),
    ("pfc-mapping-profile", ("pfc", "pfc-mapping-profile")),
    ("buffer-allocation-profile", ("input", "pfc-buffer-allocation-profile")),
    ("buffer-allocation-profile", ("output", "buffer-allocation-profile")),
    ("scheduler-policy", ("output", "scheduler", "scheduler-policy")),
)
_DEFAULT = "default"
"""The name of the policy of each kind that the system has by itself."""
_OF_VXLAN = ("dscp-policy classifier", ("qos", "classifiers", "vxlan-default"))
Defined = dict[tuple[str, str], Where]


def list_undefined(config: Config) -> tuple[NamedObject, ...]:
    """Return the names that are used and not defined."""
    defined = _list_defined(config)
    return unite_uses(use for use in _list_uses(config) if (use.kind, use.name) not in defined)


def list_unattached(config: Config) -> tuple[NamedObject, ...]:
    """Return the definitions that nothing uses."""
    used = {(use.kind, use.name) for use in _list_uses(config)}
    return tuple(NamedObject(*key, where) for key, where in _list_defined(config).items() if key not in used)


def _list_defined(config: Config) -> Defined:
    return {
        (kind, entry.node.word): entry.where
        for kind, path in _DEFINED.items()
        for entry in config.top.entries("qos", *path)
    }


def _list_uses(config: Config) -> Iterator[NamedObject]:
    for holder in _list_holders(config):
        for kind, path in _BOUND:
            yield from _use(holder, kind, path)
        for kind, queues, leaf in (
            ("queue-management-profile", ("output", "queues", "queue"), "queue-management-profile"),
            *(
                ("queue-template", ("output", queue), leaf)
                for queue in ("queue", "unicast-queue", "multicast-queue")
                for leaf in ("template", "voq-template")
            ),
        ):
            for entry in holder.entries(*queues):
                yield from _use(entry, kind, (leaf,))
    yield from _use(config.top, *_OF_VXLAN)


def _use(holder: Stanza, kind: str, path: Sequence[str]) -> Iterator[NamedObject]:
    name = holder.word(*path)
    if isinstance(name, Known) and name.where and name.value != _DEFAULT:
        yield NamedObject(kind, name.value, name.where)


def _list_holders(config: Config) -> Iterator[Stanza]:
    yield from (each.stanza for each in list_bindings(config))
    for entry in config.top.entries("interface"):
        if block := entry.below("qos"):
            yield block
        for unit in entry.entries("subinterface"):
            if block := unit.below("qos"):
                yield block
