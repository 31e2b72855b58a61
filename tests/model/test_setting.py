"""Three states of a value, places that move with their port, and values that survive another process."""

import pickle
from dataclasses import FrozenInstanceError

import pytest

from auditor.model.setting import Known, Origin, Undetermined, Unknown, Unset, Where, is_by_hand, value_of

HERE = Where("leaf1.cfg", 7)


def test_a_known_value_gives_itself() -> None:
    value = Known(3, Origin.INTENDED, HERE)
    assert value.known() is value


@pytest.mark.parametrize(
    ("setting", "where", "why"), [(Unset(HERE), HERE, "default"), (Unknown("no LLDP"), None, "LLDP")]
)
def test_what_is_not_known_raises_with_its_place_and_reason(
    setting: Unset | Unknown, where: Where | None, why: str
) -> None:
    with pytest.raises(Undetermined) as raised:
        setting.known()
    assert raised.value.where == where
    assert why in raised.value.why


@pytest.mark.parametrize(
    ("setting", "value"),
    [(Known(0, Origin.DEFAULT), 0), (Known((), Origin.LEARNED), ()), (Unset(HERE), None), (Unknown(""), None)],
)
def test_value_of(setting: Known[object] | Unset | Unknown, value: object) -> None:
    assert value_of(setting) == value


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        (Known(5, Origin.INTENDED, HERE), True),
        (Known(5, Origin.INTENDED, HERE, "the vendor's page"), False),
        (Known(5, Origin.DEFAULT, HERE), False),
        (Known(5, Origin.LEARNED, HERE), False),
        (Unset(HERE), False),
        (Unknown(""), False),
    ],
)
def test_by_hand(setting: Known[object] | Unset | Unknown, *, expected: bool) -> None:
    assert is_by_hand(setting) is expected


@pytest.mark.parametrize(
    ("where", "absolute"),
    [
        (Where("shared.cfg", 0, relative=True), Where("own.cfg", 40)),
        (Where("shared.cfg", 3, relative=True), Where("own.cfg", 43)),
        (Where("shared.cfg", 3), Where("shared.cfg", 3)),
        (Where("shared.json", 3, relative=True, pointer="/PORT/1"), Where("own.cfg", 43, pointer="/PORT/1")),
    ],
)
def test_a_relative_place_counts_from_the_head_of_its_port(where: Where, absolute: Where) -> None:
    assert where.at(Where("own.cfg", 40)) == absolute


def test_undetermined_survives_another_process() -> None:
    copy = pickle.loads(pickle.dumps(Undetermined("why", HERE)))  # noqa: S301  our own bytes
    assert (copy.why, copy.where) == ("why", HERE)


@pytest.mark.parametrize(
    ("value", "field"), [(Known(3, Origin.INTENDED), "value"), (Unset(), "where"), (Unknown(""), "why"), (HERE, "line")]
)
def test_values_are_frozen(value: object, field: str) -> None:
    with pytest.raises(FrozenInstanceError):
        setattr(value, field, 4)
