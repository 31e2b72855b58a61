"""The code points that a classification policy writes into its packets."""

from collections.abc import Iterable
from typing import Protocol

from auditor.model.qos import Marking
from auditor.model.setting import Known, Origin, Setting, Where


class Sets(Protocol):
    """A class of a policy: the internal class that it chooses (default: 0), and the code points that it writes."""

    qos_group: Setting[int]
    dscp: Setting[int]
    cos: Setting[int]


def find_marking(actions: Iterable[Sets], where: Where) -> Marking:
    """Return the marking of a policy on what arrives, which begins at *where*.

    Of several classes with one qos-group the first counts.
    """
    dscp: dict[str, Known[int]] = {}
    pcp: dict[str, Known[int]] = {}
    for action in actions:
        group = str(action.qos_group.value if isinstance(action.qos_group, Known) else 0)
        if isinstance(action.dscp, Known):
            dscp.setdefault(group, action.dscp)
        if isinstance(action.cos, Known):
            pcp.setdefault(group, action.cos)
    return Marking(
        Known(dscp, Origin.INTENDED, where),
        Known(pcp, Origin.INTENDED, where),
        Known(value=bool(dscp or pcp), origin=Origin.INTENDED, where=where),
        on_arrival=True,
    )
