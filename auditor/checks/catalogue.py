"""Rules as data: one YAML file a rule, in packs (folders), bound to a check by name."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache, lru_cache
from importlib.resources.abc import Traversable
from typing import Annotated, Any

from pydantic import BaseModel, Field, ValidationError
from yaml import YAMLError

from auditor.checks import CHECKS
from auditor.checks.base import Check, Params, Scope
from auditor.intent import RuleTuning, Tuning
from auditor.model.finding import Level
from auditor.systems import systems
from auditor.systems.system import System
from auditor.util.data_folder import folder, read_schema
from auditor.util.model_config import CLOSED
from auditor.util.schema import describe_read
from auditor.util.suggest import add_suggestion
from auditor.util.values import dataclass
from auditor.util.yamlfile import YamlError, data_of, load

Sentence = Annotated[str, Field(min_length=8)]
Name = Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)+$")]
ANY = "any"


def _list_keys(system: System) -> Iterator[str]:
    """Yield the keys of remedies for *system*."""
    if system.remedies:
        yield from (system.os, *(f"{system.os}/{maker.key}" for maker in system.remedies.makers))


Remedies = Annotated[
    dict[str, str],
    Field(
        min_length=1,
        json_schema_extra={
            "propertyNames": {"enum": [*sorted(key for each in systems().values() for key in _list_keys(each)), ANY]}
        },
    ),
]
"""Lines to type by operating system, or by system and maker of the NIC (`linux/nvidia`).

`any` holds the lines for every system without an entry.
"""


class RuleExample(BaseModel):
    """Lines of dumps that show the rule; a line of three dots stands for omitted lines."""

    model_config = CLOSED

    bad: Sentence
    good: Sentence


class RuleFile(BaseModel):
    """One rule."""

    model_config = CLOSED

    id: str = Field(pattern=r"^[A-Z]{3}\d{3}$", description="stable number, e.g. PFC001")
    name: Name = Field(description='plain name; reads as "allow NAME"')
    former_names: tuple[Name, ...] = Field(default=(), description="earlier names, still accepted in files of a site")
    level: Level
    scope: Scope
    check: str = Field(description="name of the check function")
    params: dict[str, Any] = Field(default_factory=dict)
    summary: Sentence = Field(description="the fault, in one sentence")
    why: Sentence = Field(description="the cost of the fault")
    decided: Sentence | None = Field(default=None, description="the condition for a finding, with any formula")
    rests_on: tuple[str, ...] = Field(
        default=(),
        json_schema_extra={"uniqueItems": True},
        description="captures that decide the rule, as its fixtures show: without them it is open or has no object",
    )
    example: RuleExample | None = None
    remedy: Remedies = Field(
        description="lines to type per operating system and maker of the NIC; names each step that needs a maintenance "
        "window; a line that begins with `?` is left out where a finding lacks a fact that it names"
    )
    facts: dict[str, str | int | float] = Field(
        default_factory=dict, description="what findings of the rule give to its remedies, each with an example"
    )
    untried: dict[str, Sentence] = Field(
        default_factory=dict, description="why no test applies the remedy of a system to a dump, by system"
    )
    references: list[str] = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule with its check and its parameters."""

    file: RuleFile
    pack: str
    check: Check
    params: Params

    @property
    def names(self) -> frozenset[str]:
        """All words by which a site may call the rule: id, name and former names."""
        return frozenset({self.file.id, self.file.name, *self.file.former_names})


def find_rule(word: str, among: Iterable[Rule]) -> Rule | None:
    """Return the rule with the id, name or former name *word*; None if no rule has it."""
    return next((rule for rule in among if word in rule.names), None)


