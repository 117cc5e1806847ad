"""Action spaces: an index or a vector means the same action in every state."""

from collections.abc import Iterator
from typing import Annotated, Any

import numpy as np
import pytest
from gymnasium.spaces import Discrete, MultiDiscrete
from learned_games import LIARS_DICE, SEALED_BIDS
from msgspec import Meta, Struct
from sealed_bids import Bid, Peek

from warroom_games.api import AnyGame
from warroom_games.bounds import Bounds
from warroom_games.playthrough import play
from warroom_games.registry import load_games
from warroom_games.rng import KEY_BYTES
from warroom_games.strata.actions import TimeOut
from warroom_games.thardferr.actions import Attack, Build
from warroom_games.tile_blitz.actions import BuildTank
from warroom_games.tile_blitz.actions import EndTurn as TileBlitzEndTurn
from warroom_games.tile_blitz.actions import Move as TileBlitzMove
from warroom_rl.action_spaces import FactoredActions, IndexedActions
from warroom_rl.errors import SetupError, StepError
from warroom_rl.setting import Setting, setting_of

GAMES = [*load_games().newest(), SEALED_BIDS, LIARS_DICE]


def decisions(setting: Setting, key: int) -> Iterator[tuple[list[Any], Any]]:
    """Yield the listed actions and the chosen one of a random match."""
    match = play(setting.game, setting.seats, setting.options, key.to_bytes(KEY_BYTES, "big"))
    for move in match.moves:
        yield list(setting.game.legal_actions(move.state, move.seat)), move.action


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.id)
def test_every_listed_action_has_a_point_of_its_own(game: AnyGame) -> None:
    setting = setting_of(game, None, None)
    actions, space = setting.actions, setting.action_space()
    for listed, _ in decisions(setting, 1):
        points = actions.points(listed)
        assert len(points) == len(listed) == len({tuple(np.atleast_1d(point)) for point in points})
        assert [actions.decode(point) for point in points] == listed
        assert all(space.contains(point) for point in points)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.id)
def test_a_mask_allows_what_is_listed(game: AnyGame) -> None:
    setting = setting_of(game, None, None)
    actions = setting.actions
    for listed, _ in decisions(setting, 2):
        points = actions.points(listed)
        mask = actions.shown(actions.mask(points))
        if isinstance(mask, tuple):
            assert [set(part.nonzero()[0]) for part in mask] == [set(column) for column in points.T]
        else:
            assert list(mask.nonzero()[0]) == sorted(points)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.id)
def test_the_action_of_the_clock_is_always_in_the_space_or_only_the_clocks(game: AnyGame) -> None:
    setting = setting_of(game, None, None)
    match = play(game, setting.seats, setting.options, bytes(KEY_BYTES))
    for move in match.moves:
        default = game.default_action(move.state, move.seat)
        if game.info.clock_action is None:
            assert setting.actions.decode(setting.actions.encode(default)) == default
        else:
            assert isinstance(default, TimeOut)
            with pytest.raises(KeyError):
                setting.actions.encode(default)


def test_complete_games_have_indices_and_others_have_factors() -> None:
    kinds = {game.info.id: type(setting_of(game, None, None).action_space()) for game in GAMES}
    assert kinds == {
        "graph_battle": Discrete,
        "strata": Discrete,
        "sealed_bids": Discrete,
        "liars_dice": Discrete,
        "thardferr": MultiDiscrete,
        "tile_blitz": MultiDiscrete,
        "timberwall": MultiDiscrete,
    }


def test_indices_count_the_fields_of_one_type_after_another() -> None:
    actions = setting_of(SEALED_BIDS, None, None).actions
    assert isinstance(actions, IndexedActions)
    assert [actions.decode(index) for index in (0, 19, 20)] == [Bid(1), Bid(20), Peek()]
    assert actions.labels[18:] == ("Bid(card=19)", "Bid(card=20)", "Peek()")


