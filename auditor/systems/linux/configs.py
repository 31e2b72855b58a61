"""The configuration of a port out of all facts about it: merged once for all ports of which the same is said."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from auditor.model.nic import Function, Nic
from auditor.model.port import PortConfig
from auditor.model.setting import Known, Origin, Where, value_of
from auditor.systems.linux import merge, times
from auditor.systems.linux.command import QOS
from auditor.systems.linux.evidence import Rank
from auditor.util.memo import Memo
from auditor.util.values import dataclass

CONFIG = "config."
"""What the path of a setting begins with, counted from the port."""
MOST_CONFIGS, MOST_FACTS = 256, 2**12
"""Configurations that are kept, and the facts of all of them."""
_OWNED = (*(path.removeprefix(CONFIG) for path in QOS), "nic.dcqcn_np", "nic.dcqcn_rp", "nic.np_enabled")
_NO_NIC = Nic()
_OWNED_BY_ARM = "the Arm side of the BlueField owns quality of service (DPU mode); collect its settings there"

Said: TypeAlias = Sequence[tuple[Rank, PortConfig]]
"""What each fact says, with its rank."""
_Key: TypeAlias = tuple[Hashable, ...]
_merged: Memo[_Key, tuple[Said, PortConfig]] = Memo(MOST_CONFIGS, MOST_FACTS)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What decides on a configuration besides the facts that say it.

    `asked_at` and `planned_at` are the lines with what was asked for and what is planned for the next boot. `silences`
    are paths, counted from the port, of what could not be captured, each time with the reason. `bond_at` is the line
    that shows a port that is a bond. `is_arm_side`: the host is the adapter's own cores, where a representor of the
    host (`pf0hpf`) stands for it, and has its quality of service.
    """

    asked_at: Where | None = None
    planned_at: Where | None = None
    silences: tuple[tuple[tuple[str, ...], str], ...] = ()
    has_rdma_device: bool = False
    is_bond: bool = False
    bond_at: Where | None = None
    is_arm_side: bool = False


def merge_configs(said: Said, around: Surroundings, locate: merge.Locate) -> PortConfig:
    """Return the configuration that is *said*, made once for the same objects in the same surroundings.

    Values that contradict each other become Unknown, whose reason *locates* both: that is this host's own.
    """
    key = tuple([(rank, id(config)) for rank, config in said]), around
    known = _merged.find(key)
    if known is not None:
        return known[1]
    located = False

    def note(where: Where) -> Where:
        nonlocal located
        located = True
        return locate(where)

    config = _merge(said, around, note)
    return config if located else _merged.keep(key, (said, config), len(said))[1]


def _merge(said: Said, around: Surroundings, locate: merge.Locate) -> PortConfig:
    config, by_rank = PortConfig(nic=_NO_NIC), dict[Rank, PortConfig]()
    for rank in reversed(Rank):
        of_rank = [each for own, each in said if own is rank]
        if of_rank:
            by_rank[rank] = merge.merge_equal(of_rank, locate)
            config = merge.merge_preferred(by_rank[rank], config)
    config = replace(config, nic=_add_other_times(config, by_rank, around))
    for paths, why in around.silences:
        own_paths = [path.removeprefix(CONFIG) for path in paths if path.startswith(CONFIG)]
        config = merge.silence_paths(config, own_paths, why)
    if value_of((config.nic or _NO_NIC).arm_owned) is True and not around.is_arm_side:
        config = merge.withhold_paths(config, _OWNED, _OWNED_BY_ARM)
    return replace(config, nic=_finish_nic(config.nic or _NO_NIC, around))


def _add_other_times(config: PortConfig, by_rank: Mapping[Rank, PortConfig], around: Surroundings) -> Nic:
    """Return the NIC with requested settings and settings planned for the next boot, if they differ.

    Of those that no capture shows in effect, the names.
    """
    nic = config.nic or _NO_NIC
    asked, planned = by_rank.get(Rank.REQUESTED), by_rank.get(Rank.NEXT_BOOT)
    running = [by_rank[rank] for rank in (Rank.RUNNING, Rank.FIRMWARE, Rank.FALLBACK) if rank in by_rank]
    if asked:
        unseen = times.list_unseen(asked, running)
        requested = times.find_differences(asked, around.asked_at, config)
        nic = replace(nic, requested=requested, requested_unseen=unseen)
    if planned is None:
        return nic
    later = times.find_differences(planned, around.planned_at, config)
    if isinstance(nic.next_boot, Known):
        return replace(nic, next_boot=replace(nic.next_boot, value={**later.value, **nic.next_boot.value}))
    unseen = times.list_unseen(planned, [*running, asked] if asked else running)
    return replace(nic, next_boot=later, next_boot_unseen=unseen)


def _finish_nic(nic: Nic, around: Surroundings) -> Nic:
    """Return *nic*; an InfiniBand link layer gives the transport if unknown, and a bond has the function `bond`."""
    layer = nic.link_layer
    is_infiniband = isinstance(layer, Known) and layer.value == "infiniband" and not isinstance(nic.transport, Known)
    return replace(
        nic,
        has_rdma_device=around.has_rdma_device,
        transport=layer if is_infiniband else nic.transport,
        function=Known(Function.BOND, Origin.LEARNED, around.bond_at) if around.is_bond else nic.function,
    )
