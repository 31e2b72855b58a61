"""The names that a switch gives its own policies and classes, for remedies that are typed at it."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial

from auditor.util.regex import regex

_POLICY = regex(r"policy-map (?:type qos )?(?P<name>\S+)")
_CLASS = regex(r"class (?:type qos )?(?P<name>\S+)")
_ATTACHED = regex(r" *service-policy (?:type qos )?input (?P<name>\S+)")
_CLASS_MAP = regex(r"class-map (?:type qos )?(?:match-(?:any|all) )?(?P<name>\S+)")


def read_own_names(lines: Sequence[str]) -> Callable[[Sequence[Sequence[str]]], Iterator[tuple[str, str]]]:
    """Return what yields the policy and the class by which the switch sorts packets, and the line that empties it.

    They are those of the first of the given blocks, the heads around lines in question; else the policy of most ports.

    >>> config = ["class-map type qos match-any RDMA", "  match dscp 0,26", "policy-map type qos P", "  class RDMA"]
    >>> dict(read_own_names(config)([["policy-map type qos P", "class RDMA"]]))
    {'policy': 'P', 'class_map': 'RDMA', 'unmatch': 'no match dscp 0,26'}
    >>> dict(read_own_names(["  service-policy type qos input P"])([]))
    {'policy': 'P'}
    >>> dict(read_own_names(["class-map match-any R", " match dscp 26"])([["policy-map IN", "class R"]]))
    {'policy': 'IN', 'class_map': 'R', 'unmatch': 'no match dscp 26'}
    """
    find_usual, find_matches = cache(partial(_find_usual, lines)), cache(partial(_find_matches, lines))

    def list_names(blocks: Sequence[Sequence[str]]) -> Iterator[tuple[str, str]]:
        for heads in blocks:
            policy, name = (next((m["name"] for head in heads if (m := form.fullmatch(head))), "") for form in _SORTING)
            if policy and name:
                yield from (("policy", policy), ("class_map", name))
                yield from (("unmatch", f"no {line}") for line in find_matches().get(name, ()))
                return
        if usual := find_usual():
            yield "policy", usual

    return list_names


_SORTING = (_POLICY, _CLASS)


def _find_usual(lines: Sequence[str]) -> str:
    """Return the policy of most ports, empty where no port has one."""
    attached = Counter(match["name"] for line in lines if (match := _ATTACHED.match(line)))
    sizes = _count_classes(lines) if attached else Counter[str]()
    return max(attached, key=lambda name: (attached[name], sizes[name]), default="")


def _find_matches(lines: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """Return the line by which a class map matches DSCPs, for each class map with just one."""
    found: dict[str, list[str]] = defaultdict(list)
    name = None
    for line in lines:
        head = _CLASS_MAP.match(line)
        name = head["name"] if head else name if line.startswith(" ") else None
        if name is not None and line.strip().startswith("match dscp "):
            found[name].append(line.strip())
    return {name: own for name, own in found.items() if len(own) == 1}


def _count_classes(lines: Sequence[str]) -> Counter[str]:
    """Return by its name how many classes each policy that sorts packets has."""
    sizes: Counter[str] = Counter()
    name = ""
    for line in lines:
        head = _POLICY.fullmatch(line.strip())
        name = head["name"] if head else name if line.startswith(" ") else ""
        sizes[name] += bool(_CLASS.fullmatch(line.strip()))
    return sizes
