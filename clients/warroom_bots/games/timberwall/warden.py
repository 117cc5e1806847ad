"""The document's AI as a bot: it plays over the network like any player, and decides from its fogged view alone.

Every rule of the document's sections 3 to 5 is its own function; this module only orders them.
"""

from collections.abc import Callable
from typing import TypeAlias

import msgspec

from warroom_bots.api import Action, BotKind, Decision
from warroom_bots.games.timberwall.attacks import engage, skirmish, strike_base
from warroom_bots.games.timberwall.holding_position import retreat
from warroom_bots.games.timberwall.intruders import answer_intruder, block_with_flesh
from warroom_bots.games.timberwall.situation import Situation, look
from warroom_bots.games.timberwall.spawns import (
    convert_for_army,
    grab_forests,
    reserves_spent,
    spawn_army,
    spawn_in_despair,
)
from warroom_bots.games.timberwall.switchable_rules import Rule
from warroom_bots.games.timberwall.unit_goals import intercept, press, pursue
from warroom_bots.games.timberwall.walls import fortify, open_forest
from warroom_games.timberwall import actions as rules
from warroom_games.timberwall.ground import survey_views

THINKING_MS = 10
"""Minimum delay before a decision, so that the view has settled."""

Idea: TypeAlias = Callable[[Situation], rules.Action | None]

PREPARING: tuple[tuple[Rule | None, Idea], ...] = (
    (Rule.REACTION, answer_intruder),
    (Rule.FLESH, block_with_flesh),
    (Rule.FORTRESS, fortify),
    (Rule.OPENING, grab_forests),
    (Rule.RUSH, spawn_army),
    (None, convert_for_army),
    (None, spawn_in_despair),
)
"""Steps before the end of the turn, each with its rule if a study can switch it off.

Each step spends something, so the turn always ends.
"""

ENDING: tuple[tuple[Rule | None, Idea], ...] = (
    (None, engage),
    (Rule.INTERCEPTION, intercept),
    (None, press),
    (None, skirmish),
    (Rule.RETREAT, retreat),
    (Rule.ENCLOSURE, open_forest),
    (None, pursue),
)
"""Steps that end the turn, in this order; if none applies, the bot passes."""


class OutOfTurnError(RuntimeError):
    """The warden must not act in its opponent's turn."""


class WardenBot:
    """Holds forests, answers intruders with stronger units, and strikes the base whenever it can.

    It counts the units it has spawned. A bot that takes over a seat during a match does not know the count; it counts
    every spent reserve as a spawn, and so never spawns more than the opening allows.
    """

    def __init__(self, ignored: frozenset[Rule] = frozenset()) -> None:
        self._ignored = ignored
        self._spawned: int | None = None

    def choose(self, decision: Decision) -> Action:
        """Return one action; it ends the turn only if nothing is left to prepare."""
        ground = survey_views(decision.public, decision.private, decision.seat)
        if ground.table.seat != decision.seat:
            raise OutOfTurnError(f"seat {decision.seat} is asked in the turn of seat {ground.table.seat}")
        if self._spawned is None:
            self._spawned = reserves_spent(ground)
        action = _decided(look(ground, spawned=self._spawned, ignored=self._ignored))
        self._spawned += isinstance(action, rules.Deploy)
        return msgspec.to_builtins(action)


def _decided(situation: Situation) -> rules.Action:
    """Return the action of the first rule in force that has one."""
    for rule, idea in ((Rule.VICTORY, strike_base), *PREPARING, *ENDING):
        if rule is None or situation.obeys(rule):
            action = idea(situation)
            if action is not None:
                return action
    return rules.Pass()


BOT = BotKind(
    name="warden",
    game="timberwall",
    summary="the document's own AI: forests, walls and stronger answers",
    make=lambda _: WardenBot(),
    least_think_ms=THINKING_MS,
)

RANGER = BotKind(
    name="ranger",
    game="timberwall",
    summary="the warden, but its strongest unit never waits in a forest",
    make=lambda _: WardenBot(frozenset({Rule.HANDOVER})),
    least_think_ms=THINKING_MS,
)
"""The rule of the document that costs the warden most is left out (docs/rules/BALANCE.md)."""
