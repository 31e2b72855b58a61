"""The names that a switch gives its own policies and classes, for remedies that are typed at it."""

from collections import Counter
from collections.abc import Iterator, Sequence

from auditor.util.regex import regex

_POLICY = regex(r"policy-map (?:type qos )?(?P<name>\S+)")
_CLASS = regex(r"class (?:type qos )?(?P<name>\S+)")
_ATTACHED = regex(r" *service-policy (?:type qos )?input (?P<name>\S+)")
_CLASS_MAP = regex(r"class-map (?:type qos )?(?:match-(?:any|all) )?(?P<name>\S+)")


def list_own_names(lines: Sequence[str], blocks: Sequence[Sequence[str]]) -> Iterator[tuple[str, str]]:
    """Yield the policy and the class by which the switch sorts packets, and the line that empties that class.

    They are those of the first of *blocks*, the heads around lines in question; else the policy of most ports.

    >>> config = ["class-map type qos match-any RDMA", "  match dscp 0,26", "policy-map type qos P", "  class RDMA"]
    >>> dict(list_own_names(config, [["policy-map type qos P", "class RDMA"]]))
    {'policy': 'P', 'class_map': 'RDMA', 'unmatch': 'no match dscp 0,26'}
    >>> dict(list_own_names(["  service-policy type qos input P"], []))
    {'policy': 'P'}
    >>> dict(list_own_names(["class-map match-any R", " match dscp 26"], [["policy-map IN", "class R"]]))
    {'policy': 'IN', 'class_map': 'R', 'unmatch': 'no match dscp 26'}
    """
    for heads in blocks:
        policy, name = (next((m["name"] for head in heads if (m := form.fullmatch(head))), "") for form in _SORTING)
        if policy and name:
            yield from (("policy", policy), ("class_map", name))
            yield from _list_matches(lines, name)
            return
    attached = Counter(match["name"] for line in lines if (match := _ATTACHED.match(line)))
    if attached:
        sizes = _count_classes(lines)
        yield "policy", max(attached, key=lambda name: (attached[name], sizes[name]))


_SORTING = (_POLICY, _CLASS)


def _list_matches(lines: Sequence[str], class_map: str) -> Iterator[tuple[str, str]]:
    """Yield the line that takes back what a class map matches by DSCP, where it is one."""
    inside = False
    taken: list[str] = []
    for line in lines:
        head = _CLASS_MAP.match(line)
        inside = head["name"] == class_map if head else inside and line.startswith(" ")
        if inside and line.strip().startswith("match dscp "):
            taken.append(f"no {line.strip()}")
    if len(taken) == 1:
        yield "unmatch", taken[0]


def _count_classes(lines: Sequence[str]) -> Counter[str]:
    """Return by its name how many classes each policy that sorts packets has."""
    sizes: Counter[str] = Counter()
    name = ""
    for line in lines:
        head = _POLICY.fullmatch(line.strip())
        name = head["name"] if head else name if line.startswith(" ") else ""
        sizes[name] += bool(_CLASS.fullmatch(line.strip()))
    return sizes
