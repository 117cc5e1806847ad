"""The document's AI as a bot: it plays over the network like anyone else, and decides from its fogged view alone.

Every rule of the document's sections 3 to 5 is a function of its own; this module only says in which order they speak.
"""

from collections.abc import Callable
from typing import TypeAlias

import msgspec

from warroom_bots.api import Action, BotKind, Decision
from warroom_bots.timberwall.fighting import engage, strike_base
from warroom_bots.timberwall.holding import retreat
from warroom_bots.timberwall.lookout import Lookout, look
from warroom_bots.timberwall.roles import intercept, pursue
from warroom_bots.timberwall.spawning import (
    answer_intruder,
    block_with_flesh,
    convert_for_army,
    grab_forests,
    spawn_army,
    spawn_in_despair,
)
from warroom_bots.timberwall.walling import fortify, open_forest
from warroom_games.timberwall import actions as rules

THINKING_MS = 10
"""How long the warden waits at least before it decides, so that what it sees has settled."""

Rule: TypeAlias = Callable[[Lookout], rules.Action | None]

PREPARING: tuple[Rule, ...] = (
    answer_intruder,
    block_with_flesh,
    fortify,
    grab_forests,
    spawn_army,
    convert_for_army,
    spawn_in_despair,
)
"""What may be done before the turn ends. Each of them spends something, so that a turn comes to its end."""

ENDING: tuple[Rule, ...] = (engage, intercept, retreat, open_forest, pursue)
"""What ends the turn, in this order; the pass if none of them has anything to say."""


class OutOfTurnError(RuntimeError):
    """The warden was asked to act in its opponent's turn."""


class WardenBot:
    """Holds forests, answers intruders with stronger units, and strikes the base whenever it can."""

    def choose(self, decision: Decision) -> Action:
        """Return one action; the ending one only when nothing is left to prepare."""
        lookout = look(decision)
        if lookout.ground.table.seat != decision.seat:
            raise OutOfTurnError(f"seat {decision.seat} is asked in the turn of seat {lookout.ground.table.seat}")
        for rule in (strike_base, *PREPARING, *ENDING):
            action = rule(lookout)
            if action is not None:
                return msgspec.to_builtins(action)
        return msgspec.to_builtins(rules.Pass())


BOT = BotKind(
    name="warden",
    game="timberwall",
    summary="the document's own AI: forests, walls and stronger answers",
    make=lambda _: WardenBot(),
    least_think_ms=THINKING_MS,
)
