"""The variables by which a job asks the fabric for service: of NCCL, RCCL, oneCCL, UCX, NVSHMEM and MORI."""

from collections.abc import Iterator

from auditor.util.regex import regex

KEPT = regex(
    r"FI_PROVIDER|CCL_ATL_TRANSPORT|(?:NCCL|RCCL)_(?:NET|NET_PLUGIN|IB_SPLIT_DATA_ON_QPS)|"
    r"(?:NCCL|RCCL)_(?:IB_(?:TC|SL|FIFO_TC|GID_INDEX|HCA|TIMEOUT|RETRY_CNT|ROCE_VERSION_NUM|ADAPTIVE_ROUTING"
    r"|AR_THRESHOLD|PCI_RELAXED_ORDERING|QPS_PER_CONNECTION|GDR_LEVEL|DISABLE|ADDR_FAMILY|ADDR_RANGE|MERGE_NICS)|P2P_DISABLE|SHM_DISABLE"
    r"|GIN_IB_TC|GIN_TYPE|NET_GDR_LEVEL|NET_GDR_READ|SOCKET_IFNAME)"
    r"|UCX_IB_(?:TRAFFIC_CLASS|SL|GID_INDEX|AR_ENABLE|PCI_RELAXED_ORDERING|ROCE_\w+)|UCX_(?:NET_DEVICES|TLS)"
    r"|NVSHMEM_(?:IB_(?:TRAFFIC_CLASS|SL|GID_INDEX|ENABLE_IBGDA)|HCA_LIST|HCA_PE_MAPPING)|MORI_RDMA_(?:SL|TC)|IONIC_LOCKFREE"
)
"""Names of variables that the model keeps."""

LIBRARIES = ("NCCL", "RCCL", "UCX", "NVSHMEM", "MORI", "IONIC", "FI", "CCL")
"""What the names of variables begin with, before `_`."""
NAME = rf"(?<![A-Za-z0-9_])(?:{'|'.join(LIBRARIES)})_[A-Z][A-Z0-9_]{{0,60}}"
"""A pattern of the names of variables."""
_LONGEST_LINE = 8192
_ASSIGNED = regex(rf"(?<![\w$])({NAME})=(\"[^\"]*\"|'[^']*'|[^\s;&|\\\"']*)")
_EXPORTED = regex(r"--export[= ](\"[^\"]*\"|'[^']*'|\S+)")
_SPACED = regex(rf"(?:^|\s)-g?env\s+({NAME})\s+(\"[^\"]*\"|'[^']*'|[^\s;&|\\\"']+)")
"""A variable and its value as two words, for the launchers of MPICH and Intel MPI."""
_EXPANDED = regex(r"[$`]")
UNEXPANDED = "the shell, or the cluster, puts in its value"


def assignments(line: str) -> Iterator[tuple[str, str | None]]:
    """Yield each variable that a command line sets and its value, None where something else puts it in.

    >>> list(assignments("export NCCL_IB_TC=106 UCX_TLS='rc,cuda'"))
    [('NCCL_IB_TC', '106'), ('UCX_TLS', 'rc,cuda')]
    >>> list(assignments("srun --export=ALL,NCCL_IB_TC=106 ./train -x NCCL_IB_SL=$SL"))
    [('NCCL_IB_TC', '106'), ('NCCL_IB_SL', None)]
    >>> list(assignments("mpiexec -genv UCX_TLS rc -n 4 ./train"))
    [('UCX_TLS', 'rc')]
    """
    line = line[:_LONGEST_LINE]
    for exported in _EXPORTED.finditer(line):
        for word in unquote(exported[1]).split(","):
            name, equals, value = word.partition("=")
            if equals and KEPT.fullmatch(name):
                yield name, literal(value)
    line = _EXPORTED.sub(" ", line)
    for match in (*_ASSIGNED.finditer(line), *_SPACED.finditer(line)):
        if KEPT.fullmatch(match[1]):
            yield match[1], literal(unquote(match[2]))


def unquote(text: str) -> str:
    """Return *text* without the quotes around it."""
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text


def literal(value: str) -> str | None:
    """Return *value*, None where it holds something that is only put in later."""
    return None if _EXPANDED.search(value) else value
