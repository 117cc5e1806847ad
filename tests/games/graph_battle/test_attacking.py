"""docs/rules/graph_battle.md, section 4: attacks and their odds."""

from fractions import Fraction
from functools import cache
from itertools import product
from math import comb

import pytest
from graph_positions import KEY, coins, position, shown
from scripted_rng import outcomes

from warroom_games.api import Event, IllegalActionError
from warroom_games.graph_battle.actions import Attack, EndTurn
from warroom_games.graph_battle.attacking import attack_odds, make_attack
from warroom_games.graph_battle.combat import DOCUMENT as RULE
from warroom_games.graph_battle.combat import QUICK, AttackRule, attack_rule
from warroom_games.graph_battle.events import Attacked, Conquered
from warroom_games.graph_battle.options import Options
from warroom_games.graph_battle.rules import GAME
from warroom_games.rng import Rng


class TestPermission:
    """§4.1"""

    PICTURE = "R2 G3 R1\nR4 R3 ."

    @pytest.mark.parametrize(
        ("attack", "code", "says"),
        [
            pytest.param(Attack(9, 1), "attack.no_node", "no node 9; the nodes are 0 to 4", id="§1.1 no such source"),
            pytest.param(Attack(0, 5), "attack.no_node", "no node 5; the nodes are 0 to 4", id="§1.1 no such target"),
            pytest.param(Attack(1, 0), "attack.not_yours", "node 1 is green; you are red", id="§4.1 foreign source"),
            pytest.param(Attack(0, 4), "attack.own_node", "node 4 is yours", id="§4.1 own target"),
            pytest.param(Attack(2, 1), "attack.too_weak", "node 2 has strength 1", id="§4.1 too weak"),
        ],
    )
    def test_an_attack_that_is_not_allowed_is_refused(self, attack: Attack, code: str, says: str) -> None:
        with pytest.raises(IllegalActionError, match=says) as refused:
            GAME.check(position(self.PICTURE), 0, attack)
        assert refused.value.code == code

    def test_an_attack_over_a_gap_is_refused(self) -> None:
        with pytest.raises(IllegalActionError, match="node 1 is not adjacent to node 0") as refused:
            GAME.check(position("R2 . G3"), 0, Attack(0, 1))
        assert refused.value.code == "attack.not_adjacent"

    def test_every_attack_that_is_allowed_is_listed_in_order(self) -> None:
        listed = list(GAME.legal_actions(position(self.PICTURE), 0))
        assert listed == [Attack(0, 1), Attack(3, 1), Attack(4, 1), EndTurn()]


class TestBattle:
    """§4.2 to §4.5"""

    @pytest.mark.parametrize(
        ("picture", "flips", "after"),
        [
            pytest.param("R2 G0 G9", "a", "R1 R1 G9", id="§4.4 the defender at 0 loses"),
            pytest.param("R2 G1 G9", "aa", "R1 R1 G9", id="§4.2 the loser of a flip loses 1"),
            pytest.param("R5 G2 G9", "daaa", "R1 R3 G9", id="§4.4 all but 1 of what is left moves"),
            pytest.param("R9 G0 G9", "a", "R1 R8 G9", id="§4.4 nothing lost, all but 1 moves"),
            pytest.param("R3 G3 G9", "dd", "R1 G3 G9", id="§4.3 the attacker at 2 loses"),
            pytest.param("R3 G2 G9", "aadd", "R1 G0 G9", id="§4.5 the defender survives at 0"),
            pytest.param("R2 G0 G9", "d", "R1 G0 G9", id="§4.5 a failure against 0"),
        ],
    )
    def test_flips_decide(self, picture: str, flips: str, after: str) -> None:
        attacker, defender = (int(node[1:]) for node in picture.split()[:2])
        unused = "a" * (attacker + defender - 1 - len(flips))
        fought = make_attack(position(picture, rng=coins(flips + unused)), Attack(0, 1), [])
        assert shown(fought.table) == after

    def test_the_event_tells_every_flip_and_the_conquest(self) -> None:
        step = GAME.apply(position("R4 G1 G9", rng=coins("adaa")), 0, Attack(0, 1))
        assert [event.public for event in step.events] == [
            Attacked(seat=0, source=0, target=1, flips="ada", source_strength=3, target_strength=0),
            Conquered(seat=0, source=0, target=1, color="red", former="green", moved=2),
        ]

    def test_an_attack_is_remembered_by_its_round(self) -> None:
        state = GAME.apply(position("R4 G1 G9", round=7), 0, Attack(0, 1)).state
        assert state.table.last_attack_round == 7

    def test_a_long_battle_is_fought_to_its_end(self) -> None:
        battle = GAME.apply(position("R150 G150 G9"), 0, Attack(0, 1)).events[0].public
        assert isinstance(battle, Attacked)
        assert len(battle.flips) > 128
        assert battle.flips.count("d") == 150 - battle.source_strength


