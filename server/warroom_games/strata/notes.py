"""Notes on attacks, shown before they are made: docs/rules/strata.md, section 5.7."""

from warroom_games.strata.actions import Action, Attack
from warroom_games.strata.board import INDEX
from warroom_games.strata.combat import Duel, duel
from warroom_games.strata.force import in_text
from warroom_games.strata.state import State
from warroom_games.words import plural


def note_on(state: State, action: Action) -> str:
    """Return the forces of an attack, the winner and what it has left; an empty text for other actions."""
    if not isinstance(action, Attack):
        return ""
    fought = duel(state.vertices, INDEX[action.source], INDEX[action.target])
    forces = f"{in_text(fought.force)} v {in_text(fought.resistance)}"
    if fought.is_won:
        return f"{forces}: wins, {_left(fought)} left"
    return f"{forces}: loses, enemy keeps {_left(fought)}"


def _left(fought: Duel) -> str:
    return f"{plural(fought.pieces, 'piece')}, energy {fought.energy}" if fought.pieces else "nothing"
