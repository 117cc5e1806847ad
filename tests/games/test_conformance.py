"""Every registered game, and the one that hides everything, keeps every law."""

from typing import Any

import msgspec
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from warroom_games.api import AnyGame, OptionsError
from warroom_games.codec import decode_options
from warroom_games.conformance import LAWS, Law
from warroom_games.playthrough import play
from warroom_games.registry import load_games
from warroom_games.rng import KEY_BYTES

GAMES = list(load_games(["sealed_bids:GAME"]))

# Each example is a whole match, looked at from every seat: a few of them weigh as much as many small ones.
TRIES = settings(max_examples=min(settings.default.max_examples // 10, 200))


def options_of(game: AnyGame) -> st.SearchStrategy[Any]:
    """Any options that the game's own description allows."""
    fields = msgspec.inspect.type_info(game.options_type).fields
    return st.fixed_dictionaries({field.name: _values(field.type) for field in fields}).map(
        lambda values: decode_options(game, values)
    )


def _values(kind: msgspec.inspect.Type) -> st.SearchStrategy[object]:
    match kind:
        case msgspec.inspect.Metadata():
            return _values(kind.type)
        case msgspec.inspect.BoolType():
            return st.booleans()
        case msgspec.inspect.IntType():
            return st.integers(kind.ge, kind.le)
        case msgspec.inspect.LiteralType():
            return st.sampled_from(kind.values)
    raise TypeError(f"teach this test to draw {kind}")


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.info.id}-{game.info.rules_version}")
@given(key=st.binary(min_size=KEY_BYTES, max_size=KEY_BYTES), data=st.data())
@TRIES
def test_a_game_keeps_the_law(game: AnyGame, law: Law, key: bytes, data: st.DataObject) -> None:
    seats = data.draw(st.integers(game.info.min_seats, game.info.max_seats), label="seats")
    options = data.draw(options_of(game), label="options")
    try:
        match = play(game, seats, options, key)
    except OptionsError:
        reject()
    assert law(match) is None  # type: ignore[func-returns-value]  # a broken law raises
