"""Campaigns in words: how many devices have moved, by stage, and which jobs run on both kinds."""

from collections.abc import Iterator, Sequence

from auditor.engine.campaigns import CampaignState, Movement, Progress
from auditor.report.presentation import clean_text
from auditor.report.quote import join_port_names

_NAMED = (Progress.FAILED, Progress.WAITING, Progress.PARTLY, Progress.PENDING, Progress.NOT_SHOWN)
MOST_TEXT = 100


def list_campaigns(states: Sequence[CampaignState]) -> Iterator[str]:
    """Yield the lines of each campaign."""
    for state in states:
        yield describe_campaign(state)
        if state.is_begun:
            yield from (f"  {line}" for line in _list_details(state))


def describe_campaign(state: CampaignState) -> str:
    """Return a campaign in one line: until when, and how many devices have come how far."""
    campaign = state.campaign
    counts = ", ".join(f"{count} {progress.value}" for progress, count in state.count().items())
    end = f"over since {campaign.until}" if state.is_over else f"until {campaign.until}"
    if not state.is_begun:
        return clean_text(f"campaign {campaign.name}, from {campaign.start}: not begun")
    return clean_text(f"campaign {campaign.name}, {end}: {counts or 'no device of it shows what it changes'}")


def _list_details(state: CampaignState) -> Iterator[str]:
    stages = dict.fromkeys((*(stage.name for stage in state.campaign.stages), *(each.stage for each in state.devices)))
    if len(stages) > 1:
        yield clean_text("; ".join(_count_stage(stage, state.devices) for stage in stages))
    for progress in _NAMED:
        names = [each.device for each in state.devices if each.progress is progress]
        if names:
            named = join_port_names(names)
            yield clean_text(f"{progress.value}: {named if len(named) <= MOST_TEXT else f'{names[0]} and others'}")
    for job in state.mixed:
        versions = f" ({' and '.join(job.versions)})" if len(job.versions) > 1 else ""
        yield clean_text(f"job {job.name} may run on devices that have moved and on others{versions}")


def _count_stage(stage: str, devices: Sequence[Movement]) -> str:
    own = [each for each in devices if each.stage == stage]
    done = sum(each.progress is Progress.DONE for each in own)
    return f"{stage or 'the rest'}: {done} of {len(own)}"
