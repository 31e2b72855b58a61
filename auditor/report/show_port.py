"""The sheet of one port: each value with its origin and its line, and the depths of its queues to scale."""

from auditor.model.device import Device
from auditor.model.port import Port
from auditor.report.facts import make_reader
from auditor.report.hardware_facts import build_hardware_sections
from auditor.report.nic_facts import build_nic_sections
from auditor.report.port_facts import build_port_sections
from auditor.report.presentation import clean_text
from auditor.report.queue_facts import build_queue_sections
from auditor.report.sheet import render_sheet
from auditor.systems import systems
from auditor.view.port_view import port_view


def render_port(device: Device, port: Port) -> str:
    """Return the sheet of *port* as text."""
    reader = make_reader(port_view(port, with_state=True))
    sections = (
        *build_port_sections(reader, port),
        *build_queue_sections(reader, device, port),
        *build_nic_sections(reader, port),
        *build_hardware_sections(reader),
    )
    return render_sheet(f"{clean_text(f'{device.name} {port.name}')} ({name_system(device)})", sections)


def name_system(device: Device) -> str:
    """Return the name of the operating system of *device*."""
    system = systems().get(device.os)
    return system.name if system else clean_text(device.os)
