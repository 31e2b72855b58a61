"""Mutations of JSON and YAML by their nodes: other types, other keys, more depth, aliases."""

import json
from collections.abc import Callable, MutableMapping, MutableSequence
from random import Random
from typing import Any

import yaml

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_DUMPER: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
MAX_CHARS = 60_000
DEEP = "@deep@"
"""The mark of a node that is nested deeper than Python can recurse, or nearly so."""
NODES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 7, 8, 64, 1.5, -0.0, 1e308, 10**20, 10**400, float("inf"), float("nan")),
    *(
        "",
        " ",
        "0",
        "-1",
        "3",
        " 3",
        "3 ",
        "0x3",
        "3.0",
        "1e400",
        "9" * 400,
        "\u00b2",
        "\u0663",
        "\uff13",
        "nan",
        "inf",
    ),
    *(
        "null",
        "true",
        "on",
        "N/A",
        "0-99999999",
        "0-7",
        "1,,2",
        "Ethernet0|3-4",
        "|",
        "a|b|c|d",
        "[X|y]",
        "[",
        "x" * 5000,
    ),
    *("Ethernet0", "lossless", "3,4", "\ud800", "\0", "\u2028", "\n", "%s", "{}", "../..", "/", "*", "2024-01-01", "~"),
    *(DEEP, DEEP),
    *(
        [],
        {},
        [[]],
        [{}],
        {"": {}},
        [None],
        [1],
        ["a", 1, None],
        {"a": None},
        {"3": "3"},
        {"0": {"1": {"2": {}}}},
        [[[[]]]],
    ),
)
KEYS = (
    *(
        "",
        " ",
        "0",
        "3",
        "-1",
        "\u00b2",
        "\u0663",
        "9" * 400,
        "|",
        "||",
        "Ethernet0|3",
        "Ethernet0|3-4",
        "Ethernet0|0-99999999",
    ),
    *(
        "Ethernet0",
        "DEFAULT",
        "default",
        "null",
        "true",
        "1.5",
        "\ud800",
        "\0",
        "\n",
        "a b",
        "swp1-99999999",
        "swp1-64s0-3",
    ),
)
_BOMB = "a: &a [x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c]\n"


def mutate_tree(chance: Random, text: str) -> str | None:  # noqa: PLR0911  each step may give up
    """Return a mutant of *text*, None where it is neither a JSON document nor a YAML one with something in it."""
    if len(text) > MAX_CHARS:
        return None
    read: Callable[[str], object]
    write: Callable[[Any], str]
    if text.lstrip()[:1] in {"{", "["}:
        indent = chance.choice((2, 2, 4, None))
        read, write = _read_json, lambda data: json.dumps(data, indent=indent)
    elif ":" in text and not text.startswith(("!", "$", "#!")):
        read, write = _read_yaml, lambda data: yaml.dump(data, Dumper=_DUMPER, sort_keys=False)
    else:
        return None
    try:
        data = read(text)
    except (ValueError, yaml.YAMLError, RecursionError):
        return None
    if not isinstance(data, dict | list) or not data:
        return None
    for _ in range(chance.choice((1, 1, 2, 4))):
        data = _mutate_node(chance, data)
    if chance.random() < 0.04:
        return _mutate_text(chance, text)
    try:
        return _deepen(chance, write(data))
    except (ValueError, yaml.YAMLError, RecursionError, TypeError):
        return None


def _deepen(chance: Random, text: str) -> str:
    """Return *text* with the marks of deep nodes replaced: no writer nests as deep as a reader may be asked to."""
    opening, closing = chance.choice((("[", "]"), ('{"a":', "}"), ('[{"a":', "}]")))
    depth = chance.choice((100, 300, 500, 900, 990, 3000))
    return text.replace(f'"{DEEP}"', opening * depth + "1" + closing * depth).replace(DEEP, "[" * 40 + "]" * 40)


def _read_json(text: str) -> object:
    data: object = json.loads(text)
    return data


def _read_yaml(text: str) -> object:
    return yaml.load(text, Loader=_LOADER)  # noqa: S506  one of the safe ones


def _mutate_text(chance: Random, text: str) -> str:
    """Return *text* with what no tree can hold: depth without end, keys that stand twice, aliases."""
    bombs = ("[" * 100_000, '{"a":' * 5_000, "[" * 900 + "]" * 900, '{"a":1,"a":2}', _BOMB, "- " * 3000, "? " * 500)
    bomb = chance.choice(
        (*bombs, "&a [*a]", "<<: {a: 1}", "!!binary x", "!!set {a}", "!!timestamp 2024-01-01", "--- \n---")
    )
    at = text.find("\n", chance.randrange(len(text) + 1)) + 1
    return f"{text[:at]}{bomb}\n{text[at:]}" if chance.random() < 0.6 else bomb


def _mutate_node(chance: Random, data: Any) -> Any:  # noqa: ANN401  a tree of JSON
    if not isinstance(data, dict | list) or not data:
        return data
    steps: list[tuple[Any, Any]] = []
    node = data
    while isinstance(node, dict | list) and node and (not steps or chance.random() < 0.8):
        key = chance.choice(list(node)) if isinstance(node, dict) else chance.randrange(len(node))
        steps.append((node, key))
        node = node[key]
    holder, key = steps[-1]
    return _edit(chance, data, holder, key)


def _edit(
    chance: Random,
    data: Any,  # noqa: ANN401  a tree of JSON
    holder: MutableMapping[Any, Any] | MutableSequence[Any],
    key: Any,  # noqa: ANN401  a key or an index
) -> Any:  # noqa: ANN401  a tree of JSON
    kind = chance.randrange(10)
    if kind < 5:
        holder[key] = _copy(chance.choice(NODES))
    elif kind == 5:
        del holder[key]
    elif kind == 6 and isinstance(holder, MutableMapping):
        holder[chance.choice(KEYS)] = holder.pop(key)
    elif kind == 7:
        holder[key] = chance.choice(([holder[key]], {"x": holder[key]}, [holder[key]] * 3, str(holder[key])))
    elif kind == 8:
        deep: Any = holder[key]
        for _ in range(chance.choice((2, 20, 60))):
            deep = [deep] if chance.random() < 0.5 else {"a": deep}
        holder[key] = deep
    elif isinstance(holder, MutableMapping):
        holder[chance.choice(KEYS)] = _copy(chance.choice((holder[key], *NODES)))
    else:
        holder.append(_copy(chance.choice((holder[key], *NODES))))
    return data


def _copy(node: Any) -> Any:  # noqa: ANN401  a tree of JSON
    """Return a copy, so that the next mutation does not change the table of nodes."""
    if isinstance(node, dict):
        return {key: _copy(value) for key, value in node.items()}
    return [_copy(value) for value in node] if isinstance(node, list) else node