class TestOdds:
    """§4.6"""

    @pytest.mark.parametrize(
        ("attacker", "defender", "odds"),
        [
            pytest.param(2, 0, Fraction(1, 2), id="P(2,0)"),
            pytest.param(2, 1, Fraction(1, 4), id="P(2,1)"),
            pytest.param(3, 1, Fraction(1, 2), id="P(3,1)"),
            pytest.param(4, 1, Fraction(11, 16), id="P(4,1)"),
            pytest.param(5, 2, Fraction(65625, 100000), id="P(5,2)"),
            pytest.param(10, 3, Fraction(3797, 4096), id="P(10,3)"),
        ],
    )
    def test_known_odds(self, attacker: int, defender: int, odds: Fraction) -> None:
        assert RULE.odds(attacker, defender) == odds
        assert attack_odds(position(f"R{attacker} G{defender}").table, Attack(0, 1)) == odds

    @pytest.mark.parametrize("attacker", range(2, 12))
    @pytest.mark.parametrize("defender", range(10))
    def test_the_closed_form_equals_the_flips_enumerated(self, attacker: int, defender: int) -> None:
        flips = attacker + defender - 1
        wins = sum(comb(flips, wins) for wins in range(defender + 1, flips + 1))
        assert RULE.odds(attacker, defender) == Fraction(wins, 2**flips) == enumerated(attacker, defender)

    @pytest.mark.parametrize(("attacker", "defender"), list(product(range(2, 7), range(6))))
    def test_the_rules_driven_through_all_coins_give_the_same(self, attacker: int, defender: int) -> None:
        assert won(RULE, attacker, defender) == enumerated(attacker, defender)


class TestQuick:
    """§4.7"""

    QUICK = Options(attack="quick")

    @pytest.mark.parametrize(
        ("picture", "flips", "after"),
        [
            pytest.param("R2 G1 G9", "a", "R1 R1 G9", id="§4.7 the last strength is lost: beaten"),
            pytest.param("R5 G2 G9", "dada", "R1 R2 G9", id="§4.7 all but 1 of what is left moves"),
            pytest.param("R3 G2 G9", "add", "R1 G1 G9", id="§4.7 a defender that holds out keeps 1 or more"),
            pytest.param("R4 G0 G9", "", "R1 R3 G9", id="§4.7 strength 0 falls without a flip"),
        ],
    )
    def test_flips_decide(self, picture: str, flips: str, after: str) -> None:
        attacker, defender = (int(node[1:]) for node in picture.split()[:2])
        unused = "a" * (attacker + defender - 2 - len(flips)) if flips else ""
        events: list[Event] = []
        state = position(picture, rng=coins(flips + unused), options=self.QUICK)
        assert shown(make_attack(state, Attack(0, 1), events).table) == after
        told = events[0].public
        assert isinstance(told, Attacked)
        assert told.flips == flips

    @pytest.mark.parametrize(("attacker", "defender"), list(product(range(2, 7), range(6))))
    def test_the_odds_are_those_of_the_battles(self, attacker: int, defender: int) -> None:
        """§4.7"""
        odds = attack_odds(position(f"R{attacker} G{defender}", options=self.QUICK).table, Attack(0, 1))
        assert odds == (enumerated(attacker, defender - 1) if defender else 1)
        assert odds == won(QUICK, attacker, defender)


class TestDice:
    """§4.8"""

    @pytest.mark.parametrize("percent", [10, 40, 50, 60, 75])
    @pytest.mark.parametrize(("attacker", "defender"), [(2, 0), (2, 1), (3, 1), (3, 2), (4, 1)])
    def test_the_odds_are_those_of_the_battles(self, percent: int, attacker: int, defender: int) -> None:
        """§4.8"""
        options = Options(attack="dice", dice_percent=percent)
        odds = attack_odds(position(f"R{attacker} G{defender}", options=options).table, Attack(0, 1))
        assert odds == enumerated(attacker, defender, Fraction(percent, 100))
        assert odds == won(attack_rule(options), attacker, defender)

    @pytest.mark.parametrize("attacker", range(2, 9))
    @pytest.mark.parametrize("defender", range(8))
    def test_a_fair_die_is_a_coin(self, attacker: int, defender: int) -> None:
        """§4.8"""
        fair = attack_rule(Options(attack="dice", dice_percent=50))
        assert fair.odds(attacker, defender) == RULE.odds(attacker, defender)

    def test_rolls_are_told_like_flips(self) -> None:
        """§4.8"""
        options = Options(attack="dice")
        for start in range(40):
            step = GAME.apply(position("R5 G2 G9", rng=Rng(KEY, start), options=options), 0, Attack(0, 1))
            told = step.events[0].public
            assert isinstance(told, Attacked)
            assert (told.flips.count("a"), told.flips.count("d")) in {(3, 0), (3, 1), (3, 2), (3, 3)} | {
                (wins, 4) for wins in (0, 1, 2)
            }
            assert told.source_strength == 5 - told.flips.count("d")


def won(rule: AttackRule, attacker: int, defender: int) -> Fraction:
    """The probability of a success, by fighting with every way that the draws can go."""

    def conquers(chance: object) -> bool:
        battle, _ = rule.fight(attacker, defender, chance)  # type: ignore[arg-type]  # draws like the generator
        return battle.is_won

    return sum((share for share, is_won in outcomes(conquers) if is_won), Fraction(0))


@cache
def enumerated(attacker: int, defender: int, chance: Fraction = Fraction(1, 2)) -> Fraction:
    """The document's sentences, followed through both sides of every coin."""
    win = Fraction(1) if defender == 0 else enumerated(attacker, defender - 1, chance)
    loss = Fraction(0) if attacker == 2 else enumerated(attacker - 1, defender, chance)
    return chance * win + (1 - chance) * loss
