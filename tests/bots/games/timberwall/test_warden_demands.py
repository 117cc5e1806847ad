"""The warden checked against the demands of the document, in small positions and over whole matches."""

from typing import Any

import pytest
from timberwall_audit import Audit
from timberwall_bots import chosen, decision
from timberwall_case import case_of
from timberwall_demands import breaches, demands
from timberwall_positions import position, unit

from warroom_bots.api import Action, BotKind, Decision
from warroom_bots.games.timberwall.switchable_rules import Rule
from warroom_bots.games.timberwall.warden import BOT, WardenBot
from warroom_bots.registry import bots_for
from warroom_games.timberwall.actions import (
    Attack,
    BuildWall,
    Convert,
    Deploy,
    HitWall,
    Merge,
    Move,
    Pass,
)

LATE: Any = {"turn": 41, "round": 21}
CAGE: Any = [(8, 0, "east"), (9, 0, "south")]


@pytest.mark.parametrize(
    ("rule", "green", "red", "fields", "action"),
    [
        pytest.param("5 absolute priority", {(7, 7): 1}, {}, LATE, Attack(7, 7, "se"), id="5 the base is hit"),
        pytest.param("3C attack", {(5, 5): 5}, {(6, 5): 7}, LATE, Attack(5, 5, "e"), id="3C an equal tier"),
        pytest.param(
            "4.4 aggressive combat",
            {(5, 5): 1, (4, 5): 1, (5, 4): 1},
            {(6, 5): 5},
            LATE,
            Attack(5, 5, "e"),
            id="4.4 a swarm",
        ),
        pytest.param("3C retreat", {(5, 5): 1}, {(5, 4): 25}, LATE, Move(5, 5, "se"), id="3C a higher tier"),
        pytest.param("3B opening", {(9, 0): unit(1)}, {}, {"forests": ((9, 0), (5, 5)), "reserves": (5, 0)},
                     Deploy(3, 3, 2), id="3B the opening"),
        pytest.param("3B reactive defence", {(5, 6): 1}, {(7, 6): 4},
                     {"reserves": (5, 0), "forests": ((6, 4),), **LATE}, Deploy(3, 2, 5), id="3B an intruder"),
        pytest.param("3B reactive defence", {(5, 6): 1}, {(7, 6): 4},
                     {"reserves": (4, 0), "wood": (20, 0), "forests": ((6, 4),), **LATE}, Convert(),
                     id="3B wood first"),
        pytest.param("3B T4 rush", {}, {}, {"reserves": (25, 0), **LATE}, Deploy(3, 3, 25), id="3B tier 3"),
        pytest.param("4.2 no trash", {}, {}, {"wood": (20, 0), **LATE}, Convert(), id="4.2 wood to reserves"),
        pytest.param("AI defence", {}, {(3, 3): 25}, {"reserves": (5, 0), **LATE}, Deploy(2, 2, 5), id="AI defence"),
        pytest.param("4.3 fortress walls", {(5, 0): unit(1, 3, 3)}, {(6, 0): 25},
                     {"wood": (10, 0), "forests": ((5, 0),), **LATE}, BuildWall(5, 0, "east"), id="4.3 a wall"),
        pytest.param("1 enclosed forests", {(8, 0): 5}, {}, {"neutral": CAGE, **LATE}, HitWall(8, 0, "e"),
                     id="1 an enclosed forest"),
        pytest.param("5 gatherers", {(7, 2): 1}, {}, LATE, Move(7, 2, "ne"), id="5 a free forest"),
        pytest.param("3C target", {(4, 4): 5}, {(6, 4): 4}, {"forests": ((6, 4),), **LATE}, Move(4, 4, "ne"),
                     id="3C an enemy on a forest"),
        pytest.param("5 interception", {(6, 4): 25}, {(4, 4): 20}, LATE, Move(6, 4, "sw"), id="5 interception"),
        pytest.param("5 hunters", {(5, 5): 25}, {(5, 7): 125}, LATE, Move(5, 5, "se"), id="5 the enemy base"),
        pytest.param("5 handover", {(5, 5): 25}, {}, {"forests": ((7, 5),)}, Move(5, 5, "ne"), id="5 the first forest"),
        pytest.param("5 hunters", {(5, 5): unit(25, 3, 3), (4, 5): unit(1, 3, 3)}, {}, {"forests": ((5, 5), (4, 5))},
                     Move(5, 5, "se"), id="5 a handover"),
    ],
)  # fmt: skip
def test_the_warden_does_what_a_rule_demands(
    rule: str, green: Any, red: Any, fields: dict[str, Any], action: object
) -> None:
    state = position(green, red, **fields)
    found = demands(case_of(decision(state), spawned=0))
    assert rule in {demand.rule for demand in found}
    assert chosen(WardenBot(), state) == action


