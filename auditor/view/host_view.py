"""Hosts and jobs as parts of the public documents."""

from collections.abc import Mapping
from typing import Any, TypeVar

from auditor.model.host import Host
from auditor.model.jobs import Jobs
from auditor.model.setting import Known, value_of
from auditor.view.host_documents import HostView, NicTemplateView

T = TypeVar("T")


def build_host(host: Host) -> dict[str, Any]:
    """Return what `HostView` says of a host."""
    modules, gpus = value_of(host.modules), value_of(host.gpus)
    special = {"modules", "gpus", "routes", "all_routes_of"}
    routes = value_of(host.routes)
    return {
        **{n: read_values(value_of(getattr(host, n))) for n in HostView.model_fields if n not in special},
        "modules": None if modules is None else sorted(modules),
        "gpus": None if gpus is None else {name: dict(gpu.value.nics) for name, gpu in gpus.items()},
        "routes": None if routes is None else {name: list(known.value) for name, known in routes.items()},
        "all_routes_of": value_of(host.all_routes_of),
    }


def build_jobs(jobs: Jobs) -> dict[str, Any]:
    """Return what the public view says of jobs."""
    return {
        "workloads": [
            {
                "name": job.name,
                "environment": {**dict.fromkeys(job.undetermined), **(read_values(job.environment) or {})},
                "resources": read_values(value_of(job.resources)),
            }
            for job in jobs.workloads
        ],
        "templates": [
            {n: t.name if n == "name" else value_of(getattr(t, n)) for n in NicTemplateView.model_fields}
            for t in jobs.templates
        ],
        "networks": [{"name": each.name, "mtu_bytes": value_of(each.mtu_bytes)} for each in jobs.networks],
    }


def read_values(named: Mapping[str, Known[T]] | None) -> dict[str, T] | None:
    """Return values by name without where they come from; None where nothing tells them."""
    return None if named is None else {name: known.value for name, known in named.items()}
