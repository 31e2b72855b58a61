"""The extension of Griffe that shows the examples of docstrings as code."""

import re
from typing import Any

import griffe

_EXAMPLE = re.compile(r"^>>> .*\n?(?:(?:>>>|\.\.\.|(?=\S)).*\n?)*", re.MULTILINE)


class ShowExamples(griffe.Extension):
    """Fences each example, which a reader of Markdown would take for a quotation."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:  # noqa: ANN401  as Griffe's own
        """Fence the examples in the docstring of *obj*."""
        if obj.docstring:
            obj.docstring.value = fence_examples(obj.docstring.value)

    def on_package(self, *, pkg: griffe.Module, **_: Any) -> None:  # noqa: ANN401  as Griffe's own
        """Fence the examples of the package itself, for which `on_object` is not called."""
        self.on_object(obj=pkg)


def fence_examples(docstring: str) -> str:
    r"""Return *docstring* with a fence around each example and its output, which ends at an empty line.

    >>> fence_examples("Return it.\n\n>>> 1 + 1\n2\n\nMore.").splitlines()[2:6]
    ['```pycon', '>>> 1 + 1', '2', '```']
    """
    return _EXAMPLE.sub(lambda match: f"```pycon\n{match[0].rstrip()}\n```\n", docstring)
