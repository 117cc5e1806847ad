"""What stands beside a choice: its price, or what it brings."""

import pytest

from warroom_games.api import Noting
from warroom_games.noting import notes_on
from warroom_games.playthrough import play
from warroom_games.rng import KEY_BYTES
from warroom_games.thardferr.actions import Action, Build, Buy, EndTurn, Raze, Research, Sell, Train
from warroom_games.thardferr.notes import note_on
from warroom_games.thardferr.options import Options
from warroom_games.thardferr.rules import GAME
from warroom_games.thardferr.state import Stores
from warroom_protocol.canonical import plain


@pytest.mark.parametrize(
    ("action", "note"),
    [
        pytest.param(Buy("iron", 3), "300 gold", id="§14.1 buying"),
        pytest.param(Sell("wood", 4), "brings 160 gold", id="§14.2 selling"),
        pytest.param(Build("forge", 2), "4500 gold, 100 iron, 100 wood: only adds 3 KS", id="§4.1"),
        pytest.param(
            Research("Irrigation"), "50000 gold, 150 days: each Farm makes 15 more food a day", id="§3.2 a use"
        ),
        pytest.param(
            Research("Transport"), "500000 gold, 60 days: 1000 KS a level, nothing else", id="§3.3 strength alone"
        ),
        pytest.param(Raze("farm", 1), "", id="§10.4 razing is free"),
        pytest.param(EndTurn(), "", id="the end of the turn"),
        pytest.param(Build("no such building", 1), "", id="no building"),
        pytest.param(Train("no such unit", 1), "", id="no unit"),
        pytest.param(Research("no such technology"), "", id="no technology"),
    ],
)
def test_a_note_has_the_price_or_what_is_got(action: Action, note: str) -> None:
    assert note_on(action, "human") == note


def test_the_note_on_what_is_offered_is_what_the_stores_lose() -> None:
    """§10.1, §12.1, §13.2, §14.1: what is told is what is paid."""
    match = play(GAME, 2, Options(max_turns=6), bytes(KEY_BYTES))
    compared = set()
    for state in match.sample(12):
        for seat in sorted(GAME.to_act(state)):
            actions = tuple(GAME.legal_actions(state, seat))
            for action, note in zip(actions, notes_on(GAME, state, seat, actions), strict=True):
                if isinstance(action, Build | Train | Research | Buy):
                    before = state.kingdoms[seat].stores
                    after = GAME.apply(state, seat, action).state.kingdoms[seat].stores
                    assert note.startswith(paid(before, after))
                    compared.add(type(action))
    assert compared == {Build, Train, Research, Buy}
    assert isinstance(GAME, Noting)


def paid(before: Stores, after: Stores) -> str:
    losses = {name: getattr(before, name) - getattr(after, name) for name in ("gold", "iron", "wood")}
    return ", ".join(f"{count} {name}" for name, count in losses.items() if count > 0)


def test_nothing_is_said_of_what_costs_a_spectator_nothing() -> None:
    state = play(GAME, 2, Options(max_turns=6), bytes(KEY_BYTES)).states[-1]
    assert GAME.notes(plain(GAME.public(state)), None, [plain(Buy("iron", 1))]) == [""]
