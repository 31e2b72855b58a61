"""Commands that run another command: on another host, in a container, in a namespace, or again and again."""

from collections.abc import Callable, Mapping, Sequence

from auditor.util.memo import remember
from auditor.util.values import dataclass

_DEEPEST = 4


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """The command that runs in the end, and the host or pod it runs on; empty for the same host."""

    command: str
    host: str = ""


@remember
def follow(command: str) -> Elsewhere:
    """Return the command that *command* runs elsewhere, and where.

    >>> follow("ssh -p 22 root@gpu7 sudo ibdev2netdev"), follow("kubectl -n ml exec -it train-0 -c main -- show_gids")
    (Elsewhere(command='sudo ibdev2netdev', host='gpu7'), Elsewhere(command='show_gids', host='train-0'))
    >>> follow("oc debug node/w1 -- chroot /host ibstat"), follow('watch -n 1 "ethtool -S ens1"')
    (Elsewhere(command='ibstat', host='w1'), Elsewhere(command='ethtool -S ens1', host=''))
    >>> follow("ssh gpu7")
    Elsewhere(command='ssh gpu7', host='')
    """
    host = ""
    for _ in range(_DEEPEST):
        words = command.split()
        take = _TAKERS.get(words[0].rpartition("/")[2]) if words else None
        found = take(words[1:]) if take else None
        if found is None or found.left <= 0:
            break
        rest = command.split(maxsplit=len(words) - found.left)[-1]
        command, host = _unquote(rest.strip()), found.host or host
    return Elsewhere(command, host)


@dataclass(frozen=True, slots=True)
class _Rest:
    """How many words follow those that say where, and the host."""

    left: int
    host: str = ""


def _unquote(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text


def _skip(words: Sequence[str], valued: str = "") -> int:
    """Return how many options *words* begin with; a short one of the letters *valued* has a value behind it."""
    at = 0
    while at < len(words) and words[at].startswith("-") and words[at] != "--":
        word = words[at]
        at += 1 + (word in _VALUED or word in {f"-{letter}" for letter in valued})
    return at


_VALUED = frozenset(
    {"--namespace", "--container", "--context", "--kubeconfig", "--user", "--workdir", "--env", "--interval", "--image"}
)


def _take_ssh(words: Sequence[str]) -> _Rest | None:
    at = _skip(words, "bcDEeFIiJLlmOopQRSWw")
    if at >= len(words):
        return None
    return _Rest(len(words) - at - 1, words[at].rpartition("@")[2])


def _take_pod(words: Sequence[str]) -> _Rest | None:
    at = _skip(words, "nsc")
    if at >= len(words) or words[at] not in {"exec", "rsh", "debug"}:
        return None
    at += 1 + _skip(words[at + 1 :], "nc")
    if at >= len(words):
        return None
    kind, slash, name = words[at].rpartition("/")
    at += 1 + _skip(words[at + 1 :], "nc")
    at += at < len(words) and words[at] == "--"
    return _Rest(len(words) - at, name if not slash or kind in {"pod", "pods", "node", "nodes"} else "")


def _take_container(words: Sequence[str]) -> _Rest | None:
    at = int(words[:1] == ["container"])
    if words[at : at + 1] != ["exec"]:
        return None
    at += 1 + _skip(words[at + 1 :], "uwe")
    return _Rest(len(words) - at - 1)


def _take_namespace(words: Sequence[str]) -> _Rest | None:
    return _Rest(len(words) - 3) if list(words[:2]) == ["netns", "exec"] else None


def _take_options(valued: str) -> Callable[[Sequence[str]], _Rest]:
    def take(words: Sequence[str]) -> _Rest:
        at = _skip(words, valued)
        return _Rest(len(words) - at - (words[at : at + 1] == ["--"]))

    return take


def _take_shell(words: Sequence[str]) -> _Rest | None:
    return _Rest(len(words) - 1) if words and words[0] in {"-c", "-lc", "-ic"} else None


def _take_root(words: Sequence[str]) -> _Rest:
    return _Rest(len(words) - 1)


_TAKERS: Mapping[str, Callable[[Sequence[str]], _Rest | None]] = {
    "ssh": _take_ssh,
    "kubectl": _take_pod,
    "oc": _take_pod,
    "docker": _take_container,
    "podman": _take_container,
    "nerdctl": _take_container,
    "crictl": _take_container,
    "ip": _take_namespace,
    "nsenter": _take_options("t"),
    "watch": _take_options("n"),
    "chroot": _take_root,
    "sh": _take_shell,
    "bash": _take_shell,
}
