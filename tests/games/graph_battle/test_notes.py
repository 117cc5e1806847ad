"""docs/rules/graph_battle.md, §4.9: the odds of an attack are told before it is made."""

from fractions import Fraction
from functools import cache
from math import comb

import pytest
from graph_positions import position
from hypothesis import given
from hypothesis import strategies as st
from scripted_rng import outcomes

from warroom_games.graph_battle.actions import Attack, EndTurn
from warroom_games.graph_battle.attacking import make_attack
from warroom_games.graph_battle.combat import DOCUMENT, attack_rule
from warroom_games.graph_battle.notes import in_percent
from warroom_games.graph_battle.options import Options
from warroom_games.graph_battle.rules import GAME
from warroom_games.noting import notes_on
from warroom_games.playthrough import play
from warroom_games.rng import KEY_BYTES

ATTACKS = st.sampled_from(
    [
        Options(max_rounds=5),
        Options(attack="quick", max_rounds=5),
        Options(attack="dice", dice_percent=37, max_rounds=5),
    ]
)


@pytest.mark.parametrize(
    ("picture", "options", "note"),
    [
        pytest.param("R4 G1 B1", Options(), "69 %", id="§4.6 11/16"),
        pytest.param("R2 G1 B1", Options(), "25 %", id="§4.6 1/4"),
        pytest.param("R4 G0 B1", Options(), "88 %", id="§4.9 7/8: half a percent is rounded up"),
        pytest.param("R2 G9 B1", Options(), "under 1 %", id="§4.9 1/1024"),
        pytest.param("R9 G0 B1", Options(), "over 99 %", id="§4.9 255/256"),
        pytest.param("R2 G0 B1", Options(attack="quick"), "100 %", id="§4.7 without a flip"),
        pytest.param("R2 G1 B1", Options(attack="quick"), "50 %", id="§4.7 one flip"),
        pytest.param("R2 G0 B1", Options(attack="dice", dice_percent=60), "60 %", id="§4.8 one roll"),
    ],
)
def test_the_note_on_an_attack(picture: str, options: Options, note: str) -> None:
    assert notes_on(GAME, position(picture, options=options), 0, (Attack(0, 1), EndTurn())) == (note, "")


@given(key=st.binary(min_size=KEY_BYTES, max_size=KEY_BYTES), options=ATTACKS, seats=st.integers(2, 5))
def test_the_note_tells_the_odds_as_counted_flip_by_flip(key: bytes, options: Options, seats: int) -> None:
    for state in play(GAME, seats, options, key).sample(12):
        for seat in GAME.to_act(state):
            actions = tuple(GAME.legal_actions(state, seat))
            for action, note in zip(actions, notes_on(GAME, state, seat, actions), strict=True):
                if isinstance(action, Attack):
                    nodes = state.table.nodes
                    strengths = nodes[action.source].strength, nodes[action.target].strength
                    hold_note(note, counted(*strengths, options.attack, chance_of(options)))
                else:
                    assert note == ""


def hold_note(note: str, odds: Fraction) -> None:
    match note.removesuffix(" %").split():
        case ["under", "1"]:
            assert 0 < odds < Fraction(1, 100)
        case ["over", "99"]:
            assert Fraction(99, 100) < odds < 1
        case [percent]:
            assert abs(100 * odds - int(percent)) <= Fraction(1, 2)
            assert (odds == 0) == (percent == "0")
            assert (odds == 1) == (percent == "100")
        case _:
            pytest.fail(f"{note!r} tells no odds")


def chance_of(options: Options) -> Fraction:
    return Fraction(options.dice_percent, 100) if options.attack == "dice" else Fraction(1, 2)


@cache
def counted(attacker: int, defender: int, attack: str, chance: Fraction) -> Fraction:
    """Return the odds by sections 4.2 to 4.8, one flip after the other."""
    if attack == "quick" and defender == 0:
        return Fraction(1)
    won = Fraction(1) if defender == 0 else counted(attacker, defender - 1, attack, chance)
    lost = Fraction(0) if attacker == 2 else counted(attacker - 1, defender, attack, chance)
    return chance * won + (1 - chance) * lost


@pytest.mark.parametrize("options", [Options(), Options(attack="quick")], ids=["document", "quick"])
@pytest.mark.parametrize(("attacker", "defender"), [(2, 0), (3, 2), (4, 1), (5, 4), (7, 2)])
def test_as_many_attacks_succeed_as_the_note_says(options: Options, attacker: int, defender: int) -> None:
    """The attack is played with every coin there is."""
    state = position(f"R{attacker} G{defender} B1", options=options)
    note = notes_on(GAME, state, 0, (Attack(0, 1),))[0]
    ends = outcomes(lambda coins: make_attack(type(state)(state.table, coins), Attack(0, 1), []))  # type: ignore[arg-type]
    won = sum(share for share, end in ends if end.table.nodes[1].color == "red")
    assert note == in_percent(Fraction(won))


@pytest.mark.parametrize(("attacker", "defender"), [(302, 300), (1000, 950), (260, 280)])
@pytest.mark.parametrize("percent", [50, 37])
def test_the_odds_of_long_battles_are_right_to_a_hundred_binary_places(
    attacker: int, defender: int, percent: int
) -> None:
    options = Options(attack="dice", dice_percent=percent)
    flips, chance = attacker + defender - 1, Fraction(percent, 100)
    good, sides = chance.numerator, chance.denominator
    ways = sum(comb(flips, won) * good**won * (sides - good) ** (flips - won) for won in range(defender + 1, flips + 1))
    odds = attack_rule(options).odds(attacker, defender)
    assert abs(odds - Fraction(ways, sides**flips)) < Fraction(1, 2**100)


@pytest.mark.parametrize(("attacker", "defender", "note"), [(700, 1, "over 99 %"), (2, 700, "under 1 %")])
def test_rounded_odds_never_claim_to_be_certain(attacker: int, defender: int, note: str) -> None:
    """§4.9: beyond so many flips the odds are rounded."""
    assert in_percent(DOCUMENT.odds(attacker, defender)) == note
