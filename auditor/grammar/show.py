"""Outputs of one operating system as entries: the command, its sign, its reader, and how `pull` fetches it."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from enum import StrEnum
from functools import cached_property, lru_cache
from importlib import import_module
from typing import Any, Generic, TypeAlias, TypeVar

from auditor.grammar import commands
from auditor.grammar.clues import Text
from auditor.grammar.operational import Ports
from auditor.grammar.prompts import list_behind_prompts
from auditor.grammar.signs import Signs, join_signs
from auditor.model.dump import Capture, LineState
from auditor.util.filenames import get_stem
from auditor.util.memo import remember
from auditor.util.regex import regex
from auditor.util.values import dataclass

R = TypeVar("R")
PortReader: TypeAlias = Callable[[Capture, Ports], list[LineState]]
"""Reads an output of ports, and returns the state of each line."""
LINES_TO_LOOK_AT = 4000
_HEAD_LINES = 20


@dataclass(frozen=True, slots=True)
class Pull:
    """A command that `pull` sends, as a template.

    `{netdev}` and the like stand for a name that `finds` of other commands find. An empty `command` or `why` is that
    of the entry. `root` runs the command through `sudo -n` where the inventory asks for it. The audit needs at least
    one of the `required` commands of a system. `timeout_s` is None for the usual time. `counts`: the output holds
    counters, of which two samples say more than one.
    """

    command: str = ""
    why: str = ""
    required: bool = False
    root: bool = False
    timeout_s: int | None = None
    finds: tuple[str, ...] = ()
    counts: bool = False


class Lifetime(StrEnum):
    """What an output shows: the configuration as it runs, or as the next boot makes it, or what outlasts a boot."""

    RUNNING = "running"
    SAVED = "saved"
    FIXED = "fixed"


@dataclass(frozen=True, slots=True)
class Show(Generic[R]):
    """A command and its output.

    `why` says what the audit takes from the output. `sign` is a part of the output that no other output has. `read`
    is None for configurations, and for outputs that `pull` only keeps. `form` matches the command as people type it,
    where its words cut short are not enough. `whole`: the output shows a whole device. `lifetime` is None for the state
    of the moment.
    """

    command: str
    why: str
    sign: re.Pattern[str] | None = None
    read: R | None = None
    pull: tuple[Pull, ...] = ()
    form: re.Pattern[str] | None = None
    whole: bool = False
    lifetime: Lifetime | None = None

    def pulls(self) -> Iterator[Pull]:
        """Yield the commands to send, each with its text and its purpose."""
        for each in self.pull:
            yield replace(each, command=each.command or self.command, why=each.why or self.why)


def show_config(command: str) -> Show[Any]:
    """Return the entry of the command that shows the whole configuration, without which there is no audit."""
    pull = (Pull(required=True, timeout_s=120),)
    return Show(command, "the configuration", pull=pull, whole=True, lifetime=Lifetime.RUNNING)


_SAVED_NAME = regex(r"(?:.*[\W_])?(?:startup|(?:startup|saved)[-_ ]?config(?:uration)?)(?:[\W_].*)?", re.IGNORECASE)
"""Names of files and commands with the saved configuration, such as `startup-config` on a flash."""


def show_saved(command: str) -> Show[Any]:
    """Return the entry of the command that shows the saved configuration."""
    return Show(command, "the configuration of the next boot", whole=True, lifetime=Lifetime.SAVED)


@dataclass(frozen=True)
class ShowTable(Generic[R]):
    """The outputs of one operating system, in the order in which their signs are tried.

    `config` is the command that shows the configuration. `own` matches a part of a configuration of this system alone,
    `other` a part of an output of another system. `spell` brings the text of a command into the form of the entries.
    """

    shows: tuple[Show[R], ...]
    config: str
    own: re.Pattern[str] | None = None
    other: re.Pattern[str] | None = None
    spell: Callable[[str], str] = str

    @property
    def readers(self) -> Mapping[str, R]:
        """Return the readers by command."""
        return {each.command: each.read for each in self.shows if each.read}

    def recognise(self, capture: Capture) -> str | None:
        """Return the command whose output *capture* is, None where no sign of this system is in it.

        The command of a transcript, a manifest or a file name fits several systems.
        """
        head = beginning(capture.lines)
        if self.is_of_other(head):
            return None
        return self.find_sign(head) or (self.find_config(capture) if self.is_own(head) else None)

    def find_sign(self, head: Text) -> str | None:
        """Return the command of the first entry whose sign is in *head*."""
        if not self._signs.are_in(head):
            return None
        return next((command for command, sign in self._by_sign if sign.are_in(head)), None)

    def is_own(self, head: Text) -> bool:
        """Return whether *head* has a part of a configuration of this system alone."""
        return self._own.are_in(head)

    def is_of_other(self, head: Text) -> bool:
        """Return whether *head* has a part of an output of another system."""
        return self._other.are_in(head)

    @cached_property
    def signs(self) -> tuple[re.Pattern[str], ...]:
        """The signs one of which is in each capture that is recognised by its lines."""
        return (*(each.sign for each in self.shows if each.sign), *([self.own] if self.own else []))

    @cached_property
    def _signs(self) -> Signs:
        return join_signs(each.sign for each in self.shows if each.sign)

    @cached_property
    def _by_sign(self) -> tuple[tuple[str, Signs], ...]:
        return tuple((each.command, join_signs([each.sign])) for each in self.shows if each.sign)

    @cached_property
    def _own(self) -> Signs:
        return join_signs([self.own] if self.own else [])

    @cached_property
    def _other(self) -> Signs:
        return join_signs([self.other] if self.other else [])

    def find_config(self, capture: Capture) -> str:
        """Return the command that shows *capture*, which has the words of a configuration."""
        return self.saved if self._shows_saved(capture) else self.find_name(capture) or self.config

    @cached_property
    def saved(self) -> str:
        """Return the command that shows the saved configuration, empty where none is known."""
        return next((each.command for each in self.shows if each.lifetime is Lifetime.SAVED), "")

    def _shows_saved(self, capture: Capture) -> bool:
        if not self.saved:
            return False
        head = "\n".join(capture.lines[:_HEAD_LINES])
        return bool(_SAVED_NAME.fullmatch(command_text(capture)) or self._saved_head.search(head))

    @cached_property
    def _saved_head(self) -> re.Pattern[str]:
        command = self.saved.replace(" ", " +")
        return re.compile(rf"^[^\S\n]*[!#] ?(?:Command: ?{command}|Startup-config last modified at )", re.MULTILINE)

    def find_name(self, capture: Capture) -> str | None:
        """Return the command that a transcript, a manifest or the file name gives, None without a reader for it."""
        return self._find_named(command_text(capture))

    @cached_property
    def _find_named(self) -> Callable[[str], str | None]:
        names = filter(None, (*self.readers, self.config, self.saved))
        longest_first = sorted(names, key=lambda name: -len(name.split()))
        return remember(lambda text: commands.find_command(self.spell(text), longest_first))


def command_text(capture: Capture) -> str:
    """Return the command of *capture*, else the name of its file without the suffix."""
    return capture.command or get_stem(capture.file)


_MOST_TEXTS = 64
_TEXTS: dict[int, tuple[tuple[str, ...], Text]] = {}
"""The texts of the last captures by the identity of their lines, which stay in memory as long."""


def beginning(lines: tuple[str, ...]) -> Text:
    """Return the first lines as one text, and below it once more what stands behind prompts; every system asks."""
    found = _TEXTS.get(id(lines))
    if found is None:
        head = lines[:LINES_TO_LOOK_AT]
        if len(_TEXTS) >= _MOST_TEXTS:
            _TEXTS.clear()
        found = _TEXTS[id(lines)] = lines, share_text("\n".join((*head, *list_behind_prompts(head))))
    return found[1]


@lru_cache(maxsize=_MOST_TEXTS)
def share_text(whole: str) -> Text:
    """Return *whole* as a text, the same one for all systems that look at the same part of a capture."""
    return Text((whole,))


def forget_texts() -> None:
    """Take the texts of captures out of memory."""
    _TEXTS.clear()
    share_text.cache_clear()


@dataclass(frozen=True, slots=True)
class Deferred:
    """The function `name` of `module`, which is imported when the function is called first."""

    module: str
    name: str

    def __call__(self, *given: Any) -> Any:  # noqa: ANN401  as the function
        """Return the result of the function."""
        return self.resolve()(*given)

    def resolve(self) -> Callable[..., Any]:
        """Return the function; raises AttributeError or ImportError."""
        function: Callable[..., Any] = getattr(import_module(self.module), self.name)
        return function
