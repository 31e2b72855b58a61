"""The way of a packet through one port, stage by stage: each setting, its origin, and the line that proves it."""

from auditor.engine.fabric_map import MapDevice, MapPort, list_settings
from auditor.report.browse.writing import TextWriter
from auditor.report.html.values import ORIGINS, format_setting
from auditor.report.presentation import Presentation
from auditor.view.stages import Setting, Stage

_LABEL, _VALUE = 24, 16


def write_stages(
    writer: TextWriter, device: MapDevice, port: MapPort, stages: tuple[Stage, ...], shown: Presentation
) -> None:
    """Write the stages of *port* in the order of a packet's way; settings of one line have it once, below the last."""
    shape = device.shapes[port.shape]
    for stage, settings in list_settings(shape, stages):
        writer.add_heading(f"{stage.name} {stage.number}".rstrip())
        places = [port.locate(shape, number) for _, number in settings]
        for (setting, _), place, following in zip(settings, places, [*places, None][1:], strict=True):
            writer.add(_describe(setting))
            if place is not None and place != following:
                _quote(writer, place, shown)


def _describe(setting: Setting) -> str:
    origin = ORIGINS[setting.origin] if setting.state == "known" else setting.why
    return f"{setting.label:<{_LABEL}}{format_setting(setting):<{_VALUE}} {origin}".rstrip()


def _quote(writer: TextWriter, place: tuple[str, int], shown: Presentation) -> None:
    file, line = place
    text = " ".join((shown.source(file, line) or "").split())
    writer.add(f"  {shown.path(file)}:{line}" + (f" | {text}" if text else ""), "dim")
