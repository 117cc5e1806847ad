"""What the games name as conserved, and steps of theirs that random matches hardly ever come to."""

import pytest
from timberwall_positions import act, position

from warroom_games.conservation import conserved_names
from warroom_games.registry import load_games
from warroom_games.timberwall.actions import Attack
from warroom_games.timberwall.rules import GAME as TIMBERWALL

GAMES = load_games(["sealed_bids:GAME"])


@pytest.mark.parametrize(
    ("game", "names"),
    [
        pytest.param("graph_battle", ["nodes", "strength"], id="Graph Battle"),
        pytest.param("sealed_bids", ["cards", "prizes"], id="sealed bids"),
        pytest.param("strata", ["energy", "pieces"], id="Strata"),
        pytest.param("thardferr", ["land"], id="Thardferr"),
        pytest.param("tile_blitz", ["cards", "gold", "tanks", "tiles", "troops"], id="Tile Blitz"),
        pytest.param(
            "timberwall",
            ["points of green", "points of red", "walls", "wood of green", "wood of red"],
            id="Timberwall",
        ),
    ],
)
def test_every_game_counts_something(game: str, names: list[str]) -> None:
    assert conserved_names(GAMES.get(game)) == names


@pytest.mark.parametrize(("is_spent", "lost"), [(True, 30), (False, 0)], ids=["spent", "kept"])
def test_a_unit_that_hits_the_base_is_lost_only_where_it_is_spent(is_spent: bool, lost: int) -> None:
    before = position({(7, 7): 30, (5, 5): 1}, base_hit_spends_unit=is_spent)
    step = act(before, Attack(7, 7, "se"))
    counts = [TIMBERWALL.conserved(state)["points of green"] for state in (before, step.state)]
    come = TIMBERWALL.sources(before, step.events)["points of green"]
    income = 1
    assert counts == [31, 31 - lost + income]
    assert come == income - lost
