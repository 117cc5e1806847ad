"""docs/rules/strata.md, section 5: attacks."""

import pytest
from strata_positions import at, position, shown

from warroom_games.api import IllegalActionError
from warroom_games.strata.actions import Attack, Place
from warroom_games.strata.board import Vertex
from warroom_games.strata.events import Attacked, Fighter, TurnBegan, TurnEnded
from warroom_games.strata.rules import GAME

SOURCE, TARGET = at(0, 1, 1), at(0, 1, 2)
FAR = {at(0, 0, 0): "A1*0", at(4, 0, 0): "B1*0"}
"""A piece of each player out of the way, so that nobody is beaten."""


CROWD = {
    SOURCE: "A1*1", TARGET: "B1*0", at(0, 0, 0): "A9*0", at(0, 0, 2): "B2*2", at(1, 2, 2): "A1*7", at(2, 3, 3): "B1*1",
}  # fmt: skip
"""Two who may not attack, and one who may attack one of three."""


def fought(source: Vertex, attacker: str, target: Vertex, defender: str) -> str | None:
    """What stands on the target after the attack; the source must be empty."""
    state = GAME.apply(position({**FAR, source: attacker, target: defender}), 0, Attack(source, target)).state
    assert source not in shown(state)
    assert FAR.items() <= shown(state).items()
    return shown(state).get(target)


class TestPermission:
    """§5.1"""

    @pytest.mark.parametrize(
        ("attack", "code", "says"),
        [
            pytest.param(Attack(TARGET, SOURCE), "attack.not_yours", r"is the enemy's; it must", id="§5.1 the enemy's"),
            pytest.param(Attack(at(0, 2, 0), SOURCE), "attack.not_yours", "is empty", id="§5.1 nobody to attack with"),
            pytest.param(
                Attack(SOURCE, at(0, 0, 1)), "attack.no_enemy", r"\(0; 0, 1\) is empty; an attack", id="§5.1 nobody"
            ),
            pytest.param(Attack(SOURCE, at(1, 2, 2)), "attack.no_enemy", "is your own", id="§5.1 an own stack"),
            pytest.param(Attack(SOURCE, at(0, 0, 2)), "attack.not_adjacent", "not adjacent to", id="§5.1 diagonally"),
            pytest.param(
                Attack(at(0, 0, 0), at(0, 0, 2)),
                "attack.not_occupied",
                r"\(0; 0, 0\) has force 0 and does not hold its vertex, which takes 1",
                id="§5.1 without energy",
            ),
            pytest.param(
                Attack(at(1, 2, 2), at(2, 3, 3)),
                "attack.not_occupied",
                r"\(1; 2, 2\) has force 7/2 and does not hold its vertex, which takes 4",
                id="§5.1 too weak for its own layer",
            ),
        ],
    )
    def test_an_attack_that_is_not_allowed_is_refused(self, attack: Attack, code: str, says: str) -> None:
        state = position(CROWD)
        with pytest.raises(IllegalActionError, match=says) as refused:
            GAME.check(state, 0, attack)
        assert refused.value.code == code
        assert attack not in GAME.legal_actions(state, 0)

    def test_every_attack_that_is_allowed_is_listed(self) -> None:
        """§5.1"""
        listed = [action for action in GAME.legal_actions(position(CROWD), 0) if isinstance(action, Attack)]
        assert listed == [Attack(SOURCE, TARGET)]


class TestCombat:
    """§5.2 to §5.5"""

    @pytest.mark.parametrize(
        ("attacker", "defender", "left"),
        [
            pytest.param("A4*2", "B1*1", "A3*1", id="§5.2 the greater force wins, §5.4 with the differences"),
            pytest.param("A1*9", "B2*4", "A1*5", id="§5.2 9 against 8"),
            pytest.param("A3*2", "B2*3", "B1*1", id="§5.3 equal forces: the defender wins"),
            pytest.param("A1*1", "B5*2", "B4*1", id="§5.3 the smaller force loses"),
            pytest.param("A12*1", "B5*2", "B7*1", id="§5.3 at the cap they are equal"),
            pytest.param("A1*9", "B7*1", "A6*8", id="§5.4 the victor may grow"),
            pytest.param("A9*1", "B1*8", "A8*7", id="§5.4 in energy, too"),
            pytest.param("A2*1", "B9*0", "A7*1", id="§2.4 who does not occupy exerts nothing"),
            pytest.param("A2*4", "B2*1", None, id="§5.5 no piece left: an empty vertex"),
            pytest.param("A2*2", "B2*4", None, id="§5.5 for the defender as well"),
            pytest.param("A4*2", "B1*2", "A3*0", id="§5.5 pieces without energy stay"),
            pytest.param("A1*2", "B4*2", "B3*0", id="§5.5 for the defender, too"),
        ],
    )
    def test_force_decides(self, attacker: str, defender: str, left: str | None) -> None:
        assert fought(SOURCE, attacker, TARGET, defender) == left

    def test_the_victor_enters_whatever_the_layer_requires(self) -> None:
        """§5.2"""
        assert fought(SOURCE, "A2*1", at(1, 2, 2), "B1*7") == "A1*6"

    def test_gravity_counts_on_each_side(self) -> None:
        """§5.2, §5.3"""
        assert fought(at(0, 1, 1), "A1*5", at(1, 2, 2), "B2*4") == "A1*1"
        assert fought(at(1, 2, 2), "A2*4", at(0, 1, 1), "B1*4") == "B1*0"
        assert fought(at(1, 2, 2), "A3*3", at(2, 3, 3), "B2*13") == "A1*10"

    def test_fractions_are_not_rounded(self) -> None:
        """§5.3"""
        assert fought(at(1, 2, 2), "A1*19", at(2, 3, 3), "B4*7") == "A3*12"
        assert fought(at(2, 3, 3), "A4*7", at(1, 2, 2), "B1*19") == "B3*12"


class TestEnd:
    """§5.6"""

    def test_the_attack_is_told_and_ends_the_turn(self) -> None:
        """§5.6"""
        state = position({**FAR, SOURCE: "A4*2", TARGET: "B1*1"}, turn=3)
        step = GAME.apply(state, 0, Attack(SOURCE, TARGET))
        assert [event.public for event in step.events] == [
            Attacked(
                seat=0,
                source=SOURCE,
                target=TARGET,
                attacker=Fighter(seat=0, pieces=4, energy=2, force="8"),
                defender=Fighter(seat=1, pieces=1, energy=1, force="1"),
                winner=0,
                pieces=3,
                energy=1,
            ),
            TurnEnded(seat=0, turn=3, reason="attacked", gain=1, dominion=1),
            TurnBegan(seat=1, turn=4, pieces=1, energy=1),
        ]
        assert (GAME.to_act(step.state), GAME.turn(step.state)) == (frozenset({1}), 4)

    def test_a_lost_attack_ends_the_turn_as_well(self) -> None:
        """§5.6"""
        step = GAME.apply(position({**FAR, SOURCE: "A1*1", TARGET: "B1*1"}), 0, Attack(SOURCE, TARGET))
        told = step.events[0].public
        assert isinstance(told, Attacked)
        assert (told.winner, told.pieces, told.energy) == (1, 0, 0)
        assert next(iter(GAME.legal_actions(step.state, 1))) == Place(at(4, 0, 0))
