"""The specification of what is to be accepted (schema `roce-audit/acceptance/1`)."""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from typing import Annotated, Any, Literal, NoReturn, get_args, get_origin

from pydantic import BaseModel, Field

from auditor.engine.accept.match import Scalar, matches_any
from auditor.engine.errors import CannotAudit
from auditor.engine.settings import read_text
from auditor.util.model_config import CLOSED
from auditor.util.regex import regex
from auditor.util.schema import describe_read
from auditor.util.suggest import add_suggestion
from auditor.util.values import dataclass
from auditor.util.yamlfile import Located, YamlError, load
from auditor.view.documents import DeviceView, PortView
from auditor.view.host_documents import NicView

MAX_SPEC_BYTES = 2**22
Text = Annotated[str, Field(min_length=1, max_length=1000)]
"""A text or pattern; the default, an empty one, expects nothing."""
Value = bool | Annotated[int, Field(ge=-(2**63), le=2**64)] | float | Annotated[str, Field(max_length=1000)]
Settings = dict[Text, Value]
_HARDWARE = ("slot", "serial", "part_number", "board")
_BESIDE: Mapping[type[BaseModel], Sequence[str]] = {DeviceView: (), PortView: ("hardware",), NicView: ("nv",)}
"""Names of settings that a view leaves out."""
NO_SETTINGS: Mapping[type[BaseModel], AbstractSet[str]] = {
    DeviceView: {"name", "kind", "source", "captured_at", "asic", "role", "buffer_architecture", "ports"},
    PortView: {
        *("name", "aliases", "counters", "state", "pfc_oper", "global_pause", "dscp_to_priority", "pcp_to_priority"),
    },
    NicView: {"link_up", "next_boot", "firmware_default"},
}
"""Names of views that are no settings: what runs, and summaries of other fields."""
_SETTINGS = "by names of the port view, such as `queues[3].ecn`; values are texts, in which * and ? are wildcards"


class _ReadModel(BaseModel):
    model_config = CLOSED


class LengthRange(_ReadModel):
    """The bounds of a length in metres."""

    min: float = Field(default=0, ge=0, le=100_000)
    max: float = Field(default=100_000, ge=0, le=100_000)


class ModuleValues(_ReadModel):
    """The transceiver or cable at a port."""

    kind: Text = ""
    vendor: Text = ""
    part_number: Text = ""
    serial: Text = ""
    length_m: Annotated[float, Field(ge=0, le=100_000)] | LengthRange | None = None


class NicValues(_ReadModel):
    """The card behind a host port; `nv` are settings in its memory, as `mlxconfig` names them."""

    model: Text = ""
    firmware: Text = ""
    nv: Settings = Field(default_factory=dict)


class PeerValues(_ReadModel):
    """The far end of a cable."""

    device: Text
    port: Text = ""


class PortValues(_ReadModel):
    """What is expected of a port."""

    settings: Settings = Field(default_factory=dict, description=_SETTINGS)
    nic: NicValues | None = None
    slot: Text = Field(default="", description="PCI address of the card")
    serial: Text = Field(default="", description="serial number of the card")
    part_number: Text = ""
    board: Text = Field(default="", description="PSID of the card")
    module: ModuleValues | None = None
    peer: PeerValues | None = None


class PortEntry(PortValues):
    """What is expected of all ports of some names; of each entry that matches a port, everything is."""

    names: list[Text] = Field(min_length=1, max_length=1000, description="port names; * and ? are wildcards")
    count: int | None = Field(default=None, ge=1, description="number of ports of these names")
    rails: Literal["same"] | dict[Text, Text] | None = Field(
        default=None,
        description="same: ports of one name lead to one switch on all devices of the entry; or the switch by port",
    )


class DeviceValues(_ReadModel):
    """What is expected of a device as a whole."""

    os_version: Text = ""
    model: Text = ""
    settings: Settings = Field(default_factory=dict, description=_SETTINGS)


class OwnValues(DeviceValues):
    """The values of one device, in addition to those of its entry."""

    ports: dict[Text, PortValues] = Field(default_factory=dict, description="by name of the port")


class DeviceEntry(DeviceValues):
    """What is expected of all devices of some names; the first entry that matches a device holds."""

    names: list[Text] = Field(min_length=1, max_length=10_000, description="device names; * and ? are wildcards")
    count: int | None = Field(default=None, ge=1, description="number of devices of these names")
    ports: list[PortEntry] = Field(default_factory=list, max_length=1000)
    each: dict[Text, OwnValues] = Field(
        default_factory=dict, description="by name of a device: what differs on each, such as serial numbers"
    )


class RuleValues(_ReadModel):
    """The rules that must have no finding at the devices."""

    clean: list[Text] = Field(
        default=["level:error"],
        max_length=1000,
        description="ids, names or packs of rules, with * and ?; `level:error` is every finding of this level",
    )


class AcceptanceFile(_ReadModel):
    """What is expected of devices before they go into service."""

    schema_: Literal["roce-audit/acceptance/1"] = Field(alias="schema")
    devices: list[DeviceEntry] = Field(min_length=1, max_length=1000)
    rules: RuleValues = RuleValues()


@dataclass(frozen=True, slots=True)
class RuleWord:
    """A word that selects rules, and its place; the default has none."""

    word: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class Specification:
    """A specification that was read: its file, its entries with the lines on which they begin, and words for rules."""

    file: str
    entries: tuple[DeviceEntry, ...]
    lines: tuple[int, ...]
    clean: tuple[RuleWord, ...]


DEFAULT_CLEAN = (RuleWord("level:error"),)


