"""Versions of firmware and operating systems with a fault that their vendor has published."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from auditor.checks.base import Context, Params
from auditor.model.device import Device
from auditor.model.finding import Finding, Level
from auditor.model.setting import Known, Setting, value_of

_NUMBER = re.compile(r"\d{1,9}(?:\.\d{1,9}){1,3}")


class PublishedFault(BaseModel):
    """A published fault: the versions of a product that have it, what it does, where that is written and was read."""

    model_config = ConfigDict(extra="forbid", frozen=True)

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
    """A version as a dump shows it, and whose it is: of a port's NIC, or of the switch where `port` is empty."""

    product: str
    version: Known[str]
    port: str
    has_bundle: bool


def list_versions(device: Device, _context: Context) -> Iterable[VersionAt]:
    """Return the version of a switch, and those of the firmware of a host's NICs, each once for a model."""
    if device.kind == "switch":
        has_bundle = any(value_of(port.lag) for port in device.ports)
        return _make(device.os, device.os_version, "", has_bundle=has_bundle)
    found: dict[tuple[str, str], VersionAt] = {}
    for port in device.ports:
        nic = port.config.nic
        for each in _make(value_of(nic.model) or "", nic.firmware, port.name) if nic else ():
            found.setdefault((each.product, each.version.value), each)
    return tuple(found.values())


def _make(product: str, version: Setting[str], port: str, *, has_bundle: bool = False) -> tuple[VersionAt, ...]:
    if not product or not isinstance(version, Known) or not _NUMBER.search(version.value):
        return ()
    return (VersionAt(product, version, port, has_bundle),)


def version_known_bad(given: VersionAt, params: VersionParams, _context: Context) -> Iterator[Finding]:
    """A fault that the vendor has published needs no measurement to be found."""
    text = _NUMBER.search(given.version.value)
    own = text[0] if text else ""
    for fault in params.faults:
        if fault.product == given.product and _has(fault, own) and (given.has_bundle or not fault.needs):
            yield Finding(
                f"{given.product} {own}: {fault.effect}; fixed in {fault.below} (page read {fault.read})",
                given.version.where,
                key=f"{fault.product} {fault.below} {fault.effect[:40]}",
                level=Level(fault.level),
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
