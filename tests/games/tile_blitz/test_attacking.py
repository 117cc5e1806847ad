"""docs/rules/tile_blitz.md, section 8: attacks and their losses."""

from itertools import product

import pytest
from tile_blitz_positions import position, shown

from warroom_games.api import IllegalActionError
from warroom_games.tile_blitz.actions import Attack
from warroom_games.tile_blitz.attacking import MIN_TROOPS
from warroom_games.tile_blitz.combat import LOSSES, defence, fight
from warroom_games.tile_blitz.events import Attacked, Captured
from warroom_games.tile_blitz.options import Options
from warroom_games.tile_blitz.rules import GAME
from warroom_games.tile_blitz.state import NEUTRAL, Tile

ATTRITION = Options(losses="attrition")


class TestPermission:
    """§8.1 to §8.3"""

    PICTURE = "1:R1+3 9:R5 10:R2 17:O5 16:O3+1 2:O0 3:O0 41:O5"

    @pytest.mark.parametrize(
        ("attack", "code", "says"),
        [
            pytest.param(Attack(50, 9), "tile.unknown", "no tile 50; the tiles are 1 to 49", id="§1.1 no such source"),
            pytest.param(Attack(9, 0), "tile.unknown", "no tile 0; the tiles are 1 to 49", id="§1.1 no such target"),
            pytest.param(
                Attack(17, 10), "tile.not_yours", "tile 17 is orange; you are red", id="§8.1 a rival's source"
            ),
            pytest.param(Attack(9, 10), "attack.own_tile", "tile 10 is yours", id="§8.1 own target"),
            pytest.param(Attack(9, 17), "attack.not_adjacent", "these are: 2, 8, 10, 16", id="§8.1 diagonal"),
            pytest.param(
                Attack(1, 2),
                "attack.too_few",
                "tile 1 has 1 troops; an attack needs 2 or more",
                id="§8.2 tanks do not count",
            ),
            pytest.param(
                Attack(9, 16),
                "attack.too_weak",
                "tile 9 has power 5, which does not exceed the defence 5",
                id="§8.3 equal",
            ),
            pytest.param(Attack(10, 17), "attack.too_weak", "tile 10 has power 2, which does not", id="§8.3 weaker"),
        ],
    )
    def test_what_is_not_allowed_is_refused(self, attack: Attack, code: str, says: str) -> None:
        with pytest.raises(IllegalActionError, match=says) as refused:
            GAME.check(position(self.PICTURE), 0, attack)
        assert refused.value.code == code

    @pytest.mark.parametrize(
        ("picture", "defends"),
        [
            pytest.param("9:R2 41:O5", 1, id="§8.3 neutral: 1"),
            pytest.param("9:R2 10:O0 41:O5", 0, id="§8.3 held without units: 0"),
            pytest.param("9:R2+1 10:O1+1 41:O5", 3, id="§8.3 troops and tanks"),
        ],
    )
    def test_greater_power_may_attack(self, picture: str, defends: int) -> None:
        state = position(picture)
        assert defence(state.table.tiles[9]) == defends
        GAME.check(state, 0, Attack(9, 10))
        assert Attack(9, 10) in list(GAME.legal_actions(state, 0))


