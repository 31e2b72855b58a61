"""The extension of Griffe that shows how dataclasses of the program are made."""

from typing import Any

import griffe

_OWN, _KNOWN = "auditor.util.values.dataclass", "dataclasses.dataclass"


class ShowConstructors(griffe.Extension):
    """Names the decorator that Griffe knows in place of the program's own, which does the same."""

    def on_class_instance(self, *, cls: griffe.Class, **_: Any) -> None:  # noqa: ANN401  as Griffe's own
        """Rename the decorator of *cls*, if it is a dataclass."""
        for decorator in cls.decorators:
            call = decorator.value
            if isinstance(call, griffe.ExprCall) and call.canonical_path == _OWN:
                call.function = griffe.ExprName(_KNOWN)
