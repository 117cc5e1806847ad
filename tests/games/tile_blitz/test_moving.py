"""docs/rules/tile_blitz.md, sections 6 and 7: moves and marches."""

import pytest
from tile_blitz_positions import position, shown

from warroom_games.api import Event, IllegalActionError
from warroom_games.tile_blitz.actions import March, Move
from warroom_games.tile_blitz.events import UnitsMoved
from warroom_games.tile_blitz.options import Options
from warroom_games.tile_blitz.rules import GAME

PICTURE = "1:R1 2:R0+2 8:R1 9:R5+2 10:R0 17:R1 23:R4 41:O5"


class TestMoves:
    """Section 6."""

    @pytest.mark.parametrize(
        ("move", "code", "says"),
        [
            pytest.param(
                Move(0, 9, 1, 0), "tile.unknown", "no tile 0; the tiles are 1 to 49", id="§1.1 no such source"
            ),
            pytest.param(
                Move(9, 99, 1, 0), "tile.unknown", "no tile 99; the tiles are 1 to 49", id="§1.1 no such target"
            ),
            pytest.param(Move(41, 40, 1, 0), "tile.not_yours", "tile 41 is orange", id="§6.1 a rival's source"),
            pytest.param(Move(9, 16, 1, 0), "tile.not_yours", "tile 16 is neutral", id="§6.1 a neutral target"),
            pytest.param(
                Move(9, 17, 1, 0),
                "move.not_adjacent",
                "17 is not adjacent to tile 9; these are: 2, 8, 10, 16",
                id="§6.1 diagonal",
            ),
            pytest.param(Move(9, 9, 1, 0), "move.not_adjacent", "is not adjacent", id="§6.1 to itself"),
            pytest.param(Move(9, 10, 0, 0), "units.none", "move at least 1 unit", id="§6.2 nothing"),
            pytest.param(Move(9, 10, 5, 0), "units.troops", "tile 9 must keep 1 troop and can spare 4", id="§6.3 all"),
            pytest.param(Move(1, 2, 1, 0), "units.troops", "can spare 0, not 1", id="§6.3 the only troop"),
            pytest.param(Move(9, 10, 1, 3), "units.tanks", "tile 9 has only 2 tanks, not 3", id="§6.2 too many tanks"),
            pytest.param(Move(2, 9, 0, 1), "units.stranded", "tile 2 has no troops", id="§6.3 tanks without troops"),
        ],
    )
    def test_what_is_not_allowed_is_refused(self, move: Move, code: str, says: str) -> None:
        with pytest.raises(IllegalActionError, match=says) as refused:
            GAME.check(position(PICTURE), 0, move)
        assert refused.value.code == code

    @pytest.mark.parametrize(
        ("move", "picture"),
        [
            pytest.param(Move(9, 10, 4, 2), "9:R1 10:R4+2", id="§6.2 all that may go"),
            pytest.param(Move(9, 10, 2, 0), "9:R3+2 10:R2", id="§6.2 troops alone"),
            pytest.param(Move(9, 10, 0, 1), "9:R5+1 10:R0+1", id="§6.2 a tank alone"),
            pytest.param(Move(10, 9, 0, 1), "9:R5+3 10:R1", id="§6.3 the last troop stays"),
        ],
    )
    def test_units_go_to_the_tile_beside(self, move: Move, picture: str) -> None:
        start = "9:R5+2 10:R1+1" if move.source == 10 else "9:R5+2 10:R0"
        state = position(f"{start} 41:O5", stamina={0: 1})
        GAME.check(state, 0, move)
        step = GAME.apply(state, 0, move)
        assert shown(step.state) == f"{picture} 41:O5"
        path = (move.source, move.target)
        assert step.events == (Event(UnitsMoved(0, path, move.troops, move.tanks, is_march=False)),)
        assert step.state.table.players is state.table.players

    def test_other_tiles_are_shared_with_the_state_before(self) -> None:
        state = position("9:R5 10:R0 41:O5")
        moved = GAME.apply(state, 0, Move(9, 10, 1, 0)).state
        same = [one is other for one, other in zip(state.table.tiles, moved.table.tiles, strict=True)]
        assert same.count(False) == 2


class TestMarches:
    """Section 7."""

    @pytest.mark.parametrize(
        ("march", "code", "says"),
        [
            pytest.param(March(50, 9, 1, 0), "tile.unknown", "no tile 50", id="§1.1 no such source"),
            pytest.param(March(9, 50, 1, 0), "tile.unknown", "no tile 50", id="§1.1 no such target"),
            pytest.param(March(41, 9, 1, 0), "tile.not_yours", "tile 41 is orange", id="§7.1 a rival's source"),
            pytest.param(March(9, 41, 1, 0), "tile.not_yours", "tile 41 is orange", id="§7.1 a rival's target"),
            pytest.param(March(9, 9, 1, 0), "march.same_tile", "the units are already on tile 9", id="§7.1 to itself"),
            pytest.param(March(9, 23, 1, 0), "march.no_path", "no path of red tiles connects", id="§7.2 no path"),
            pytest.param(March(9, 17, 0, 0), "units.none", "move at least 1 unit", id="§7.3 nothing"),
            pytest.param(March(9, 17, 5, 0), "units.troops", "can spare 4, not 5", id="§7.3 all"),
            pytest.param(March(9, 17, 1, 3), "units.tanks", "has only 2 tanks, not 3", id="§7.3 too many tanks"),
            pytest.param(March(2, 17, 0, 1), "units.stranded", "tile 2 has no troops", id="§7.3 tanks without troops"),
        ],
    )
    def test_what_is_not_allowed_is_refused(self, march: March, code: str, says: str) -> None:
        with pytest.raises(IllegalActionError, match=says) as refused:
            GAME.check(position(PICTURE, stamina={0: 1}), 0, march)
        assert refused.value.code == code

    @pytest.mark.parametrize(
        ("stamina", "options", "code", "says"),
        [
            pytest.param(0, Options(), "march.stamina", "costs 1 stamina; you have 0", id="§7.1 no stamina"),
            pytest.param(2, Options(march=False), "march.off", "marches are off", id="§7.3 switched off"),
        ],
    )
    def test_a_march_costs_stamina_if_there_is_one(self, stamina: int, options: Options, code: str, says: str) -> None:
        state = position(PICTURE, stamina={0: stamina}, options=options)
        with pytest.raises(IllegalActionError, match=says) as refused:
            GAME.check(state, 0, March(9, 17, 1, 0))
        assert refused.value.code == code

    @pytest.mark.parametrize(
        ("march", "path", "picture"),
        [
            pytest.param(March(9, 17, 4, 2), (9, 10, 17), "9:R1 10:R0 17:R5+2", id="§7.2 two steps"),
            pytest.param(March(9, 10, 1, 1), (9, 10), "9:R4+1 10:R1+1 17:R1", id="§7.2 a neighbour"),
        ],
    )
    def test_units_march_along_own_tiles(self, march: March, path: tuple[int, ...], picture: str) -> None:
        state = position("9:R5+2 10:R0 17:R1 41:O5", stamina={0: 2}, gold={0: 1})
        GAME.check(state, 0, march)
        step = GAME.apply(state, 0, march)
        assert shown(step.state) == f"{picture} 41:O5"
        assert step.state.table.players[0].stamina == 1
        assert step.state.table.players[0].gold == 1
        assert step.events == (Event(UnitsMoved(0, path, march.troops, march.tanks, is_march=True)),)
