"""Battles that strangers ask a server for: as the command fights them, and never too much work."""

import json
from typing import Any

import msgspec
import pytest

from warroom_games.api import Calculating, RulesError
from warroom_games.thardferr.battle import battle
from warroom_games.thardferr.calculator import MAX_ROUNDS, MAX_STACKS, calculate
from warroom_games.thardferr.forces import Force
from warroom_games.thardferr.names import UnknownNameError
from warroom_games.thardferr.rules import GAME
from warroom_games.thardferr.technologies import TECHNOLOGIES

KNIGHTS: dict[str, Any] = {"race": "human", "army": {"Knight": 30}}
ORCS: dict[str, Any] = {"race": "orc", "army": {"Rusher": 100}, "strategy": "Orc Berserker"}


def asked(attacker: object = KNIGHTS, defender: object = ORCS, **more: object) -> str:
    return json.dumps({"attacker": attacker, "defender": defender, **more})


@pytest.mark.parametrize("ruleset", ["document", "calculator"])
def test_a_battle_is_fought_by_the_ruleset_that_is_asked_for(ruleset: Any) -> None:
    report = battle(Force(**KNIGHTS), Force(**ORCS), ruleset=ruleset, max_rounds=3)
    answer = calculate({"battle": asked(max_rounds=3, id="raid"), "ruleset": ruleset})
    assert json.loads(answer) == {"id": "raid", **json.loads(msgspec.json.encode(report))}
    assert isinstance(GAME, Calculating)
    assert GAME.calculations["battle"] is calculate


def test_without_a_word_about_it_the_ruleset_is_the_document() -> None:
    assert json.loads(calculate({"battle": asked()}))["ruleset"] == "document"


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({}, "battle: expected a battle as JSON"),
        ({"battle": "{}", "army": "1"}, "expected battle or ruleset, got army"),
        ({"battle": asked(), "ruleset": "mine"}, "ruleset: expected document or calculator, got mine"),
        ({"battle": '{"attacker": '}, "line 1, column 14: Expecting value, at ''"),
        ({"battle": '{"a": 1, "a": 2}'}, "'a' is given twice"),
        ({"battle": "[" * 6000}, "nested too deep"),
        ({"battle": "9" * 6000}, "a number is too long"),
        ({"battle": "{}"}, "the battle has no 'attacker', only: nothing"),
        ({"battle": asked({"race": "human", "army": {"Knigt": 1}})}, "attacker: unknown human unit 'Knigt'"),
        ({"battle": asked(max_rounds=MAX_ROUNDS + 1)}, "max_rounds: at most 10 are fought here, got 11"),
    ],
)
def test_what_cannot_be_fought_is_said_in_one_line(query: dict[str, str], said: str) -> None:
    with pytest.raises(RulesError) as caught:
        calculate(query)
    assert str(caught.value).startswith(said)
    assert "\n" not in str(caught.value)


def test_an_army_of_strangers_is_bounded() -> None:
    army = {f"stranger {number}": 1 for number in range(MAX_STACKS + 1)}
    with pytest.raises(RulesError, match="at most 12 kinds of units"):
        calculate({"battle": asked({"race": "elf", "army": army}), "ruleset": "calculator"})


def test_a_name_without_end_is_compared_by_its_beginning() -> None:
    # Compared as a whole it would take longer than any test may.
    assert UnknownNameError("technology", "Fortificatoin" + "ae" * 500_000, TECHNOLOGIES).nearest == "Fortification"