class TestLosses:
    """§8.4 to §8.6"""

    @pytest.mark.parametrize("losses", ["document", "attrition"])
    def test_a_held_tile_without_units_is_taken_like_a_neutral_one_but_for_attrition(self, losses: str) -> None:
        """§8.3: by the document's losses the lower defence makes no difference, whatever attacks."""
        rule = LOSSES[losses]
        for troops in range(MIN_TROOPS, 40):
            for tanks in range(20):
                army = Tile("red", troops, tanks)
                empty, neutral = (fight(army, rule(army.power, defence(tile))) for tile in (Tile("orange"), NEUTRAL))
                assert (empty == neutral) is (losses == "document")

    @pytest.mark.parametrize(
        ("source", "target", "losses", "after"),
        [
            pytest.param("R5", "", "document", "10:R0", id="§8.4 (5,0) v neutral"),
            pytest.param("R5", "O4", "document", "10:R3", id="§8.4 (5,0) v 4"),
            pytest.param("R6+2", "O4", "document", "10:R3", id="§8.5 (6,2) v 4: two tanks and 2 troops"),
            pytest.param("R6+3", "O2+3", "document", "10:R5+1", id="§8.5 an even loss falls on tanks alone"),
            pytest.param("R6+3", "O1+3", "document", "10:R4+1", id="§8.5 the odd point falls on a troop"),
            pytest.param("R2+3", "O0", "document", "10:R0", id="§8.6 losses of more than its troops"),
            pytest.param("R2+4", "O3+3", "document", "10:R0+4", id="§8.6 surviving tanks without troops"),
            pytest.param("R2", "", "document", "10:R0", id="§8.6 the smallest attack"),
            pytest.param("R5", "", "attrition", "10:R3", id="§8.4 attrition (5,0) v neutral"),
            pytest.param("R5", "O0", "attrition", "10:R4", id="§8.4 attrition v an empty tile"),
            pytest.param("R6+2", "O1+2", "attrition", "10:R4", id="§8.5 attrition v 5: two tanks, 1 troop"),
            pytest.param("R6+2", "O1+1", "attrition", "10:R4+1", id="§8.5 attrition v 3: one tank, 1 troop"),
            pytest.param("R2+2", "O5", "attrition", "10:R0", id="§8.6 attrition to the last"),
        ],
    )
    def test_an_attack_costs_what_the_rule_says(self, source: str, target: str, losses: str, after: str) -> None:
        options = ATTRITION if losses == "attrition" else Options()
        held = f"10:{target} " if target else ""
        state = position(f"9:{source} {held}41:O5", options=options)
        GAME.check(state, 0, Attack(9, 10))
        assert shown(GAME.apply(state, 0, Attack(9, 10)).state) == f"9:R1 {after} 41:O5"

    @pytest.mark.parametrize("losses", ["document", "attrition"])
    def test_all_small_battles_go_as_the_sentences_say(self, losses: str) -> None:
        """§8.4, §8.5, §8.6"""
        for troops, tanks, against in product(range(2, 9), range(5), range(16)):
            if troops + 2 * tanks > against:
                battle = fight(Tile("red", troops, tanks), LOSSES[losses](troops + 2 * tanks, against))
                assert (battle.troops, battle.tanks) == counted(troops, tanks, against, losses)
                assert battle.troops + battle.troops_lost == troops - 1
                assert battle.tanks + battle.tanks_lost == tanks

    def test_the_event_tells_the_battle_and_the_capture(self) -> None:
        """§8.6"""
        step = GAME.apply(position("9:R6+2 10:O4 41:O5"), 0, Attack(9, 10))
        assert [event.public for event in step.events] == [
            Attacked(seat=0, source=9, target=10, power=10, defence=4, troops_lost=2, tanks_lost=2),
            Captured(seat=0, source=9, target=10, color="red", former="orange", troops=3, tanks=0),
        ]

    def test_a_neutral_tile_has_no_former_holder(self) -> None:
        """§8.3"""
        step = GAME.apply(position("9:R2 41:O5"), 0, Attack(9, 10))
        assert step.events[1].public == Captured(0, 9, 10, color="red", former=None, troops=0, tanks=0)


def counted(troops: int, tanks: int, against: int, losses: str) -> tuple[int, int]:
    """What moves in, point by point: a tank takes two points at once, a troop one."""
    points = troops + 2 * tanks - against if losses == "document" else against
    while points >= 2 and tanks:
        points, tanks = points - 2, tanks - 1
    while points and troops:
        points, troops = points - 1, troops - 1
    return (troops - 1 if troops else 0), tanks
