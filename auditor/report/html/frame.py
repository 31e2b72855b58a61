"""The frame that all pages share: templates that escape, one style, one script, and a policy that allows no others."""

import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from auditor import __version__
from auditor.report.html.index import SIGNS
from auditor.report.presentation import clean_text
from auditor.util.printable import escape_json
from auditor.util.values import dataclass

if TYPE_CHECKING:
    from jinja2 import Environment


@dataclass(frozen=True, slots=True)
class Head:
    """What stands at the top: the verdict in words, its level (empty: good), facts by title, and counts by level."""

    verdict: str
    level: str
    facts: Sequence[tuple[str, str]]
    levels: Mapping[str, int] = field(default_factory=dict)
    rest: str = ""


def render_page(template: str, **context: object) -> str:
    """Return the page that *template* makes of *context*; every text in it is escaped, redacted and printable."""
    style, script = _read("page.css"), _read_script()
    policy = (
        f"default-src 'none'; style-src 'sha256-{_hash(style)}'; script-src 'sha256-{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    found = _make_environment().get_template(template)
    return found.render(
        **context, style=_trust(style), script=_trust(script), policy=_trust(policy), version=__version__
    )


def embed(data: object) -> Any:  # noqa: ANN401  markup of a library that is loaded with its first use
    """Return *data* as JSON that stands in a page: nothing in it ends the element around it."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=True)
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return _trust(escape_json(text))


def _hash(text: str) -> str:
    return b64encode(sha256(text.encode()).digest()).decode()


def _trust(text: str) -> Any:  # noqa: ANN401  as above
    from markupsafe import Markup  # noqa: PLC0415  with the first page

    return Markup(text)  # noqa: S704  our own files, and JSON without a sign of markup


SCRIPTS = ("base.js", "tables.js", "views.js", "path.js")
"""Parts of the one script, in their order: what every page needs, then what a page with data needs."""


@cache
def _read_script() -> str:
    parts = "\n".join(map(_read, SCRIPTS))
    return f'"use strict";\n(() => {{\n{parts}\n}})();'


@cache
def _read(name: str) -> str:
    return files("auditor.report.html").joinpath("templates", name).read_text(encoding="utf-8").strip()


@cache
def _make_environment() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined  # noqa: PLC0415  with the first page

    made = Environment(
        loader=PackageLoader("auditor.report.html"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_clean,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters["number"] = lambda value: f"{value:,}"
    made.filters["prose"] = _mark_code
    made.filters["plural"] = lambda count, word: f"{count:,} {word}" if count == 1 else f"{count:,} {word}s"
    made.globals |= {"quoted": _quote, "signs": SIGNS}
    return made


def _quote(text: str) -> Any:  # noqa: ANN401  markup of a library that is loaded with its first use
    """Return a text of several lines, each of them clean, as markup."""
    from markupsafe import Markup, escape  # noqa: PLC0415  with the first page

    return Markup("\n").join(escape(clean_text(line)) for line in text.split("\n"))


def _mark_code(text: str) -> Any:  # noqa: ANN401  as above
    """Return a text of our own rules with what stands between backticks as code."""
    from markupsafe import Markup, escape  # noqa: PLC0415  with the first page

    parts = [escape(clean_text(part)) for part in text.split("`")]
    return Markup("").join(Markup("<code>{}</code>").format(part) if at % 2 else part for at, part in enumerate(parts))


def _clean(value: object) -> object:
    return clean_text(value) if type(value) is str else value