@cache
def make_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a specification."""
    return describe_read(AcceptanceFile)


def read_spec(file: str) -> Specification:
    """Return the specification in *file*; raises CannotAudit with the line of the first mistake."""
    text = read_text(file, MAX_SPEC_BYTES)
    try:
        located = load(file, text, make_schema())
        found = AcceptanceFile.model_validate(located.data)
    except (YamlError, ValueError) as error:
        raise CannotAudit(str(error)) from None
    _refuse_unusable(found, located)
    given = isinstance(located.data.get("rules"), dict) and "clean" in located.data["rules"]
    words = (
        tuple(
            RuleWord(word, f"{file}:{located.line(('rules', 'clean', number))}")
            for number, word in enumerate(found.rules.clean)
        )
        if given
        else DEFAULT_CLEAN
    )
    lines = tuple(located.line(("devices", number)) for number in range(len(found.devices)))
    return Specification(file, tuple(found.devices), lines, words)


def _refuse_unusable(found: AcceptanceFile, located: Located) -> None:
    """Raise CannotAudit for a specification that holds nothing, a setting that no view has, or bounds without room."""
    if not found.rules.clean and not any(_list_demands(entry) for entry in found.devices):
        line = located.line(("devices",))
        raise CannotAudit(f"{located.file}:{line}: the specification expects nothing; add settings, counts or rules")
    for number, entry in enumerate(found.devices):
        at = ("devices", number)
        _check_keys(entry.settings, DeviceView, located, (*at, "settings"))
        for index, port in enumerate(entry.ports):
            _check_port(port, located, (*at, "ports", index))
            _check_rails(port, located, (*at, "ports", index, "rails"))
        for name, own in entry.each.items():
            if not matches_any(name, entry.names):
                line = located.line((*at, "each", name))
                raise CannotAudit(f"{located.file}:{line}: {name!r} is none of the devices {', '.join(entry.names)}")
            _check_keys(own.settings, DeviceView, located, (*at, "each", name, "settings"))
            for port_name, values in own.ports.items():
                _check_port(values, located, (*at, "each", name, "ports", port_name))


def _list_demands(entry: DeviceEntry) -> list[object]:
    """Return what *entry* expects beside the presence of one device."""
    return [*filter(None, (entry.count, entry.os_version, entry.model, entry.settings, entry.ports, entry.each))]


def _check_port(port: PortValues, located: Located, at: tuple[str | int, ...]) -> None:
    _check_keys(port.settings, PortView, located, (*at, "settings"))
    length = port.module.length_m if port.module else None
    if isinstance(length, LengthRange) and length.min > length.max:
        line = located.line((*at, "module", "length_m"))
        raise CannotAudit(f"{located.file}:{line}: min is above max; exchange them")


def _check_rails(port: PortEntry, located: Located, at: tuple[str | int, ...]) -> None:
    """Raise CannotAudit for a rail that is no port of its entry."""
    for name in port.rails if isinstance(port.rails, dict) else ():
        if not matches_any(name, port.names):
            line = located.line((*at, name))
            raise CannotAudit(f"{located.file}:{line}: {name!r} is none of the ports {', '.join(port.names)}")


def _check_keys(
    settings: Mapping[str, object], view: type[BaseModel], located: Located, at: tuple[str | int, ...]
) -> None:
    """Raise CannotAudit for a setting whose first name, or second one below `nic`, no view has."""
    for key in settings:
        steps = key.replace("[", ".").split(".")
        views: list[type[BaseModel]] = [view, NicView] if steps[0] == "nic" and steps[1:] else [view]
        for step, model in zip(steps, views, strict=False):
            known = [name for name in (*model.model_fields, *_BESIDE[model]) if name not in NO_SETTINGS[model]]
            if step not in known:
                _refuse_key(key, step, known, located, at)
        member = _MEMBER.fullmatch(key)
        if member and (found := _find_member(view, member[1])) and member[2] not in found.model_fields:
            _refuse_key(key, member[2], list(found.model_fields), located, at)


_MEMBER = regex(r"(\w+)\[[^\]]{1,100}\]\.(\w+)")


def _find_member(view: type[BaseModel], name: str) -> type[BaseModel] | None:
    """Return the view of the members of a list, None for a field that is no list of views."""
    field = view.model_fields.get(name)
    listed = [each for each in get_args(field.annotation) if get_origin(each) is list] if field else []
    members = [each for kind in listed for each in get_args(kind) if isinstance(each, type)]
    return next((each for each in members if issubclass(each, BaseModel)), None)


def _refuse_key(key: str, step: str, known: Sequence[str], located: Located, at: tuple[str | int, ...]) -> NoReturn:
    message = f"{located.file}:{located.line((*at, key))}: no setting is named {key!r}"
    raise CannotAudit(add_suggestion(message, step, known, shown=0))


def list_values(values: PortValues) -> Iterator[tuple[str, Scalar]]:
    """Yield each setting of a port by its name, with the text that is expected; lengths and peers are apart."""
    yield from values.settings.items()
    if nic := values.nic:
        yield from ((f"nic.{name}", text) for name in ("model", "firmware") if (text := getattr(nic, name)))
        yield from ((f"nic.nv[{name}]", _format_card_value(text)) for name, text in nic.nv.items())
    yield from ((f"hardware.{name}", text) for name in _HARDWARE if (text := getattr(values, name)))
    if module := values.module:
        names = ("kind", "vendor", "part_number", "serial")
        yield from ((f"hardware.module.{name}", text) for name in names if (text := getattr(module, name)))


def _format_card_value(value: Scalar) -> Scalar:
    return str(value) if isinstance(value, bool) else value