def test_nothing_is_demanded_of_units_that_hold_their_forests() -> None:
    state = position({(9, 0): unit(1, 3, 3), (0, 9): unit(5, 1, 1)}, forests=((9, 0), (0, 9)), **LATE)
    assert demands(case_of(decision(state))) == []
    assert chosen(WardenBot(), state) == Pass()


@pytest.mark.parametrize(
    ("rule", "green", "red", "fields", "action"),
    [
        pytest.param("3A forest anchor", {(5, 5): unit(1, 3, 3)}, {}, {"forests": ((5, 5),)}, Move(5, 5, "s"), id="3A"),
        pytest.param("3A forest anchor", {(5, 5): unit(1, 3, 3), (5, 6): 1}, {}, {"forests": ((5, 5),)},
                     Merge(5, 5, "s"), id="3A a merge"),
        pytest.param("3B opening", {}, {}, {"reserves": (5, 0)}, Deploy(3, 3, 1), id="3B a third spawn"),
        pytest.param("3C attack", {(5, 5): 1}, {(6, 5): 5}, LATE, Attack(5, 5, "e"), id="3C a higher tier"),
        pytest.param("3C walls", {(8, 0): 1, (5, 5): 5}, {}, {"neutral": CAGE}, HitWall(8, 0, "e"), id="3C tier 1"),
        pytest.param("4.2 no trash", {}, {}, {"reserves": (5, 0), **LATE}, Deploy(3, 3, 4), id="4.2"),
        pytest.param("4.3 fortress walls", {(5, 0): 1}, {(4, 0): 25}, {"wood": (10, 0), "forests": ((5, 0),)},
                     BuildWall(4, 0, "east"), id="4.3 towards the base"),
        pytest.param("5 hunters", {(5, 5): 25}, {(5, 7): 1}, {"forests": ((6, 6),)}, Move(5, 5, "se"), id="5 a forest"),
        pytest.param("5 absolute priority", {(7, 7): 1}, {}, LATE, Move(7, 7, "n"), id="5 the base"),
    ],
)  # fmt: skip
def test_forbidden_actions_are_found(rule: str, green: Any, red: Any, fields: dict[str, Any], action: Any) -> None:
    case = case_of(decision(position(green, red, **fields)), spawned=2)
    assert action in case.legal
    assert [found.rule for found in breaches(case, action)] == [rule]


