"""The address of the documentation site, and of a rule's page on it."""

from auditor.checks.catalogue import load_rules

DOCS_URL: str | None = None
"""The address of the site, without a slash at its end; None until the site is published: no output then names it."""


def find_site() -> str | None:
    """Return the address of the site; None until it is published."""
    return f"{DOCS_URL}/" if DOCS_URL else None


def find_rule_page(rule: str) -> str | None:
    """Return the address of the page of the rule with this id; None for a site's own rule, or without a site.

    >>> find_rule_page("OUR001") is None
    True
    """
    if DOCS_URL is None or all(each.file.id != rule for each in load_rules()):
        return None
    return f"{DOCS_URL}/rules/{rule}/"