def make_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a rule file."""
    return describe_read(RuleFile, "roce-audit/rule/1")


@lru_cache
def load_rules(tuning: Tuning = Tuning()) -> tuple[Rule, ...]:  # noqa: B008  frozen
    """Return all rules in the order of their ids, with the tuning of a site; raise YamlError for a wrong file."""
    return _apply_tuning(_load_untuned(), tuning) if tuning != Tuning() else _load_untuned()


@cache
def _load_untuned() -> tuple[Rule, ...]:
    """Return all rules as their files have them; their files are read once, whatever the tunings."""
    return tuple(sorted(_read_rules(folder()), key=lambda rule: rule.file.id))


def _apply_tuning(found: tuple[Rule, ...], tuning: Tuning) -> tuple[Rule, ...]:
    packs = {rule.pack for rule in found}
    for pack, file, line in tuning.packs_off:
        if pack not in packs:
            raise YamlError(file, line, add_suggestion(f"no pack is named {pack!r}", pack, sorted(packs)))
    changes: dict[str, RuleTuning] = {}
    for change in tuning.rules:
        rule = find_rule(change.rule, found)
        if rule is None:
            message = f"no rule is named {change.rule!r} (`roce-audit rules` lists all)"
            names = [name for each in found for name in each.names]
            raise YamlError(change.file, change.line, add_suggestion(message, change.rule, names))
        if rule.file.id in changes:
            raise YamlError(change.file, change.line, f"rule {rule.file.id} is changed twice")
        changes[rule.file.id] = change
    off = {pack for pack, _, _ in tuning.packs_off} | {number for number, each in changes.items() if not each.enabled}
    kept = (rule for rule in found if not off & {rule.pack, rule.file.id})
    return tuple(_change_rule(rule, changes[rule.file.id]) if rule.file.id in changes else rule for rule in kept)


def _change_rule(rule: Rule, change: RuleTuning) -> Rule:
    """Return *rule* with the level and the parameters of *change*; raise YamlError for wrong parameters."""
    file = rule.file.model_copy(update={"level": change.level}) if change.level else rule.file
    try:
        params = rule.check.params.model_validate({**rule.params.model_dump(), **dict(change.params)})
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(map(str, first["loc"]))
        message = f"{name}: {first['msg']}"
        if first["type"] == "extra_forbidden":
            message = add_suggestion(f"no parameter is named {name!r}", name, rule.check.params.model_fields)
        raise YamlError(change.file, change.line, f"{rule.file.id}: params: {message}") from None
    return replace(rule, file=file, params=params)


def _read_rules(root: Traversable) -> Iterator[Rule]:
    for pack in sorted(root.iterdir(), key=lambda entry: entry.name):
        if not pack.is_dir() or pack.name == "presets":
            continue
        for entry in sorted(pack.iterdir(), key=lambda each: each.name):
            if entry.name.endswith(".yaml"):
                yield _read_own(f"{pack.name}/{entry.name}", entry.read_text(encoding="utf-8"))


def _read_own(name: str, text: str) -> Rule:
    """Return the rule in a file of this program, which needs no second opinion; a wrong one is bound for its line."""
    try:
        file = RuleFile.model_validate(data_of(text))
        check = CHECKS[file.check]
        params = check.params.model_validate(file.params)
    except (KeyError, ValueError, YAMLError):
        return bind(name, text)
    return Rule(file, name.partition("/")[0], check, params) if check.scope is file.scope else bind(name, text)


def bind(name: str, text: str) -> Rule:
    """Return the rule in *text*, the content of `PACK/RULE.yaml`; raise YamlError with the wrong line."""
    located = load(name, text, read_schema("rule"))
    file = RuleFile.model_validate(located.data)
    check = CHECKS.get(file.check)
    if check is None:
        raise YamlError(name, located.line(["check"]), f"check {file.check} does not exist")
    if check.scope is not file.scope:
        raise YamlError(name, located.line(["scope"]), f"check {file.check} judges a {check.scope}")
    try:
        params = check.params.model_validate(file.params)
    except ValidationError as error:
        first = error.errors()[0]
        raise YamlError(name, located.line(["params", *first["loc"]]), f"params: {first['msg']}") from None
    return Rule(file, name.partition("/")[0], check, params)
