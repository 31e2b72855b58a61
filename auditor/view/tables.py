"""The public documents as tables: rows of plain dictionaries, for programs that want columns."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from auditor.view.documents import FabricView, LinkView, PortView

Row = dict[str, Any]
Part = Literal["classes", "classifiers", "policers", "queues", "priority_groups"]


def list_devices(view: FabricView) -> list[Row]:
    """Return a row for each device, with its number of ports."""
    return [
        {_rename(name, "device"): value for name, value in _flatten(type(device), device)}
        | {"ports": len(device.ports)}
        for device in view.devices
    ]


def list_ports(view: FabricView) -> list[Row]:
    """Return a row for each port: each field that holds one value or a list of values."""
    return [
        {"device": device.name, **{_rename(name, "port"): value for name, value in _flatten(PortView, port)}}
        for device in view.devices
        for port in device.ports
    ]


def list_parts(view: FabricView, part: Part) -> list[Row]:
    """Return a row for each part of that kind of each port."""
    return [
        {"device": device.name, "port": port.name, **dict(_flatten(type(each), each))}
        for device in view.devices
        for port in device.ports
        for each in getattr(port, part) or ()
    ]


def list_maps(view: FabricView) -> list[Row]:
    """Return a row for each entry of each map of a port; the value is a text, whatever the map holds."""
    names = [name for name, kind, _ in _columns(PortView) if kind == "map"]
    return [
        {"device": device.name, "port": port.name, "map": name, "key": key, "value": str(value)}
        for device in view.devices
        for port in device.ports
        for name in names
        for key, value in (getattr(port, name) or {}).items()
    ]


def list_links(view: FabricView) -> list[Row]:
    """Return a row for each cable, its two ends as `a_device`, `a_port`, `b_device` and `b_port`."""
    return [dict(_flatten(LinkView, link)) for link in view.links]


def _rename(name: str, to: str) -> str:
    return to if name == "name" else name


def _flatten(kind: type[BaseModel], value: BaseModel | None, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the columns of *value*, a *kind*; a document in it gives columns of its own, behind its name."""
    for name, shape, inner in _columns(kind):
        item, column = getattr(value, name, None), prefix + name.rstrip("_")
        if shape == "document":
            yield from _flatten(inner, item, f"{column}_")
        elif shape == "number":
            yield column, None if item is None else float(item)
        elif shape == "plain":
            yield column, item


@lru_cache
def _columns(kind: type[BaseModel]) -> tuple[tuple[str, str, Any], ...]:
    """Return each field of a document: its name, its shape, and the type of a document in it."""
    return tuple((name, *_classify(field.annotation)) for name, field in kind.model_fields.items())


def _classify(annotation: Any) -> tuple[str, Any]:  # noqa: ANN401  a type of any form
    """Return the shape of values of a type: plain, number, document, map, or table.

    >>> from auditor.view.documents import EndView
    >>> [_classify(each)[0] for each in (int | None, int | float, list[int], EndView | None, dict[str, int])]
    ['plain', 'number', 'plain', 'document', 'map']
    """
    union = get_origin(annotation) in {Union, UnionType}
    types = [each for each in (get_args(annotation) if union else (annotation,)) if each is not type(None)]
    if float in types:
        return "number", None
    (first,) = types
    if get_origin(first) is list:
        return ("table" if _is_document(get_args(first)[0]) else "plain"), None
    if get_origin(first) in {dict, Mapping}:
        return "map", None
    return ("document", first) if _is_document(first) else ("plain", None)


def _is_document(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)
