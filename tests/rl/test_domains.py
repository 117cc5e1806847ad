"""Finite sets of values: each value has a code of its own, and the code leads back to it."""

from enum import Enum
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta, Struct

from warroom_games.bounds import Bounds
from warroom_rl.domain_types import domain_of
from warroom_rl.domains import Domain
from warroom_rl.errors import BoundError, SetupError
from warroom_rl.field_bounds import FieldBounds


class Spot(NamedTuple):
    """A place."""

    x: Annotated[int, Meta(ge=0, lt=4)]
    y: Annotated[int, Meta(ge=0, lt=3)]


class Wish(Struct, frozen=True):
    """A Struct in a field."""

    spot: Spot
    is_urgent: bool


class Suit(Enum):
    """An enumeration."""

    CLUBS = "clubs"
    HEARTS = "hearts"


Small = Annotated[int, Meta(ge=-2, le=2)]
Large = Annotated[int, Meta(ge=5, lt=5_000_000)]


def domain(kind: Any, bounds: Bounds | None = None) -> Domain:
    found = FieldBounds(bounds or {})
    made = domain_of(msgspec.inspect.type_info(kind), ("action", "try", "field"), found)
    found.require_complete("this")
    return made


@pytest.mark.parametrize(
    ("kind", "bounds", "sizes"),
    [
        pytest.param(Literal["a", "b", "c"], None, (3,), id="literal"),
        pytest.param(bool, None, (2,), id="bool"),
        pytest.param(Suit, None, (2,), id="enumeration"),
        pytest.param(Small, None, (5,), id="small number"),
        pytest.param(Annotated[int, Meta(gt=0, lt=3)], None, (2,), id="number with open limits"),
        pytest.param(Large, None, (5, 10, 10, 10, 10, 10, 10), id="large number in digits"),
        pytest.param(Small | None, None, (6,), id="optional number"),
        pytest.param(Large | None, None, (2, 5, 10, 10, 10, 10, 10, 10), id="optional large number"),
        pytest.param(Spot, None, (4, 3), id="named tuple"),
        pytest.param(tuple[Small, bool], None, (5, 2), id="tuple"),
        pytest.param(Wish, None, (4, 3, 2), id="struct"),
        pytest.param(Annotated[tuple[Small, ...], Meta(max_length=2)], None, (3, 5, 5), id="list"),
        pytest.param(tuple[bool, ...], {"field": 3}, (4, 2, 2, 2), id="list with a declared length"),
        pytest.param(int, {"field": range(3, 8)}, (5,), id="declared range"),
        pytest.param(str, {"try.field": ("north", "south")}, (2,), id="declared texts"),
        pytest.param(dict[Literal["a", "b"], Annotated[int, Meta(ge=0, le=7)]], None, (8, 8), id="map"),
        pytest.param(dict[str, Annotated[int, Meta(ge=0, le=7)]], {"field": ("a", "b", "c")}, (8,) * 3, id="keys"),
    ],
)
def test_a_type_has_factors_with_a_label_each(kind: Any, bounds: Bounds | None, sizes: tuple[int, ...]) -> None:
    found = domain(kind, bounds)
    assert found.sizes == sizes
    assert len(found.labels) == len(sizes)


@pytest.mark.parametrize(
    "kind",
    [
        Literal["a", "b"], bool, Suit, Small, Large, Large | None, Spot, Wish,
        Annotated[tuple[Spot, ...], Meta(max_length=3)],
        Annotated[tuple[Small | None, ...], Meta(min_length=1, max_length=2)],
        tuple[Small, Wish], dict[Literal["a", "b"], Annotated[int, Meta(ge=0, le=7)]],
    ],
    ids=str,
)  # fmt: skip
@given(numbers=st.randoms(use_true_random=False))
def test_a_code_leads_back_to_its_value(kind: Any, numbers: Any) -> None:
    found = domain(kind)
    code = [numbers.randrange(size) for size in found.sizes]
    try:
        value = found.decode(code)
    except BoundError:
        return  # not every code has a value, but every value has its own code
    assert found.encode(value) == code
    assert msgspec.convert(msgspec.to_builtins(value), kind) == value


@pytest.mark.parametrize("number", [5, 6, 999, 1_000, 4_999_999])
def test_large_numbers_are_written_in_digits(number: int) -> None:
    found = domain(Large)
    code = found.encode(number)
    assert int("".join(map(str, code))) == number - 5
    assert found.decode(code) == number


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (Small, 3),
        (Large, 4),
        (Literal["a"], "b"),
        (Annotated[tuple[bool, ...], Meta(max_length=1)], (True, True)),
        (dict[Literal["a"], Annotated[int, Meta(ge=0, le=7)]], {"b": 1}),
    ],
    ids=str,
)
def test_a_value_outside_has_no_code(kind: Any, value: object) -> None:
    with pytest.raises(BoundError):
        domain(kind).encode(value)


def test_a_map_leaves_out_what_has_the_amount_0() -> None:
    found = domain(dict[Literal["a", "b"], Annotated[int, Meta(ge=0, le=7)]])
    assert found.decode([0, 3]) == {"b": 3}
    assert found.encode({"a": 0, "b": 3}) == [0, 3]


def test_a_map_keeps_its_greatest_length() -> None:
    found = domain(Annotated[dict[Literal["a", "b"], Annotated[int, Meta(ge=0, le=7)]], Meta(max_length=1)])
    with pytest.raises(BoundError):
        found.decode([1, 3])


@pytest.mark.parametrize(
    ("kind", "wanted"),
    [
        pytest.param(int, "'field' (action.try.field: the range of the number)", id="number"),
        pytest.param(str, "'field' (action.try.field: the allowed texts)", id="text"),
        pytest.param(
            tuple[int, ...],
            "'field' (action.try.field: the greatest length of the list); "
            "'field.[]' (action.try.field[]: the range of the number)",
            id="list",
        ),
    ],
)
def test_a_type_without_a_bound_says_what_to_declare(kind: Any, wanted: str) -> None:
    with pytest.raises(SetupError) as refused:
        domain(kind)
    assert str(refused.value) == f"this has types without bounds; its method `bounds` must declare {wanted}"


@pytest.mark.parametrize("kind", [int | str, frozenset[bool], float], ids=str)
def test_a_type_without_a_number_of_values_is_refused(kind: Any) -> None:
    with pytest.raises(SetupError, match=r"list its values in `bounds`"):
        domain(kind)


@pytest.mark.parametrize("bound", [range(0), range(0, 10, 2)])
def test_an_unusable_range_is_refused(bound: range) -> None:
    with pytest.raises(SetupError, match="a step of 1"):
        domain(int, {"field": bound})
