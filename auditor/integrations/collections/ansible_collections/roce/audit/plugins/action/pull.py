"""The action of `roce.audit.pull`: a pull of the hosts of a play from the control node."""

from typing import Any

from ansible.plugins.action import ActionBase

from auditor.integrations.ansible import PULL_OPTIONS, PlayLogin, pull_hosts


class ActionModule(ActionBase):  # type: ignore[misc]  # Ansible has no types
    """Pulls all hosts of the play at once: they share limits, and a login that is refused is not tried on each."""

    BYPASS_HOST_LOOP = True
    _requires_connection = False

    def run(self, tmp: object = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        """Return the result of the task."""
        result: dict[str, Any] = super().run(tmp, task_vars)
        _, options = self.validate_argument_spec(PULL_OPTIONS)
        for name in ("output", "known_hosts", "ssh_config"):
            if options[name] not in {None, "none"}:
                options[name] = self._loader.path_dwim(options[name])
        known = task_vars or {}
        hosts = {name: known["hostvars"][name] for name in known["ansible_play_batch"]}
        play = self._play_context
        login = PlayLogin(play.remote_user, play.password, play.become, play.become_method)
        return result | pull_hosts(hosts, login, check_mode=self._task.check_mode, **options)
