"""The action of `roce.audit.check`: an audit on the control node, once for the play."""

from typing import Any

from ansible.plugins.action import ActionBase

from auditor.integrations.ansible import CHECK_OPTIONS, PATH_OPTIONS, check_paths


class ActionModule(ActionBase):  # type: ignore[misc]  # Ansible has no types
    """Audits dumps; changes nothing, also outside of check mode."""

    BYPASS_HOST_LOOP = True
    _requires_connection = False

    def run(self, tmp: object = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        """Return the result of the task."""
        result: dict[str, Any] = super().run(tmp, task_vars)
        _, options = self.validate_argument_spec(CHECK_OPTIONS)
        for name in PATH_OPTIONS & options.keys():
            if options[name] is not None:
                options[name] = self._loader.path_dwim(options[name])
        paths = [path if "://" in path else self._loader.path_dwim(path) for path in options.pop("paths")]
        return result | check_paths(paths, **options)
