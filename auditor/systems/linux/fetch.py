"""How a command of a host is fetched: over SSH by `pull`, and on the host by the script of `collect-script`.

Only commands that read. Left out though they tell something: `cma_roce_tos` and `cma_roce_mode` (they make configfs
folders and may load modules), `mst start`, the kernel log and the routes (they say more of a site than an audit needs).
"""

from auditor.grammar.show import Pull
from auditor.util.values import dataclass

HOST, RDMA, NETDEV, ADAPTER = "host", "rdma", "netdev", "adapter"
"""The loops of the script: the host once, each RDMA device, each interface, each Broadcom adapter."""
PULL, SCRIPT = frozenset({"pull"}), frozenset({"script"})
MLX, BNXT, IONIC = ("mlx5_core",), ("bnxt_en",), ("ionic",)
"""Drivers of NVIDIA, Broadcom and AMD NICs."""
RDMA_LOADED = "/sys/class/infiniband"
"""Without this folder, asking the kernel for RDMA loads its module."""


@dataclass(frozen=True, slots=True)
class Fetch:
    """A command to run, and what it is for.

    `{netdev}`, `{rdma}`, `{pci}` and `{adapter}` stand for names that `finds` of other commands find, and in the script
    for those of its loop `over`. `is_root`: most of the output is for root alone. The script tries `forms` until one
    succeeds, `pull` sends the first. The script runs it only where one of `drivers` runs the NIC, and `needs` is there:
    a path without which the command has nothing to read, or would load a module. `tells`: the exit status is an answer,
    no failure. `required`, `timeout_s`, `finds` and `counts` are for
    `pull`.
    """

    forms: tuple[str, ...]
    why: str
    over: str = HOST
    drivers: tuple[str, ...] = ()
    needs: str = ""
    is_root: bool = False
    tells: bool = False
    by: frozenset[str] = PULL | SCRIPT
    required: bool = False
    timeout_s: int | None = None
    finds: tuple[str, ...] = ()
    counts: bool = False

    @property
    def pull(self) -> Pull:
        """Return the command as `pull` sends it."""
        return Pull(self.forms[0], self.why, self.required, self.is_root, self.timeout_s, self.finds, self.counts)
