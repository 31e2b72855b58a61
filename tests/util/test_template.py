"""Templates: what is changed, what is shared, and what is not."""

from dataclasses import dataclass

from auditor.util.codec import Codec
from auditor.util.template import Template


@dataclass(frozen=True, slots=True)
class Place:
    """The part that changes."""

    line: int


@dataclass(frozen=True, slots=True)
class Leaf:
    """A value that may have a place."""

    name: str
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Tree:
    """Values in values."""

    leaves: tuple[Leaf, ...]
    by_name: dict[str, Leaf]


def move(place: Place) -> Place:
    return Place(place.line + 10)


TREE = Tree((Leaf("a", Place(1)), Leaf("b"), Leaf("b"), Leaf("c", Place(1))), {"a": Leaf("a", Place(2))})


def test_places_change_wherever_they_are() -> None:
    found = Template(Codec(Tree), TREE, Place).fill(move)
    assert found == Tree(
        (Leaf("a", Place(11)), Leaf("b"), Leaf("b"), Leaf("c", Place(11))), {"a": Leaf("a", Place(12))}
    )


def test_values_without_a_place_are_shared() -> None:
    template = Template(Codec(Tree), TREE, Place)
    one, other = template.fill(move), template.fill(move)
    assert one.leaves[1] is one.leaves[2] is other.leaves[1]
    assert one.leaves[0].place is one.leaves[3].place
    assert one.leaves[0] is not other.leaves[0]
    assert one.by_name is not other.by_name


def test_values_told_apart_are_not() -> None:
    template = Template(Codec(Tree), TREE, Place, told_apart=(Leaf,))
    one, other = template.fill(move), template.fill(move)
    assert one == other
    assert len({id(leaf) for leaf in (*one.leaves, *other.leaves)}) == 2 * len(TREE.leaves)


def test_the_texts_of_a_template() -> None:
    assert sorted(Template(Codec(Tree), TREE, Place).list_texts()) == ["a", "b", "c"]
