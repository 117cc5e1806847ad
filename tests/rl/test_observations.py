"""Observations: arrays of fixed shape that say what a seat knows."""

from typing import Annotated, Any, Literal

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from learned_games import LIARS_DICE, SEALED_BIDS
from msgspec import Meta, Struct

from warroom_games.api import AnyGame
from warroom_games.bounds import Bounds, Flags, Letters
from warroom_games.playthrough import play
from warroom_games.registry import load_games
from warroom_games.rng import KEY_BYTES
from warroom_protocol.canonical import plain
from warroom_rl.errors import BoundError, SetupError
from warroom_rl.feature_types import FeatureTypes
from warroom_rl.features import UNKNOWN, Feature, Unknown
from warroom_rl.field_bounds import FieldBounds
from warroom_rl.setting import setting_of
from warroom_rl.view_layout import ViewWriter

GAMES = [*load_games().newest(), SEALED_BIDS, LIARS_DICE]


class Options(Struct, frozen=True):
    """What never changes."""

    size: int = 3


class Piece(Struct, frozen=True):
    """Something on a board."""

    kind: Literal["king", "pawn"]
    strength: int


class View(Struct, frozen=True, kw_only=True):
    """A view with a field of each kind."""

    options: Options = Options()
    turn: int = 1
    is_open: bool = False
    winner: Annotated[int, Meta(ge=0, le=3)] | None = None
    mood: Literal["good", "bad"] | None = None
    place: tuple[int, int] = (0, 0)
    pieces: tuple[Piece | None, ...] = ()
    held: tuple[int, ...] = ()
    row: str = ""
    stock: dict[str, int] = {}
    seat: int = 0


BOUNDS: Bounds = {
    "pieces": 2,
    "held": Flags((3, 5, 7)),
    "row": Letters("ab", 3),
    "stock": ("gold", "iron"),
    "place.[]": range(10),
    "seat": (0, 1),
}


def feature(kind: Any = View, bounds: Bounds = BOUNDS) -> Feature:
    found = FieldBounds(bounds)
    made = FeatureTypes(found, Options).of(msgspec.inspect.type_info(kind), ("public",))
    found.require_complete("this")
    assert made is not None
    return made


def shown(view: View) -> dict[str, float]:
    """Return the numbers of a view that are not 0, by their names."""
    made = feature()
    out = np.full(made.size, np.nan, np.float32)
    made.write(out, 0, view, UNKNOWN)
    return {cell.name: float(number) for cell, number in zip(made.cells(), out, strict=True) if number}


EMPTY = {"public.turn": 1, "public.mood = None": 1, "public.seat = 0": 1}


@pytest.mark.parametrize(
    ("view", "numbers"),
    [
        pytest.param(View(), {}, id="nothing"),
        pytest.param(View(turn=9), {"public.turn": 9}, id="number"),
        pytest.param(View(is_open=True), {"public.is_open": 1}, id="bool"),
        pytest.param(View(winner=0), {"public.winner is given": 1}, id="null flag"),
        pytest.param(View(winner=2), {"public.winner is given": 1, "public.winner": 2}, id="optional number"),
        pytest.param(View(place=(4, 7)), {"public.place[0]": 4, "public.place[1]": 7}, id="tuple"),
        pytest.param(View(held=(7, 3)), {"public.held has 3": 1, "public.held has 7": 1}, id="flags"),
        pytest.param(View(row="ba"), {"public.row[0] = b": 1, "public.row[1] = a": 1}, id="letters"),
        pytest.param(View(stock={"iron": 0}), {"public.stock[iron] is there": 1}, id="map"),
        pytest.param(
            View(pieces=(None, Piece("pawn", 5))),
            {
                "public.pieces[0] is there": 1,
                "public.pieces[1] is there": 1,
                "public.pieces[1] is given": 1,
                "public.pieces[1].kind = pawn": 1,
                "public.pieces[1].strength": 5,
            },
            id="list",
        ),
    ],
)
def test_a_field_has_numbers_of_its_own(view: View, numbers: dict[str, float]) -> None:
    assert shown(view) == {**EMPTY, **numbers}


def test_a_category_has_a_flag_for_each_value() -> None:
    assert shown(View(mood="bad", seat=1)) == {"public.turn": 1, "public.mood = bad": 1, "public.seat = 1": 1}


