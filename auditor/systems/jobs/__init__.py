"""Jobs: manifests of Kubernetes, batch scripts of Slurm, and scripts that launch a job. They belong to no host."""