def test_fields_of_one_name_and_kind_share_a_factor() -> None:
    actions = setting_of("tile_blitz", 2, None).actions
    assert isinstance(actions, FactoredActions)
    assert actions.labels == (
        "type", "tile", "count", "cards.0", "cards.1", "source", "target", "troops", "tanks",
    )  # fmt: skip
    move = actions.encode(TileBlitzMove(3, 4, troops=5, tanks=0))
    assert dict(zip(actions.labels, move.tolist(), strict=True)) == {
        "type": 2, "tile": 0, "count": 0, "cards.0": 0, "cards.1": 0, "source": 2, "target": 3, "troops": 5, "tanks": 0,
    }  # fmt: skip


def test_factors_that_a_type_does_not_have_are_ignored() -> None:
    actions = setting_of("tile_blitz", 2, None).actions
    vector = np.ones(9, np.int64)
    vector[0] = np.asarray(actions.encode(TileBlitzEndTurn()))[0]
    assert actions.decode(vector) == TileBlitzEndTurn()


def test_an_army_and_large_numbers_are_in_the_space() -> None:
    actions = setting_of("thardferr", 3, None).actions
    for action in (Build("farm", 123_456), Attack(2, {"Knight": 12_345, "Archer": 7}, "Infantry Attack")):
        assert actions.decode(actions.encode(action)) == action


@pytest.mark.parametrize("chosen", [-1, 931, 2.0, "0", None, np.array([1, 2])], ids=str)
def test_what_is_no_index_is_refused(chosen: object) -> None:
    with pytest.raises(StepError, match="an index is a whole number from 0 to 930"):
        setting_of("graph_battle", 5, None).actions.decode(chosen)


@pytest.mark.parametrize("change", [[6], [-1], [0.5], [0, 0]], ids=str)
def test_what_is_no_vector_is_refused(change: list[float]) -> None:
    actions = setting_of("tile_blitz", 2, None).actions
    vector = np.asarray(actions.encode(TileBlitzEndTurn()))
    with pytest.raises(StepError, match="a vector is in MultiDiscrete"):
        actions.decode(np.concatenate((change, vector[1:])) if change != [0.5] else vector + 0.5)


def test_the_nearest_action_agrees_in_the_first_factors_first() -> None:
    actions = setting_of("tile_blitz", 2, None).actions
    assert isinstance(actions, FactoredActions)
    listed = [TileBlitzMove(3, 4, 9, 0), TileBlitzMove(3, 10, 2, 0), BuildTank(3, (1, 2)), TileBlitzEndTurn()]
    points = actions.points(listed)
    wanted = {
        TileBlitzMove(3, 4, 1, 1): listed[0],
        TileBlitzMove(3, 11, 1, 1): listed[1],
        TileBlitzMove(49, 49, 1, 1): listed[1],
        BuildTank(9, (2, 1)): listed[2],
    }
    for action, nearest in wanted.items():
        assert actions.decode(actions.nearest(actions.encode(action), points)) == nearest


class Pay(Struct, frozen=True, tag_field="type", tag="pay", forbid_unknown_fields=True):
    """An action with a map, which cannot be the key of a dictionary."""

    coins: Annotated[dict[str, Annotated[int, Meta(ge=0, le=3)]], Meta(max_length=2)]


class Paying(type(SEALED_BIDS)):  # type: ignore[misc]
    """Sealed bids with other actions."""

    action_type = Pay

    def bounds(self, seats: int, options: Any) -> Bounds:
        return {**super().bounds(seats, options), "coins": ("gold", "iron")}


def test_actions_with_maps_have_indices_too() -> None:
    actions = setting_of(Paying(), None, None).actions
    listed = [Pay({"gold": 2}), Pay({}), Pay({"gold": 1, "iron": 3})]
    assert actions.points(listed).tolist() == [8, 0, 7]
    assert [actions.decode(index) for index in (8, 0, 7)] == listed


class Misspelt(type(SEALED_BIDS)):  # type: ignore[misc]
    """Sealed bids with a bound for nothing."""

    def bounds(self, seats: int, options: Any) -> Bounds:
        return {**super().bounds(seats, options), "crads": 3}


def test_a_bound_that_fits_no_field_is_refused() -> None:
    with pytest.raises(SetupError, match=r"sealed_bids declares bounds for crads, but has no such fields"):
        setting_of(Misspelt(), None, None)


def test_options_may_change_the_space() -> None:
    sizes = [setting_of("timberwall", 2, {"size": size}).actions.mask_size for size in (10, 20)]
    assert sizes[0] < sizes[1]
