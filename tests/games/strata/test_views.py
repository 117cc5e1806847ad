"""docs/rules/strata.md, section 11: nothing is hidden, nothing is drawn, and views share what did not change."""

import pytest
from strata_positions import at, position

from warroom_games.api import OptionsError
from warroom_games.codec import decode_options
from warroom_games.rng import Rng
from warroom_games.strata.actions import Infuse
from warroom_games.strata.options import Options
from warroom_games.strata.rules import GAME
from warroom_protocol.canonical import plain
from warroom_protocol.patches import apply, diff

STACKS = {at(0, 0, 0): "A3*2", at(2, 3, 3): "A4*6", at(4, 0, 0): "B1*1"}


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_everybody_knows_everything(seat: int | None) -> None:
    state = position(STACKS, pools="A1*1 B2*2", turn=9, dominion=(3, 4), infused=True)
    assert GAME.imagine(plain(GAME.public(state)), None, seat, Rng(bytes(16))) == state
    assert GAME.private(state, 0) is GAME.private(state, 1) is None


def test_the_opening_does_not_depend_on_the_seed() -> None:
    assert GAME.setup(2, Options(), Rng(bytes(16))) == GAME.setup(2, Options(), Rng(b"any other seed !"))


def test_a_patch_names_what_changed_and_nothing_else() -> None:
    state = position(STACKS, pools="A1*2 B2*2")
    before = GAME.public(state)
    after = GAME.public(GAME.apply(state, 0, Infuse(at(2, 3, 3))).state)
    patch = plain(diff(before, after))
    changed = [[["vertices", 58, "energy"], 7], [["pools", 0, "energy"], 1], [["infused"], True]]
    assert [value for _, value in patch] == [value for _, value in changed]
    assert apply(plain(before), patch) == apply(plain(before), changed) == plain(after)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        pytest.param({"max_turns": 1}, "'max_turns' of strata cannot be 1; allowed: whole numbers from 2 to 400"),
        pytest.param({"max_turns": 401}, "cannot be 401; allowed: whole numbers from 2 to 400"),
        pytest.param({"mandatory_move": 1}, "cannot be 1; allowed: true, false"),
        pytest.param({"layers": 7}, r"strata has no option 'layers' \(7\); allowed: mandatory_move, max_turns"),
    ],
)
def test_options_that_there_are_not_are_refused(options: dict[str, object], says: str) -> None:
    with pytest.raises(OptionsError, match=says):
        decode_options(GAME, options)


@pytest.mark.parametrize("seats", [1, 3])
def test_it_takes_two(seats: int) -> None:
    with pytest.raises(OptionsError, match=f"strata is played by 2 seats, not {seats}"):
        GAME.setup(seats, Options(), Rng(bytes(16)))