def test_options_and_what_the_bounds_leave_out_have_no_numbers() -> None:
    names = [cell.name for cell in feature(bounds={**BOUNDS, "stock": None}).cells()]
    assert [name for name in names if "options" in name or "stock" in name] == []


VIEWS = st.builds(
    View,
    turn=st.integers(0, 9),
    is_open=st.booleans(),
    winner=st.none() | st.integers(0, 3),
    mood=st.sampled_from([None, "good", "bad"]),
    place=st.tuples(st.integers(0, 9), st.integers(0, 9)),
    pieces=st.lists(st.none() | st.builds(Piece, st.sampled_from(["king", "pawn"]), st.integers(0, 9)), max_size=2).map(
        tuple
    ),
    held=st.sets(st.sampled_from([3, 5, 7])).map(tuple),
    row=st.text("ab", max_size=3),
    stock=st.dictionaries(st.sampled_from(["gold", "iron"]), st.integers(0, 9)),
    seat=st.integers(0, 1),
)


@given(views=st.lists(VIEWS, min_size=2, max_size=4))
def test_what_is_written_over_another_view_is_what_is_written_alone(views: list[View]) -> None:
    made = feature()
    out = np.zeros(made.size, np.float32)
    old: View | Unknown = UNKNOWN
    for view in views:
        made.write(out, 0, view, old)
        old = view
        alone = np.full(made.size, np.nan, np.float32)
        made.write(alone, 0, view, UNKNOWN)
        assert np.array_equal(out, alone)


@pytest.mark.parametrize(
    ("view", "said"),
    [
        (View(winner=4), "public.winner is 4, not from 0 to 3"),
        (View(pieces=(None, None, None)), "public.pieces has 3 items, more than the declared 2"),
        (View(held=(4,)), "public.held has 4, not one of [3, 5, 7]"),
        (View(row="abc!"), "public.row is 'abc!', not at most 3 of 'ab'"),
        (View(stock={"tin": 1}), "public.stock has the keys ['tin'], which are not declared"),
        (View(seat=2), "public.seat is 2, not one of [0, 1]"),
    ],
)
def test_a_value_outside_its_bound_is_named(view: View, said: str) -> None:
    with pytest.raises(BoundError) as refused:
        shown(view)
    assert str(refused.value) == said


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (int | str, "leave it out with None in `bounds`"),
        (float, "leave it out with None in `bounds`"),
        (str, "the possible texts, or their letters"),
        (dict[str, int], "the keys of the map"),
        (tuple[int, ...], "the greatest length of the list"),
    ],
    ids=str,
)
def test_a_type_without_bounds_is_refused(kind: Any, said: str) -> None:
    with pytest.raises(SetupError, match=said):
        feature(kind, {})


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.id)
def test_an_observation_is_in_its_space_and_the_same_from_plain_views(game: AnyGame) -> None:
    setting = setting_of(game, None, None)
    space, step_by_step = setting.views.space(), ViewWriter(setting.views)
    match = play(game, setting.seats, setting.options, bytes(KEY_BYTES))
    for state in match.sample(25):
        public, asked = game.public(state), sorted(game.to_act(state))
        step_by_step.write_public(public, asked)
        afresh = ViewWriter(setting.views)
        afresh.write_public(plain(public), asked)
        for seat in range(setting.seats):
            private = game.private(state, seat)
            observation = step_by_step.observation(seat, private)
            assert space.contains(observation)
            assert np.array_equal(observation, afresh.observation(seat, plain(private)))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.id)
def test_every_number_has_a_name_of_its_own(game: AnyGame) -> None:
    views = setting_of(game, None, None).views
    names = [cell.name for cell in views.cells()]
    assert len(names) == len(set(names)) == views.size


def test_the_first_numbers_say_who_looks_and_who_is_to_act() -> None:
    setting = setting_of(SEALED_BIDS, 3, None)
    names = [cell.name for cell in setting.views.cells()][:6]
    assert names == [f"{name} has {seat}" for name in ("viewer", "to_act") for seat in range(3)]


class Mistyped(type(SEALED_BIDS)):  # type: ignore[misc]
    """Sealed bids whose views are of another type than it says."""

    def public(self, state: Any) -> object:
        return {"round": "first"}


def test_a_view_of_another_type_is_refused() -> None:
    setting = setting_of(Mistyped(), 2, None)
    with pytest.raises(SetupError, match="a view does not have the type that the game names"):
        ViewWriter(setting.views).write_public({"round": "first"}, [0])
