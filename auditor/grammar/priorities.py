"""Which priorities a port never drops, from statements that name them one by one."""

from collections.abc import Mapping

from auditor.model.setting import Known, Origin, Setting, Unknown, Unset


def list_lossless(no_drop: Mapping[int, Setting[bool]], nothing: Unset) -> Setting[tuple[int, ...]]:
    """Return the priorities that are no-drop, with the line of the first of them; *nothing* where no line names any.

    Unknown where a line that names some could not be read; Unset at the line that takes them back.
    """
    unread = next((said for said in no_drop.values() if isinstance(said, Unknown)), None)
    if unread:
        return unread
    written = {priority: said for priority, said in no_drop.items() if isinstance(said, Known)}
    paused = tuple(sorted(priority for priority, said in written.items() if said.value))
    proof = next((written[p].where for p in (*paused, *written)), None)
    taken_back = next((said for said in no_drop.values() if isinstance(said, Unset) and said.where), nothing)
    return Known(paused, Origin.INTENDED, proof) if written else taken_back
