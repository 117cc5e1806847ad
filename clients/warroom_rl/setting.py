"""What stays the same in all matches of an environment: the game, its seats and options, and its spaces."""

from collections.abc import Mapping
from typing import Any

from gymnasium import spaces

from warroom_games.api import AnyGame, OptionsError, RulesError
from warroom_games.codec import check_seats, decode_options
from warroom_games.registry import RegistryError, load_game, load_games
from warroom_games.rng import KEY_BYTES, Rng
from warroom_rl.action_forms import action_forms
from warroom_rl.action_spaces import FactoredActions, IndexedActions, action_space
from warroom_rl.errors import SetupError
from warroom_rl.field_bounds import bounds_of
from warroom_rl.view_layout import ViewLayout


class Setting:
    """A game with a number of seats and options, and the numbers for its actions and views."""

    def __init__(self, game: AnyGame, seats: int, options: Any) -> None:
        bounds = bounds_of(game, seats, options)
        self.game, self.seats, self.options = game, seats, options
        self.actions: IndexedActions | FactoredActions = action_space(
            action_forms(game, bounds), is_complete=game.info.complete
        )
        self.views = ViewLayout(game, seats, bounds)
        bounds.require_complete(game.info.id)
        self.agents = tuple(f"seat_{seat}" for seat in range(seats))

    def observation_space(self) -> spaces.Dict:
        """Return a new space of what a seat gets: its view, and which actions are legal."""
        return spaces.Dict({"observation": self.views.space(), "action_mask": self.actions.mask_space()})

    def action_space(self) -> spaces.Space[Any]:
        """Return a new space of actions."""
        return self.actions.space()

    def state_space(self) -> spaces.Box:
        """Return a new space of what all seats know together."""
        return self.views.state_space()


def setting_of(game: str | AnyGame, seats: int | None, options: Mapping[str, object] | None) -> Setting:
    """Return the setting of an installed game, of one at `module:object`, or of a game object.

    Raise `SetupError` for an unknown game, a number of seats or options that do not fit, and types without bounds.
    """
    try:
        found = find_game(game)
        count = found.info.usual_seats if seats is None else seats
        check_seats(found, count)
        decoded = decode_options(found, options or {})
        found.setup(count, decoded, Rng(bytes(KEY_BYTES)))  # a game may refuse options together
    except (RegistryError, OptionsError) as error:
        raise SetupError(str(error)) from error
    except RulesError as error:
        raise SetupError(f"the game does not begin: {error}") from error
    return Setting(found, count, decoded)


def find_game(game: str | AnyGame) -> AnyGame:
    """Return a game by its id or as `module:object`; raise `RegistryError` if there is none."""
    if not isinstance(game, str):
        return game
    return load_game(game) if ":" in game else load_games().get(game)
