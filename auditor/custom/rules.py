"""Rules of a site: YAML files with two JSON Schemas for each port, queue or device of the public view.

`when` selects the objects, `require` states their requirement, or `python` names a function that judges them. A result
that rests on a null stays open.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeAlias

from pydantic import BaseModel, Field

from auditor.checks.base import Check, Context, Params, Scope
from auditor.checks.catalogue import Remedies, Rule, RuleFile, Sentence, load_rules
from auditor.custom.python import NAME, NoCheckError, count_parameters, load_check, run_check
from auditor.custom.schema import INTENT, RULE_SCHEMA, check_schema, uses_intent
from auditor.custom.subject import Subject
from auditor.custom.three_valued import UNKNOWN, Schema, Truth, UnknownValue, Verdict, judge
from auditor.custom.three_valued import Path as At
from auditor.intent import Intent, TrafficKind
from auditor.model.finding import Finding, Level
from auditor.model.setting import Known, Setting, Undetermined, Unknown, value_of
from auditor.site import View
from auditor.util.filesystem import explain_encoding
from auditor.util.model_config import CLOSED
from auditor.util.schema import describe_read
from auditor.util.values import dataclass
from auditor.util.yamlfile import YamlError, load
from auditor.view.documents import QueueView

PACK = "custom"
_JUDGED_BY = ("require", "python")
MOST_FILES, MOST_BYTES = 1000, 2**16
"""Files of a folder, and bytes of one."""


Finder: TypeAlias = Callable[[str], Callable[..., Any]]


def _refuse_check(dotted: str) -> Callable[..., Any]:
    return load_check(dotted, (), ())


class CustomFile(BaseModel):
    """One rule of a site."""

    model_config = CLOSED

    schema_: Literal["roce-audit/custom-rule/1"] = Field(alias="schema")
    id: str = Field(pattern=r"^[A-Z]{3}\d{3}$", description="stable number of your own, e.g. OUR001")
    name: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)+$", description="what is wrong, in a few words")
    level: Level
    for_: Literal["port", "queue", "device"] = Field(alias="for", description="the kind of object that the rule judges")
    summary: Sentence = Field(description="what is wrong, in one sentence")
    why: Sentence = Field(description="what it costs")
    remedy: Remedies = Field(description="per operating system, the lines to type")
    references: list[str] = Field(min_length=1)
    when: Any = Field(default=True, description="schema of the objects to judge (default: all objects)")
    require: Any = Field(default=True, description="schema that each object must match")
    python: str | None = Field(
        default=None, pattern=NAME, description="MODULE.FUNCTION instead of require; needs --allow-python MODULE"
    )


def make_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a rule of a site."""
    return {**_make_file_schema(), "oneOf": [{"required": [name]} for name in _JUDGED_BY]}


@cache
def _make_file_schema() -> dict[str, Any]:
    """Return the schema without the constraints that have their own message."""
    document = describe_read(CustomFile)
    for name in ("when", "require"):
        words = {key: document["properties"][name][key] for key in ("description",)}
        document["properties"][name] = {**words, "$ref": "#/$defs/Schema"}
    document["$defs"] = {**document["$defs"], **RULE_SCHEMA}
    return document


def read_rules(folder: Path, finder: Finder = _refuse_check) -> tuple[Rule, ...]:
    """Return the rules of a folder in the order of their ids; raises YamlError and OSError.

    *finder* returns the function that MODULE.FUNCTION names; raises NoCheckError.
    """
    entries = sorted(entry for entry in folder.iterdir() if entry.suffix in {".yaml", ".yml"} and entry.is_file())
    if not entries or len(entries) > MOST_FILES:
        raise YamlError(str(folder), 1, f"{len(entries)} files end in .yaml, expected 1 to {MOST_FILES}")
    taken = {word: "a rule of roce-audit" for rule in load_rules() for word in rule.names}
    found = []
    for entry in entries:
        with entry.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise YamlError(str(entry), 1, f"too large, expected at most {MOST_BYTES} bytes")
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise YamlError(str(entry), 1, explain_encoding(error)) from None
        found.append(bind(str(entry), text, taken, finder))
    return tuple(sorted(found, key=lambda rule: rule.file.id))


def bind(name: str, text: str, taken: dict[str, str], finder: Finder = _refuse_check) -> Rule:
    """Return the rule in *text*, read from the file *name*, and note its id and name as *taken*; raises YamlError."""
    located = load(name, text, _make_file_schema())
    if len(set(_JUDGED_BY) & set(located.data)) != 1:
        raise YamlError(name, 1, f"expected one of {' and '.join(_JUDGED_BY)}")
    file = CustomFile.model_validate(located.data)
    for key in ("id", "name"):
        word = getattr(file, key)
        if word in taken:
            raise YamlError(name, located.line([key]), f"{key}: {word} is {taken[word]} already")
        taken[word] = f"the {key} of {name}"
    when = check_schema(located, "when", file.when, file.for_)
    require = check_schema(located, "require", file.require, file.for_)
    by_intent = uses_intent(when) or uses_intent(require)
    if file.python:
        try:
            by_intent |= count_parameters(finder(file.python)) > 1
        except NoCheckError as error:
            raise YamlError(name, located.line(["python"]), f"python: {error}") from None
    judged = Judgement(file.for_, when, require, file.python or "")
    scope = Scope.DEVICE if file.for_ == "device" else Scope.PORT
    shared = file.model_dump(include={"id", "name", "level", "summary", "why", "remedy", "references"})
    check = Check(scope, judged.run, judged.objects, by_intent=by_intent, by_view=True, repeats=not file.python)
    return Rule(RuleFile(**shared, scope=scope, check=PACK), PACK, check, Params())


