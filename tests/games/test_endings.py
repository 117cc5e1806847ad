"""A match that its limit on length ends is called the same everywhere: `cap`."""

from typing import Any

import pytest

from warroom_games.api import Result
from warroom_games.codec import decode_options
from warroom_games.playthrough import play
from warroom_games.registry import load_games
from warroom_games.rng import KEY_BYTES
from warroom_protocol.canonical import plain

SHORT: dict[str, dict[str, Any]] = {
    "graph_battle": {"max_rounds": 1},
    "strata": {"max_turns": 4},
    "thardferr": {"max_turns": 1},
    "tile_blitz": {"max_rounds": 1},
    "timberwall": {"max_turns": 4},
}


@pytest.mark.parametrize("game_id", sorted(SHORT))
def test_the_result_the_last_event_and_the_view_name_the_cap_alike(game_id: str) -> None:
    game = load_games().get(game_id)
    options = decode_options(game, SHORT[game_id])
    last = play(game, game.info.min_seats, options, bytes(KEY_BYTES)).moves[-1].step
    result = game.result(last.state)
    assert isinstance(result, Result)
    told = plain(last.events[-1].public)
    assert isinstance(told, dict)
    assert (told["type"], told["reason"], result.reason) == ("end", "cap", "cap")
    shown = plain(game.public(last.state))
    assert isinstance(shown, dict)
    assert shown["ended"] == "cap"