@pytest.mark.parametrize(
    ("rule", "green", "red", "fields"),
    [
        (Rule.VICTORY, {(7, 7): 1}, {}, LATE),
        (Rule.ANCHOR, {(5, 5): unit(1, 3, 3)}, {}, {"forests": ((5, 5), (6, 5)), **LATE}),
        (Rule.OPENING, {(5, 5): 5}, {}, {"reserves": (5, 0)}),
        (Rule.REACTION, {(5, 6): 1}, {(7, 6): 4}, {"reserves": (5, 0), "forests": ((6, 4),), **LATE}),
        (Rule.RUSH, {(5, 5): 5}, {}, {"reserves": (25, 0), **LATE}),
        (Rule.ATTACK, {(5, 5): 5, (9, 0): unit(1, 3, 3)}, {(6, 5): 7}, {"held": (1, 0), **LATE}),
        (Rule.RETREAT, {(5, 5): 1}, {(5, 4): 25}, {"forests": ((5, 6), (5, 5)), **LATE}),
        (Rule.BREAKING, {(8, 0): 1, (1, 9): 5}, {}, {"neutral": CAGE, "forests": ((9, 0), (8, 3)), **LATE}),
        (Rule.NO_TRASH, {}, {(4, 4): 25}, {"reserves": (4, 0), **LATE}),
        (Rule.FORTRESS, {(5, 0): unit(1, 3, 3)}, {(6, 0): 25}, {"wood": (10, 0), "forests": ((5, 0),), **LATE}),
        (Rule.POWER, {(5, 5): 1, (4, 5): 1, (5, 4): 1}, {(6, 5): 5}, LATE),
        (Rule.INTERCEPTION, {(6, 4): 25}, {(4, 4): 20}, LATE),
        (Rule.HUNTERS, {(5, 5): 25}, {(5, 7): 125}, {"forests": ((6, 6),), **LATE}),
        (Rule.HANDOVER, {(5, 5): 25}, {}, {"forests": ((3, 7),)}),
        (Rule.FLESH, {(9, 0): 5}, {(4, 4): 100}, {"reserves": (10, 0), **LATE}),
        (Rule.ENCLOSURE, {(8, 0): unit(5, 3, 3)}, {}, {"forests": ((8, 0), (9, 0)), "neutral": CAGE, **LATE}),
        (Rule.WOOD_WAR, {(5, 5): 5}, {(7, 7): 4}, {"forests": ((7, 7), (3, 3)), "held": (0, 1), **LATE}),
    ],
)
def test_a_study_can_switch_each_rule_off(rule: Rule, green: Any, red: Any, fields: dict[str, Any]) -> None:
    state = position(green, red, **fields)
    assert chosen(WardenBot(frozenset({rule})), state) != chosen(WardenBot(), state)


class Idler:
    """A bot that always passes."""

    def choose(self, decision: Decision) -> Action:
        return {"type": "pass"}


def test_a_bot_that_only_passes_is_found_out() -> None:
    """Show that an audit sees defects at all."""
    audit = Audit()
    idler = BotKind(name="warden", game="timberwall", summary="", make=lambda _: Idler())
    audit.play([idler, bots_for("timberwall")["greedy"]], "idle", {"max_turns": 40})
    assert audit.passes == audit.turns == len(audit.defects)
    assert {"3B opening", "5 handover"} & {defect.rule for defect in audit.defects}


def audited(numbers: range, size: int) -> Audit:
    """Play matches of the warden against `greedy` in either seat, and against itself."""
    audit, greedy = Audit(), bots_for("timberwall")["greedy"]
    tables = ([BOT, greedy], [greedy, BOT], [BOT, BOT])
    for number in numbers:
        audit.play(tables[number % len(tables)], f"demands {number}", {"size": size})
    return audit


LONG_RUN = [(range(first, first + 5), 10) for first in range(0, 100, 5)] + [(range(3), 20), (range(3, 6), 20)]
"""A hundred matches on the usual board and some on a larger one, in parts that take seconds each."""


@pytest.mark.parametrize(
    ("numbers", "size"),
    [
        pytest.param(range(3), 10, id="a few"),
        *[
            pytest.param(numbers, size, id=f"size {size}, from {numbers.start}", marks=pytest.mark.long)
            for numbers, size in LONG_RUN
        ],
    ],
)
def test_no_turn_ends_by_a_pass_where_a_rule_demands_an_action(numbers: range, size: int) -> None:
    """Each defect has its match, its turn, its rule and the action that the rule demands or forbids."""
    audit = audited(numbers, size)
    assert audit.turns > 20 * len(numbers)
    assert audit.defects == []