@dataclass(frozen=True, slots=True)
class Candidate:
    """An object that the rule judges; `applies` is open for a doubtful object. `at` is its place in the view."""

    seen: Subject
    at: tuple[str | int, ...]
    document: Mapping[str, Any]
    applies: Verdict
    require: Schema


@dataclass(frozen=True, slots=True)
class Judgement:
    """The requirement of a rule for each port, queue or device: a schema, or the check `python`."""

    of: str
    when: Schema
    require: Schema
    python: str = ""

    def objects(self, seen: Subject, context: Context) -> Sequence[Candidate]:
        """Return the objects that the rule judges; unknown queues count as one object."""
        when, require = resolve_intent(self.when, context.intent), resolve_intent(self.require, context.intent)
        candidates = ((at, document, judge(when, document)) for at, document in self._documents(seen))
        return [Candidate(seen, at, doc, v, require) for at, doc, v in candidates if v.truth is not Truth.FAILS]

    def run(self, given: Candidate, _params: Params, context: Context) -> Iterator[Finding]:
        """Yield the failure of one object; raises Undetermined."""
        if self.python:
            yield from self._by_python(given, context)
            return
        required = judge(given.require, given.document)
        if required.truth is Truth.HOLDS:
            return
        decides = given.applies if given.applies.truth is Truth.OPEN else required
        if decides.truth is Truth.OPEN:
            raise self._make_undetermined(given, decides)
        name = _format_place(given, decides.at)
        yield Finding(f"{name} {decides.said}", given.seen.where(self._place(given, decides.at)), key=name)

    def _by_python(self, given: Candidate, context: Context) -> Iterator[Finding]:
        """Yield the failures of the site's function; raises Undetermined and BrokenCheckError."""
        if self.of == "queue" and given.document["queue"] is None:
            raise self._make_undetermined(given, Verdict(Truth.OPEN, (), UNKNOWN))
        found, vain = run_check(self.python, View(given.document), View(describe_intent(context.intent)))
        if found and given.applies.truth is Truth.OPEN:
            raise self._make_undetermined(given, given.applies)
        for failure in found:
            queue = f"queue {given.document['queue']}: " if self.of == "queue" else ""
            where = given.seen.where(self._place(given, failure.place))
            yield Finding(queue + failure.said, where, key=_format_place(given, failure.place))
        if vain is not None:
            raise self._make_undetermined(given, Verdict(Truth.OPEN, vain, UNKNOWN))

    def _place(self, given: Candidate, at: At) -> At:
        """Return the place of a field of the object in the whole view."""
        return at[1:] if self.of == "queue" and at[:1] == ("port",) else given.at + at

    def _make_undetermined(self, given: Candidate, verdict: Verdict) -> Undetermined:
        at = self._place(given, verdict.at)
        why = given.seen.why(at) if verdict.said == UNKNOWN else None
        return Undetermined(
            f"{_format_place(given, verdict.at)} {verdict.said}{f': {why}' if why else ''}", given.seen.where(at)
        )

    def _documents(self, seen: Subject) -> Iterator[tuple[tuple[str | int, ...], Mapping[str, Any]]]:
        if self.of != "queue":
            yield (), seen.document
            return
        port = {name: value for name, value in seen.document.items() if name != "device"}
        around = {"port": port, "device": seen.document["device"]}
        if port["queues"] is None:
            yield ("queues",), {**dict.fromkeys(QueueView.model_fields), **around}
        for number, queue in enumerate(port["queues"] or ()):
            yield ("queues", number), {**queue, **around}


def _format_place(given: Candidate, at: At) -> str:
    queue = f"queue {given.document['queue']}: " if isinstance(given.document.get("queue"), int) else ""
    return queue + ("/".join(map(str, at)) or "it")


def describe_intent(intent: Intent) -> dict[str, Any]:
    """Return the intent as data for a check in Python; None for an unknown value."""
    return {
        "declared": intent.declared,
        "traffic": [
            {
                "name": traffic.name,
                "kind": traffic.kind.value,
                **{name: value_of(getattr(traffic, name)) for name in ("dscp", "priority", "lossless")},
            }
            for traffic in intent.traffic
        ],
        **{name: value_of(getattr(intent, name)) for name in ("lossless", "path_mtu_bytes", "design")},
    }


def resolve_intent(part: Any, intent: Intent) -> Any:  # noqa: ANN401  a JSON Schema, or a part of one
    """Return a schema with the intent's values in place of their names."""
    if isinstance(part, Mapping):
        return {
            word: _read_intent(operand[INTENT], intent, word)
            if isinstance(operand, Mapping) and INTENT in operand
            else resolve_intent(operand, intent)
            for word, operand in part.items()
        }
    return [resolve_intent(each, intent) for each in part] if isinstance(part, list) else part


def _read_intent(name: str, intent: Intent, word: str) -> Any:  # noqa: ANN401  a JSON value
    """Return the intent's values of *name* for `enum`, else its single value, or the reason of an unknown value."""
    if name in {"lossless", "path_mtu_bytes"}:
        setting: Setting[Any] = getattr(intent, name)
        if not isinstance(setting, Known):
            return UnknownValue(f"the intent does not tell {name}")
        if name == "lossless":
            return sorted(setting.value)
        return [setting.value] if word == "enum" else setting.value
    kind, _, field = name.partition(".")
    told = [getattr(traffic, field) for traffic in intent.of_kind(TrafficKind(kind))]
    if not told or any(not isinstance(each, Known) for each in told):
        why = next((each.why for each in told if isinstance(each, Unknown)), f"the intent does not tell {name}")
        return UnknownValue(why)
    values = sorted({one for each in told for one in (each.value if field == "dscp" else (each.value,))})
    if word == "enum":
        return values
    return values[0] if len(values) == 1 else UnknownValue(f"the intent has several values for {name}: use enum")
