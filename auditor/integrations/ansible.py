"""The work of the collection `roce.audit` of Ansible: a pull of the hosts of a play, and an audit, on the control node.

It imports nothing of Ansible's: the plugins of the collection hand over variables and options.
"""

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import field
from pathlib import Path
from typing import Any

from auditor.collect.ansible import list_targets, select_variables
from auditor.collect.campaign import Campaign
from auditor.collect.credentials import USERNAME
from auditor.collect.failure import PullError
from auditor.collect.pull import COMPLETE, DeviceResult, PullPlan, make_entry
from auditor.collect.route import Ways, find_config
from auditor.collect.scheduler import PullLimits
from auditor.collect.store import load_earlier
from auditor.collect.target import InventoryError, Target, make_inventory
from auditor.engine.audit import audit
from auditor.engine.errors import CannotAudit
from auditor.engine.options import Options
from auditor.engine.result import Notice, Report, count_by_level
from auditor.engine.result_rows import list_cause_rows
from auditor.engine.threshold import FailOn, list_failing
from auditor.util.values import dataclass

PATH_OPTIONS = frozenset({"config", "links", "rules", "baseline", "old", "earlier"})
"""Options of a check that name a file or a folder, as `Options` does."""
CHECK_OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "paths": {"type": "list", "elements": "str", "required": True},
    "fail_on": {"type": "str", "choices": ["error", "warning", "note", "never"], "default": "error"},
    "limit": {"type": "int", "default": 100},
    **{name: {"type": "path"} for name in sorted(PATH_OPTIONS)},
}
"""The options of `roce.audit.check`, in Ansible's terms."""
PULL_OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "output": {"type": "path", "required": True},
    "known_hosts": {"type": "path"},
    "accept_new_host_keys": {"type": "bool", "default": False},
    "ssh_config": {"type": "path"},
    "resume": {"type": "bool", "default": False},
    "workers": {"type": "int", "default": PullLimits().workers},
    "device_seconds": {"type": "float", "default": PullLimits().device_s},
}
"""The options of `roce.audit.pull`."""
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class PlayLogin:
    """The login of a play, for hosts whose variables say nothing; no representation shows the password."""

    username: str | None = None
    password: str | None = field(default=None, repr=False)
    become: bool = False
    become_method: str | None = None


def pull_hosts(  # noqa: PLR0913  the options of the task
    hosts: Mapping[str, Mapping[str, Any]],
    login: PlayLogin,
    *,
    check_mode: bool,
    output: str,
    known_hosts: str | None,
    accept_new_host_keys: bool,
    ssh_config: str | None,
    resume: bool,
    workers: int,
    device_seconds: float,
) -> dict[str, Any]:
    """Pull *hosts*, each with its variables, into *output*; return the result of the task."""
    notes: list[str] = []
    wanted: list[tuple[Target, str | None]] = []
    try:
        for name, variables in hosts.items():
            said = _fill_in(select_variables(variables), login)
            password = said.pop("password", None)
            found = list_targets("inventory of the play", name, said, notes)
            wanted += [(target, None if password is None else str(password)) for target in found]
        targets = make_inventory(target for target, _ in wanted).targets
        if check_mode:
            return {"changed": False, "skipped": True, "msg": f"would pull {len(targets)} devices", "devices": []}
        ways = Ways(
            find_config(ssh_config),
            Path(known_hosts) if known_hosts else None,
            os.environ.get(USERNAME),
            accept_new_host_keys,
        )
        limits = PullLimits(workers=workers, device_s=device_seconds)
        plan = PullPlan(Path(output), ways, limits, resume)
        before = _list_digests(plan.root, targets)
        results = _pull_all(wanted, plan)
    except InventoryError as error:
        return _fail(str(error))
    except OSError as error:
        return _fail(f"{error.filename or output}: {error.strerror or error}")
    changed = before != _list_digests(plan.root, targets)
    return _describe_pull(results, notes) | {"changed": changed}


def _fill_in(said: dict[str, Any], login: PlayLogin) -> dict[str, Any]:
    """Return the variables of a host, with those of the play where the host has none."""
    play = {
        "username": login.username,
        "password": login.password,
        "sudo": login.become,
        "method": login.become_method,
    }
    said.pop("become_password", None)
    return {**{key: value for key, value in play.items() if value}, **said}


def _pull_all(wanted: Sequence[tuple[Target, str | None]], plan: PullPlan) -> list[DeviceResult]:
    campaign = Campaign(plan, [target.name for target, _ in wanted])
    with ThreadPoolExecutor(max(1, min(plan.limits.workers, len(wanted)))) as pool:
        return list(pool.map(lambda each: campaign.pull_device(*each), wanted))


def _list_digests(root: Path, targets: Sequence[Target]) -> dict[tuple[str, str], str]:
    """Return the digest of each capture below *root*."""
    found: dict[tuple[str, str], str] = {}
    for target in targets:
        try:
            captures, _ = load_earlier(root, target.name)
        except PullError:
            continue
        found |= {(target.name, command): stored.sha256 for command, stored in captures.items()}
    return found


def _describe_pull(results: Sequence[DeviceResult], notes: Sequence[str]) -> dict[str, Any]:
    complete = sum(each.status == COMPLETE for each in results)
    lines = [f"{complete} of {len(results)} devices complete"]
    lines += [f"{each.name}: {each.why}" for each in results if each.why][:_SHOWN]
    return {
        "failed": complete < len(results) or not results,
        "msg": "; ".join(lines),
        "devices": [make_entry(each) for each in results],
        "warnings": list(dict.fromkeys(notes)),
    }


def check_paths(
    paths: Sequence[str], *, fail_on: FailOn = "error", limit: int = 100, **options: str | None
) -> dict[str, Any]:
    """Audit *paths*; return the result of the task. *options* are some of `PATH_OPTIONS`."""
    try:
        report = audit(paths, Options(**options))  # type: ignore[arg-type]  # each of them names a path
    except CannotAudit as error:
        return _fail(str(error))
    problems = _describe_notices(report.problems)
    if not report.devices:
        problems.append("the paths hold no dump of a device")
    failing = len(list_failing(report, fail_on))
    return {
        "changed": False,
        "failed": bool(problems or failing),
        "msg": "; ".join(_summarise(report, problems)),
        "causes": list_cause_rows(report.relevant_causes[: max(limit, 0)]),
        "levels": dict(count_by_level(report.relevant)),
        "devices": report.devices,
        "problems": problems,
        "warnings": _describe_notices(report.warnings),
    }


def _describe_notices(notices: Sequence[Notice]) -> list[str]:
    return [f"{each.file}: {each.message}" if each.file else each.message for each in notices]


def _summarise(report: Report, problems: Sequence[str]) -> list[str]:
    levels = ", ".join(f"{count} {level}" for level, count in count_by_level(report.relevant).items())
    worst = [f"{cause['device']}: {cause['rule']}: {cause['message']}" for cause in _list_worst(report)]
    not_audited = [f"not audited: {problem}" for problem in problems[:_SHOWN]]
    return [f"{report.devices} devices; findings: {levels}", *not_audited, *worst]


def _list_worst(report: Report) -> list[dict[str, Any]]:
    return list_cause_rows(report.relevant_causes[:_SHOWN])


def _fail(message: str) -> dict[str, Any]:
    return {"changed": False, "failed": True, "msg": message}
