"""Jobs: Kubernetes manifests and Slurm batch scripts: its names, and how it is read and pulled."""

from auditor.systems.system import RemedySyntax, System

SYSTEM = System(
    os="jobs",
    folder="jobs",
    name="Jobs: Kubernetes manifests and Slurm batch scripts",
    rank=110,
    models="variables of NCCL, RCCL, UCX, NVSHMEM and MORI, what an operator sets on NICs, MTU of networks for RDMA",
    give=(
        "kubectl get -A -o yaml configmaps,pods,jobs,mpijobs,pytorchjobs",
        "kubectl get -A -o yaml network-attachment-definitions,sriovnetworknodepolicies",
        "kubectl get -A -o yaml nicconfigurationtemplates",
        "scripts of sbatch",
    ),
    aliases=(
        "kubernetes",
        "slurm",
    ),
    kind="jobs",
    remedies=RemedySyntax(),
)
