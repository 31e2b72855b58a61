"""The page of `fix`: the steps in their order, what to type and what it disturbs, then what was tried of each cause."""

from auditor.report.fix import FixPlanView
from auditor.report.html.frame import Head, render_page

STATES = {"re-audited": "same", "simulated": "same", "partly": "warning", "not tried": "unknown"}
"""By state of a fix: the colour of its badge."""


def render(view: FixPlanView) -> str:
    """Return a plan as one HTML page."""
    cured = sum(STATES[each.state.value] == "same" for each in view.fixes)
    left = next((level for level, count in view.after.items() if count), "")
    harsh = [step for step in view.plan if step.reach.disrupts]
    verdict = f"{len(view.plan)} steps fix {cured} of {len(view.fixes)} causes" if view.plan else "No step is known"
    facts = [
        ("Findings before", _format_levels(view.before)),
        ("After all steps", _format_levels(view.after)),
        ("Steps that disturb traffic", f"{len(harsh)} of {len(view.plan)}"),
        ("Devices", str(len({step.device for step in view.plan}))),
    ]
    return render_page("fix.html", title="Fix plan", head=Head(verdict, left, facts), view=view, states=STATES)


def _format_levels(counts: dict[str, int]) -> str:
    return ", ".join(f"{count:,} {level if count == 1 else f'{level}s'}" for level, count in counts.items())
