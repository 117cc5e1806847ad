"""docs/rules/timberwall.md, section 13: actions and the list of legal ones."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from timberwall_positions import KEY, position

from warroom_games.api import IllegalActionError
from warroom_games.playthrough import play
from warroom_games.timberwall.actions import (
    Attack,
    BuildWall,
    Convert,
    ConvertAll,
    Deploy,
    HitWall,
    Merge,
    Move,
    Pass,
    RemoveWall,
)
from warroom_games.timberwall.geometry import DIRECTIONS
from warroom_games.timberwall.ground import survey, survey_views
from warroom_games.timberwall.listing import every_action, listed
from warroom_games.timberwall.options import Options
from warroom_games.timberwall.rules import GAME
from warroom_games.timberwall.state import State, knowledge
from warroom_games.timberwall.units import LEVELS
from warroom_protocol.canonical import plain


def every_conceivable_action(size: Any) -> Iterator[object]:
    """Every action that can be written down for the tiles of a board, and a few beyond it."""
    yield from (Pass(), Convert(), ConvertAll())
    for x, y in product(range(size + 1), repeat=2):
        yield from (kind(x, y, direction) for kind in (Move, Attack, Merge) for direction in DIRECTIONS)
        yield from (HitWall(x, y, direction) for direction in ("n", "e", "s", "w"))
        yield from (kind(x, y, side) for kind in (BuildWall, RemoveWall) for side in ("east", "south"))
        yield from (Deploy(x, y, points) for points in (*LEVELS, 7))


def is_legal(state: State, action: Any) -> bool:
    try:
        GAME.check(state, state.table.seat, action)
    except IllegalActionError:
        return False
    return True


class TestList:
    """§13.1, §13.2"""

    @pytest.mark.parametrize("fog", [True, False])
    def test_up_to_512_it_holds_exactly_what_check_allows(self, fog: bool) -> None:
        match = play(GAME, 2, Options(max_turns=60, fog=fog), KEY)
        for state in match.states[:-1:20]:
            legal = {action for action in every_conceivable_action(10) if is_legal(state, action)}
            found = list(GAME.legal_actions(state, state.table.seat))
            assert len(found) == len(set(found))
            assert set(found) == legal

    def test_it_begins_with_what_ends_the_turn_the_strongest_first(self) -> None:
        state = position(
            {(7, 7): 1, (4, 4): 1, (5, 4): 1},
            {(6, 6): 1},
            walls={(4, 4, "south"): (0, 100)},
            wood=(20, 0),
            reserves=(2, 0),
        )
        kinds = [type(action) for action in GAME.legal_actions(state, 0)]
        assert list(dict.fromkeys(kinds)) == [
            Pass,
            Attack,
            Merge,
            HitWall,
            Move,
            Convert,
            ConvertAll,
            Deploy,
            BuildWall,
            RemoveWall,
        ]
        assert list(GAME.legal_actions(state, 0))[1] == Attack(7, 7, "se")

    def test_the_strongest_units_are_offered_first(self) -> None:
        offered = [
            action.points for action in GAME.legal_actions(position(reserves=(5, 0)), 0) if type(action) is Deploy
        ]
        assert offered == [points for points in (5, 4, 3, 2, 1) for _ in range(15)]

    @pytest.mark.parametrize(("size", "gap"), [(20, 2), (30, 3)])
    def test_beyond_512_it_is_cut_off_but_never_the_pass(self, size: Any, gap: int) -> None:
        crowd = {(x, y): 1 for x in range(4, size - 4, gap) for y in range(0, size, gap)}
        state = position(crowd, wood=(90, 0), reserves=(500, 0), size=size)
        everything = list(every_action(survey(state.table, knowledge(state, 0))))
        assert len(everything) > 512
        assert list(GAME.legal_actions(state, 0)) == everything[:512]
        assert everything[0] == Pass()
        assert is_legal(state, everything[-1])

    @pytest.mark.parametrize("fog", [True, False])
    def test_a_client_finds_the_same_from_its_views(self, fog: bool) -> None:
        state = position({(5, 5): 1}, {(6, 6): 1, (0, 9): 1}, walls={(5, 5, "east"): (1, 9)}, fog=fog)
        ground = survey_views(plain(GAME.public(state)), plain(GAME.private(state, 0)), 0)
        assert listed(ground) == list(GAME.legal_actions(state, 0))
        assert ground.forests == {9}
