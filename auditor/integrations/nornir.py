"""Tasks of Nornir: pull the hosts of its inventory, and hold each host to one audit of the dumps.

>>> import auditor
>>> report = auditor.audit("fixtures/fabric", auditor.Options(jobs=1))
>>> verdicts = judge_devices(report)
>>> verdicts["host1"].is_failing, verdicts["leaf3"].is_failing, verdicts["leaf3"].causes[0]["rule"]
(False, True, 'MTU002')
"""

import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from nornir.core import Nornir
from nornir.core.inventory import ConnectionOptions, Host
from nornir.core.task import Result, Task

from auditor.collect.campaign import Campaign
from auditor.collect.credentials import USERNAME
from auditor.collect.platforms import find_platform
from auditor.collect.pull import COMPLETE, PullPlan, make_entry
from auditor.collect.route import Ways, find_config
from auditor.collect.scheduler import PullLimits
from auditor.collect.target import InventoryError, Target, make_target
from auditor.engine.result import Report
from auditor.engine.result_rows import list_cause_rows
from auditor.engine.threshold import FailOn, list_failing
from auditor.util.values import dataclass

_campaigns: WeakKeyDictionary[Nornir, dict[PullPlan, Campaign]] = WeakKeyDictionary()
_finding = threading.Lock()


def pull_device(  # noqa: PLR0913  independent options
    task: Task,
    folder: str | os.PathLike[str],
    *,
    connection: str = "netmiko",
    known_hosts: str | os.PathLike[str] | None = None,
    accept_new_host_keys: bool = False,
    resume: bool = False,
    device_seconds: float = 300.0,
) -> Result:
    """Pull the host into `folder/HOST`, as `roce-audit pull` does; its result is its entry in `folder/manifest.json`.

    Address, port, user, password, platform and the extras `key_file` and `ssh_config_file` are those of the host's
    options for *connection*. A host without a password uses keys, the agent, or the password of `roce-audit pull`.
    `sudo: true` in the host's data runs commands that need root by `sudo -n`. A host that did not come whole is failed.
    In a dry run no host is connected, and the result lists the commands.
    """
    host = task.host
    options = host.get_connection_parameters(connection)
    try:
        target = _make_target(host, options)
        if task.is_dry_run():
            return Result(host, {"device": target.name, "commands": _list_commands(target)})
        ways = Ways(
            find_config(_find_config_file(task.nornir, options)),
            Path(known_hosts).expanduser() if known_hosts else None,
            os.environ.get(USERNAME),
            accept_new_host_keys,
        )
        limits = PullLimits(device_s=device_seconds)
        campaign = _find_campaign(task.nornir, PullPlan(Path(folder), ways, limits, resume))
        result = campaign.pull_device(target, options.password)
    except InventoryError as error:
        return Result(host, str(error), failed=True)
    except OSError as error:
        return Result(host, f"{error.filename or folder}: {error.strerror or error}", failed=True)
    return Result(host, make_entry(result), failed=result.status != COMPLETE)


def _make_target(host: Host, options: ConnectionOptions) -> Target:
    """Return the target of *host*; raises InventoryError."""
    said = {
        "hostname": options.hostname,
        "port": options.port,
        "username": options.username,
        "platform": options.platform,
        "key": (options.extras or {}).get("key_file"),
        "sudo": host.get("sudo"),
    }
    return make_target("Nornir's inventory", host.name, said)


def _list_commands(target: Target) -> list[str]:
    platform = find_platform(target.platform or "")
    return [command.template for command in platform.commands] if platform else []


def _find_config_file(nornir: Nornir, options: ConnectionOptions) -> str | None:
    """Return the SSH configuration of a host, else that of Nornir if it exists, which Nornir does not demand."""
    own = (options.extras or {}).get("ssh_config_file")
    shared = nornir.config.ssh.config_file
    return own or (shared if Path(shared).expanduser().is_file() else "none")


def _find_campaign(nornir: Nornir, plan: PullPlan) -> Campaign:
    """Return the campaign that the tasks of *nornir* share."""
    with _finding:
        known = _campaigns.setdefault(nornir, {})
        if plan not in known:
            known[plan] = Campaign(plan, list(nornir.inventory.hosts))
        return known[plan]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of an audit on one device: the rows of its causes, and whether one of its findings fails the audit."""

    causes: tuple[Mapping[str, Any], ...] = ()
    is_failing: bool = False


def judge_devices(report: Report, fail_on: FailOn = "error") -> Mapping[str, Verdict]:
    """Return the verdict on each audited device of *report*; a finding of the level *fail_on* or above fails."""
    failing = {found.device for found in list_failing(report, fail_on)}
    rows: dict[str, list[Mapping[str, Any]]] = {device.name: [] for device in report.audited}
    causes = report.relevant_causes
    for cause, row in zip(causes, list_cause_rows(causes), strict=True):
        for name in cause.devices:
            rows.setdefault(name, []).append(row)
    return {name: Verdict(tuple(rows[name]), name in failing) for name in rows}


def check_device(task: Task, verdicts: Mapping[str, Verdict]) -> Result:
    """Return the causes of the host, worst first, as rows of `Report.list_causes`; a host in no dump is failed."""
    verdict = verdicts.get(task.host.name)
    if verdict is None:
        return Result(task.host, f"{task.host.name}: not audited: no dump of this host was read", failed=True)
    return Result(task.host, list(verdict.causes), failed=verdict.is_failing)
