"""Versions of firmware and operating systems with a fault that their vendor has published."""

from collections.abc import Iterable, Iterator
from typing import Literal

from pydantic import BaseModel, Field

from auditor.checks.base import Params, Whole
from auditor.intent import DueVersion
from auditor.model.device import Device
from auditor.model.finding import Finding, Level
from auditor.model.port import Port
from auditor.model.setting import Known, Setting, Where, value_of
from auditor.util.model_config import CLOSED
from auditor.util.regex import regex
from auditor.util.values import dataclass

_NUMBER = regex(r"\d{1,9}(?:\.\d{1,9}){1,3}")


class PublishedFault(BaseModel):
    """A published fault: the versions of a product that have it, what it does, where that is written and was read."""

    model_config = CLOSED

    product: str = Field(description="model of the NIC, or the operating system's name in this program")
    at_least: str = Field(default="0.0", description="the first version that has it")
    below: str = Field(description="the first version that has it no more")
    beside: tuple[str, ...] = Field(default=(), description="how versions of another branch between them begin")
    needs: Literal["", "bundle"] = Field(default="", description="what the device must have for it to matter")
    effect: str = Field(min_length=20, description="what it does")
    level: Literal["warning", "note"] = "warning"
    page: str = Field(pattern="^https://", description="the vendor's page")
    read: str = Field(pattern=r"^\d{4}-\d{2}-\d{2}$", description="the day on which the page was read")


class VersionParams(Params):
    """The published faults."""

    faults: tuple[PublishedFault, ...] = Field(default=(), description="published faults by product and version")


@dataclass(frozen=True, slots=True)
class VersionAt:
    """A version as a dump shows it, of a port's NIC, or of the switch where `port` is empty."""

    product: str
    number: str
    where: Where | None
    device: str
    port: str
    has_bundle: bool


def list_versions(given: Whole, params: VersionParams) -> Iterable[VersionAt]:
    """Return the versions of switches and of the firmware of NICs, each once for a device, of products of the table.

    Of other products the table tells nothing, neither good nor bad.
    """
    products = {fault.product for fault in params.faults}
    found: dict[tuple[str, str, str], VersionAt] = {}
    for device in given.fabric.devices:
        has_bundle = device.kind == "switch" and any(value_of(port.lag) for port in device.ports)
        for product, version, port in _list_products(device):
            number = _NUMBER.search(version.value) if isinstance(version, Known) and product in products else None
            if number and isinstance(version, Known):
                where = port.locate(version.where) if port else version.where
                at = VersionAt(product, number[0], where, device.name, port.name if port else "", has_bundle)
                found.setdefault((device.name, product, number[0]), at)
    return tuple(found.values())


def _list_products(device: Device) -> Iterator[tuple[str, Setting[str], Port | None]]:
    """Yield the product, the version and the port, None for a switch."""
    if device.kind == "switch":
        yield device.os, device.os_version, None
        return
    for port in device.ports:
        if nic := port.config.nic:
            yield value_of(nic.model) or "", nic.firmware, port


def version_known_bad(given: VersionAt, params: VersionParams, _context: object) -> Iterator[Finding]:
    """A fault that the vendor has published needs no measurement to be found."""
    for fault in params.faults:
        if fault.product == given.product and _has(fault, given.number) and (given.has_bundle or not fault.needs):
            yield Finding(
                f"{given.product} {given.number}: {fault.effect}; fixed in {fault.below} (page read {fault.read})",
                given.where,
                key=f"{fault.product} {fault.below} {fault.effect[:40]}",
                level=Level(fault.level),
                device=given.device,
                port=given.port,
            )


def _has(fault: PublishedFault, version: str) -> bool:
    """Return whether a version is one of those with the fault.

    >>> known = PublishedFault(
    ...     product="x", at_least="1.2", below="1.10", beside=("1.5.",), effect="a fault of twenty letters",
    ...     page="https://x.example/", read="2026-11-28")
    >>> [_has(known, version) for version in ("1.1.9", "1.2.0", "1.9", "1.5.3", "1.10.0")]
    [False, True, True, False, False]
    """
    if any(f"{version}.".startswith(beginning) for beginning in fault.beside):
        return False
    return _parse(fault.at_least) <= _parse(version) < _parse(fault.below)


def _parse(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def list_due(given: Whole, _params: Params) -> Iterable[DueVersion]:
    """Return the versions that devices should have by now, by campaigns that are over or by what these declare."""
    return given.intents.due


def version_overdue(given: DueVersion, _params: Params, _context: object) -> Iterator[Finding]:
    """What was to be moved by a day, or was declared to be, has not moved."""
    if given.is_late:
        yield Finding(
            f"version {given.shown}, but {given.wanted} by campaign {given.campaign}: {given.why}",
            given.where,
            key=f"{given.campaign} {given.wanted}",
            device=given.device,
            port=given.port,
        )
