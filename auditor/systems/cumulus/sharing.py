"""The statements of a port with places counted from its head, so that ports configured alike share one object."""

from dataclasses import replace

from auditor.model.setting import Where
from auditor.systems.cumulus.objects import ObjectNode, Proof

ROUTED = ("ip", "ipv4", "ipv6")
"""The objects below an interface that hold its addresses; `ip` up to release 5.11."""


def find_head(node: ObjectNode) -> Where:
    """Return the first line about the port alone, else the first line about the port."""
    own = [proof.where for proof in (node.proof, *(leaf for _, leaf in node.leaves())) if proof.is_own]
    return min(own, key=lambda where: where.line) if own else node.proof.where


def make_relative(node: ObjectNode, head: Where) -> ObjectNode:
    """Return a copy of the port's node with its own lines counted from *head*."""
    gone = {name: _count_from(proof, head) for name, proof in node.gone.items()}
    found = ObjectNode(_count_from(node.proof, head), gone=gone, ended=node.ended and _count_from(node.ended, head))
    for name, child in node.children.items():
        found.children[name] = make_relative(child, head)
    return found


def _count_from(proof: Proof, head: Where) -> Proof:
    where = proof.where
    if not proof.is_own or where.file != head.file:
        return proof
    pointer = where.pointer.removeprefix(head.pointer)
    return replace(proof, where=Where("", where.line - head.line, relative=True, pointer=pointer))


def make_key(node: ObjectNode) -> tuple[object, ...]:
    """Return a key that is equal for equally configured ports."""
    matters = [leaf for name in ("link", "qos") if (own := node.at(name)) for leaf in own.leaves((name,))]
    spreads = node.at("router", "adaptive-routing")
    matters += spreads.leaves(("router",)) if spreads else ()
    places = [(name, own.proof) for name in (*ROUTED, "bridge") if (own := node.at(name))]
    access = node.at("bridge", "domain")
    tagging = tuple(name for domain in (access.children.values() if access else ()) for name in domain.children)
    return (tuple(matters), tuple(places), tagging, tuple(node.negations()))


def find_inheritable(bond: ObjectNode) -> ObjectNode:
    """Return the statements that the members of a bond inherit."""
    found = ObjectNode(bond.proof)
    mtu = bond.at("link", "mtu")
    if mtu:
        found.put(("link", "mtu"), mtu.proof)
        (found.at("link", "mtu") or found).lay(mtu)
    bridged = bond.at("bridge")
    if bridged:
        found.put(("bridge",), bridged.proof)
        (found.at("bridge") or found).lay(bridged)
    return found
