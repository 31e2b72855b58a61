"""Scheduling of Cumulus Linux 3.x and 4.x (`traffic.conf`): groups of switch priorities with weights."""

from auditor.grammar.numbers import parse_whole
from auditor.systems.cumulus.entries import Entry, File
from auditor.systems.cumulus.names import parse_numbers
from auditor.util.regex import regex

SCHEDULED = ("qos", "egress-scheduler", "default-global", "traffic-class")
_WEIGHT = regex(r"priority_group\.(?P<name>[\w-]{1,64})\.weight\Z")
_MAX_WEIGHT = 127


def schedules_by_groups(key: str) -> bool:
    """Return whether only releases before 5.0 have an entry: what they schedule by default is not documented.

    >>> schedules_by_groups("priority_group.bulk.weight"), schedules_by_groups("default_egress_sched.port_set")
    (True, False)
    """
    return key == "scheduling.algorithm" or key.startswith(("priority_group.", "traffic.priority_group_list"))


def schedule_groups(file: File) -> None:
    """Add the scheduling of the queues: a weight of 0 is strict priority, the others share what is left.

    The queues of a group share its weight; how much each gets is not documented.
    """
    weights = {
        match["name"]: (entry, weight)
        for key, entry in file.entries.items()
        if (match := _WEIGHT.match(key)) and (weight := parse_whole(entry.value, range(_MAX_WEIGHT + 1))) is not None
    }
    total = sum(weight for _, weight in weights.values())
    for name, (entry, weight) in weights.items():
        listed = file.entries.get(f"priority_group.{name}.cos_list")
        queues = _list_queues(file, listed) if listed else ()
        for queue in queues:
            file.say(entry, *SCHEDULED, str(queue), "mode", "dwrr" if weight else "strict")
            if weight and len(queues) == 1 and not 100 * weight % total:
                file.say(entry, *SCHEDULED, str(queue), "bw-percent", str(100 * weight // total))
        if queues:
            file.mark_modelled(f"priority_group.{name}.weight", f"priority_group.{name}.cos_list")
    if weights:
        file.mark_modelled("scheduling.algorithm", "traffic.priority_group_list")


def _list_queues(file: File, listed: Entry) -> tuple[int, ...]:
    """Return the queues of the switch priorities in a list: of the same number, unless a line maps one elsewhere."""
    found: list[int] = []
    for priority in parse_numbers(listed.value, 0, 7) or ():
        mapped = file.entries.get(f"cos_egr_queue.cos_{priority}.uc")
        queue = parse_whole(mapped.value, range(8)) if mapped else priority
        if queue is not None:
            found.append(queue)
    return tuple(dict.fromkeys(found))
