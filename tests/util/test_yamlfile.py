"""YAML that people write: the data, and the line of each kind of mistake."""

import pytest

from auditor.util.yamlfile import YamlError, load

SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "name": {"type": "string"},
        "list": {"type": "array", "items": {"type": "integer", "maximum": 7}},
        "deep": {"type": "object", "required": ["x"]},
    },
}


@pytest.mark.parametrize(
    ("path", "line"),
    [(["name"], 2), (["list"], 3), (["list", 1], 5), (["list", 9, "x"], 3), (["gone"], 2), ([], 2)],
    ids=["key", "key of a list", "item", "nearest thing around", "top where the key is missing", "top"],
)
def test_each_value_has_the_line_of_its_key(path: list[str | int], line: int) -> None:
    located = load("f.yaml", "# comment\nname: a\nlist:\n  - 1\n  - 2\n", SCHEMA)
    assert located.data == {"name": "a", "list": [1, 2]}
    assert located.line(path) == line


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("name: a\nlist: [1,\n  8]\n", 3, "list/1"),
        ("name: a\nlist:\n  - x\n", 3, "integer"),
        ("name: 5\n", 1, "string"),
        ("name: a\nlist: []\nname: b\n", 3, "twice"),
        ("list: [true]\n", 1, "integer"),
        ("\n\ndeep: {}\n", 3, "'x' is a required property"),
        ("name: a\nother: 1\n", 2, "other"),
        ("", 1, "object"),
        ("- a\n", 1, "object"),
        ("name: a\nlist: [1\n", 3, "not YAML"),
        ("name: a\n\tlist: 1\n", 2, "not YAML"),
        ("name: a\nname : b: c\n", 2, "not YAML"),
        ("name: a\n? [a]\n: 1\n", 2, "not YAML"),
        ("name: !!python/object/apply:os.system [true]\n", 1, "not YAML"),
        ("name: \x00\n", 1, "not YAML"),
        ("a: &a [*a]\n", 1, "aliases"),
        ("[" * 5000, 1, "not YAML"),
        ("{a: " * 300_000, 1, "deeper"),
        ("name: a\ndeep:\n" + "".join(" " * depth + "- \n" for depth in range(1, 60)), 52, "deeper"),
        ("list: [" + "9" * 5000 + "]\n", 1, "not YAML"),
        ("name: a\n1: 2\n", 2, "no key is named '1' here"),
    ],
)
def test_a_mistake_is_told_with_file_and_line(text: str, line: int, says: str) -> None:
    with pytest.raises(YamlError) as raised:
        load("dir/f.yaml", text, SCHEMA)
    assert (raised.value.file, raised.value.line) == ("dir/f.yaml", line)
    assert str(raised.value).startswith(f"dir/f.yaml:{line}: ")
    assert says in str(raised.value)


def test_a_message_stays_short() -> None:
    with pytest.raises(YamlError) as raised:
        load("f.yaml", "name: [" + "x, " * 5000 + "]\n", SCHEMA)
    assert len(raised.value.message) < 300


@pytest.mark.parametrize("tag", ["timestamp", "bool", "int", "float", "binary", "set", "omap", "pairs", "map", "seq"])
def test_a_value_that_does_not_fit_its_tag(tag: str) -> None:
    with pytest.raises(YamlError, match=r"x\.yaml:1: not YAML"):
        load("x.yaml", f"a: !!{tag} \N{SNOWMAN}\n", {})
