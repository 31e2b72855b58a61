"""`nvidia-smi topo -m`: the path between each GPU and each NIC."""

from collections.abc import Mapping, Sequence

from auditor.model.dump import Capture
from auditor.model.host import Gpu, Host, Nearness
from auditor.model.setting import Known, Origin
from auditor.systems.linux import text
from auditor.systems.linux.command import Command
from auditor.systems.linux.evidence import Call, Events, HostFact
from auditor.systems.linux.fetch import Fetch
from auditor.systems.linux.marks import mark_ignored, mark_modelled, mark_not_modelled
from auditor.util.regex import regex

_GPU = regex(r"GPU\d{1,3}")
_NUMBERED_NIC = regex(r"NIC\d{1,3}")
_LEGEND = regex(rf"({_NUMBERED_NIC.pattern}):\s+(\S+)")
_AFFINITY = frozenset({"CPU", "NUMA"})
_OLDER_WORDS = {"SOC": Nearness.SYS, **{near.value: near for near in Nearness}}
_NOT_A_RELATION = regex(r"X|NV\d{1,3}|N/A")
_NUMA_COLUMN = regex(r"\bGPU NUMA ID\b")


def read_topology(capture: Capture, _: Call) -> Events:
    """Yield the nearness of each NIC to each GPU; a legend names the NICs that newer releases number."""
    numbered = tuple(text.list_lines(capture))
    names = {match[1]: match[2] for _, line in numbered if (match := _LEGEND.fullmatch(line))}
    columns: list[str] = []
    gpus: dict[str, Known[Gpu]] = {}
    has_numa = False
    for index, line in numbered:
        words = line.split()
        if not columns and _GPU.fullmatch(words[0]) and not _is_row(words):
            columns = _list_columns(words)
            has_numa = bool(_NUMA_COLUMN.search(line))
            unnamed = [column for column in columns if _NUMBERED_NIC.fullmatch(column) and column not in names]
            yield mark_modelled(index)
            if unnamed:
                yield text.make_doubt(capture, index, f"the legend below the table, which names {', '.join(unnamed)}")
        elif columns and _GPU.fullmatch(words[0]):
            gpu = _parse_gpu(columns, words, names, has_numa=has_numa)
            if gpu is None:
                yield text.make_doubt(
                    capture, index, f"{len(columns)} relations such as PIX, PXB, PHB, NODE, SYS or NV18"
                )
                continue
            gpus.setdefault(words[0], Known(gpu, Origin.LEARNED, capture.where(index)))
            yield mark_modelled(index)
        elif _LEGEND.fullmatch(line):
            yield mark_modelled(index)
        elif words[0] in columns or (columns and not text.is_error(line)):
            yield mark_ignored(index)  # the NICs' rows repeat the relations, and a legend explains the words
        elif not text.is_error(line) and not _is_row(words):  # a row whose head was cut is not understood
            yield mark_not_modelled(index)
    if gpus:
        yield HostFact(Host(gpus=Known(gpus, Origin.LEARNED, next(iter(gpus.values())).where)))


def _is_row(words: Sequence[str]) -> bool:
    """Whether a line that begins with a GPU holds relations; the head of the table holds names."""
    return len(words) > 1 and bool(words[1] in _OLDER_WORDS or _NOT_A_RELATION.fullmatch(words[1]))


def _list_columns(words: Sequence[str]) -> list[str]:
    end = next((at for at, word in enumerate(words) if word in _AFFINITY), len(words))
    return list(words[:end])


def _parse_gpu(columns: Sequence[str], words: Sequence[str], names: Mapping[str, str], *, has_numa: bool) -> Gpu | None:
    """Return the GPU of a row; None for a row of another table."""
    cells = words[1 : len(columns) + 1]
    if len(cells) < len(columns):
        return None
    nics: dict[str, Nearness] = {}
    for column, cell in zip(columns, cells, strict=True):
        if _GPU.fullmatch(column):
            if cell not in _OLDER_WORDS and not _NOT_A_RELATION.fullmatch(cell):
                return None
        elif cell in _OLDER_WORDS:
            if column in names or not _NUMBERED_NIC.fullmatch(column):
                nics[names.get(column, column)] = _OLDER_WORDS[cell]
        elif not _NOT_A_RELATION.fullmatch(cell):
            return None
    return Gpu(nics, has_numa and words[-1].isdecimal())


COMMANDS = (
    Command(
        "nvidia-smi topo -m",
        r"nvidia-smi topo (?:-m|-mp|--matrix)",
        read_topology,
        (),
        r"^[ \t]*GPU0[ \t]+X(?:[ \t]|$)",
        "how near each NIC is to each GPU",
        fetch=(
            Fetch(("nvidia-smi topo -m",), "how near GPUs and NICs are", needs="/proc/driver/nvidia", timeout_s=30),
        ),
    ),
)
