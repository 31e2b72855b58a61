"""The table of presets, each with its sources."""

from pages import code, tabulate

from auditor.intent.presets import Preset, Source, list_presets, load_preset


def make_table() -> str:
    """Return the table of all presets, and their sources behind it."""
    found = [load_preset(name) for name in list_presets()]
    rows = [[code(p.name), p.title, _describe_classes(p), p.design or "", p.congestion_control or ""] for p in found]
    sources = [f"### {each.name} {{ #{each.name} }}\n\n" + "\n".join(map(_cite, each.sources)) for each in found]
    return "\n\n".join(
        [tabulate(["preset", "for", "classes", "design", "congestion control"], rows), "## Sources", *sources]
    )


def _describe_classes(preset: Preset) -> str:
    """Return the classes of traffic, with their code points and priorities."""
    shown = []
    for each in preset.traffic or ():
        values = (("DSCP", each.dscp), ("priority", [] if each.priority is None else [each.priority]))
        words = ", ".join(f"{name} {', '.join(map(str, value))}" for name, value in values if value)
        lossless = ", lossless" if each.lossless else ""
        shown.append(f"{each.name}: {words or 'not at the switches'}{lossless}")
    return "; ".join(shown) or ("declare them yourself" if preset.traffic is None else "none at the switches")


def _cite(source: Source) -> str:
    page = f"<{source.page}>" if source.page.startswith("http") and " " not in source.page else source.page
    return f"- {source.says}: {page}"
