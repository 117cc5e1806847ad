"""The document's AI as a bot: it plays over the network like anyone else, and decides from its fogged view alone.

Every rule of the document's sections 3 to 5 is a function of its own; this module only says in which order they speak.
"""

from collections.abc import Callable
from typing import TypeAlias

import msgspec

from warroom_bots.api import Action, BotKind, Decision
from warroom_bots.timberwall.attacks import engage, skirmish, strike_base
from warroom_bots.timberwall.holding_position import retreat
from warroom_bots.timberwall.intruders import answer_intruder, block_with_flesh
from warroom_bots.timberwall.situation import Situation, look
from warroom_bots.timberwall.spawns import (
    convert_for_army,
    grab_forests,
    reserves_spent,
    spawn_army,
    spawn_in_despair,
)
from warroom_bots.timberwall.switchable_rules import Rule
from warroom_bots.timberwall.unit_goals import intercept, press, pursue
from warroom_bots.timberwall.walls import fortify, open_forest
from warroom_games.timberwall import actions as rules
from warroom_games.timberwall.ground import survey_views

THINKING_MS = 10
"""How long the warden waits at least before it decides, so that what it sees has settled."""

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
"""What may be done before the turn ends, with the rule that demands it if a study can switch it off.

Each of them spends something, so that a turn comes to its end.
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
"""What ends the turn, in this order; the pass if none of them has anything to say."""


class OutOfTurnError(RuntimeError):
    """The warden was asked to act in its opponent's turn."""


class WardenBot:
    """Holds forests, answers intruders with stronger units, and strikes the base whenever it can.

    It remembers how many units it has spawned. A bot that takes a seat over in the middle of a match cannot know; it
    takes every reserve that was spent for a spawn, so that it never spawns more than the opening allows.
    """

    def __init__(self, ignored: frozenset[Rule] = frozenset()) -> None:
        self._ignored = ignored
        self._spawned: int | None = None

    def choose(self, decision: Decision) -> Action:
        """Return one action; the ending one only when nothing is left to prepare."""
        ground = survey_views(decision.public, decision.private, decision.seat)
        if ground.table.seat != decision.seat:
            raise OutOfTurnError(f"seat {decision.seat} is asked in the turn of seat {ground.table.seat}")
        if self._spawned is None:
            self._spawned = reserves_spent(ground)
        action = _decided(look(ground, spawned=self._spawned, ignored=self._ignored))
        self._spawned += isinstance(action, rules.Deploy)
        return msgspec.to_builtins(action)


def _decided(situation: Situation) -> rules.Action:
    """Return what the first rule in force that has an action demands."""
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
