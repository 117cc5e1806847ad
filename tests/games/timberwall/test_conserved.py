"""docs/rules/timberwall.md, section 15: what is conserved, in random matches told by their events alone."""

from typing import Any

import pytest
from timberwall_positions import KEY

from warroom_games.api import Event
from warroom_games.playthrough import Playthrough, play
from warroom_games.timberwall.events import Attacked, BaseHit, Converted, Income, WallBuilt, WallHit, WallRemoved
from warroom_games.timberwall.geometry import grid
from warroom_games.timberwall.options import Options
from warroom_games.timberwall.rules import GAME
from warroom_games.timberwall.state import State

MATCHES = [
    pytest.param({"max_turns": 200}, 1, id="the standard board"),
    pytest.param({"max_turns": 200, "base_hit_spends_unit": True, "forests": 20}, 2, id="units spent at the base"),
    pytest.param({"max_turns": 120, "size": 20, "fog": False}, 3, id="the middle board without fog"),
]


def played(options: dict[str, Any], number: int) -> Playthrough:
    return play(GAME, 2, Options(**options), bytes([number]) + KEY[1:])


def forms(event: Event, seat: int) -> list[object]:
    """What happened, in the fullest form told."""
    return [form for form in (event.public, dict(event.private).get(seat)) if form is not None]


def worth(state: State, seat: int) -> int:
    own = state.board.holdings[seat]
    return own.reserves + sum(unit.points for unit in own.units)


def gained_points(form: object, seat: int) -> int:
    match form:
        case Attacked(seat=actor) if actor == seat:
            return form.attacker_left - form.attacker
        case Attacked():
            return form.defender_left - form.defender
        case BaseHit(seat=actor) if actor == seat and form.is_spent:
            return -form.damage
        case Income(seat=actor) | Converted(seat=actor) if actor == seat:
            return form.reserves
    return 0


def gained_wood(form: object, seat: int) -> int:
    match form:
        case Income(seat=actor) if actor == seat:
            return form.wood
        case Converted(seat=actor) if actor == seat:
            return -form.wood
        case WallBuilt(seat=actor) if actor == seat:
            return -10
    return 0


@pytest.mark.parametrize(("options", "number"), MATCHES)
class TestConserved:
    """Section 15."""

    def test_points_come_and_go_only_as_told(self, options: dict[str, Any], number: int) -> None:
        """§15.1"""
        match = played(options, number)
        for seat in (0, 1):
            assert worth(match.opening, seat) == 36
            for move in match.moves:
                gains = sum(gained_points(form, seat) for event in move.step.events for form in forms(event, seat))
                assert worth(move.step.state, seat) - worth(move.state, seat) == gains, move.action

    def test_wood_comes_and_goes_only_as_told(self, options: dict[str, Any], number: int) -> None:
        """§15.2"""
        match = played(options, number)
        for seat in (0, 1):
            for move in match.moves:
                gains = sum(gained_wood(form, seat) for event in move.step.events for form in forms(event, seat))
                before, after = (state.board.holdings[seat].wood for state in (move.state, move.step.state))
                assert after - before == gains, move.action
                assert after >= 0

    def test_walls_come_and_go_only_as_told(self, options: dict[str, Any], number: int) -> None:
        """§15.3"""
        match = played(options, number)
        plain = grid(match.options.size)
        standing = set(match.opening.board.neutral_walls)
        cooling: dict[int, int] = {}
        for move in match.moves:
            for form in (form for event in move.step.events for form in forms(event, move.seat)):
                if isinstance(form, WallBuilt | WallRemoved | WallHit):
                    edge = plain.edge(form.x, form.y, form.side)
                    if isinstance(form, WallBuilt):
                        standing.add(edge)
                    elif isinstance(form, WallRemoved) or not form.hp:
                        standing.remove(edge)
                        cooling[edge] = move.state.table.round + 6
            board, now = move.step.state.board, move.step.state.table.round
            built = {plain.edge(wall.x, wall.y, wall.side) for wall in board.walls}
            assert not built & set(board.neutral_walls)
            assert built | set(board.neutral_walls) == standing
            told = {edge: ready for edge, ready in cooling.items() if ready > now}
            assert {plain.edge(edge.x, edge.y, edge.side): edge.ready_round for edge in board.cooling} == told

    def test_every_unit_has_a_tile_and_points_of_its_own(self, options: dict[str, Any], number: int) -> None:
        """§1.2, §2.3"""
        for state in played(options, number).states:
            units = [unit for holding in state.board.holdings for unit in holding.units]
            spots = [(unit.x, unit.y) for unit in units] + [(base.x, base.y) for base in state.table.bases]
            assert len(set(spots)) == len(spots)
            assert all(1 <= unit.points <= 500 for unit in units)
